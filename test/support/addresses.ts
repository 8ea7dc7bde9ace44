/** A plugin that keeps the addresses that it finds in the context. */
export function useAddresses() {
  const addresses: unknown[] = [];
  const plugin = {
    onRequest({ serverContext }: { serverContext?: object }) {
      addresses.push(serverContext && 'address' in serverContext && serverContext.address);
    },
  };
  return { addresses, plugin };
}
