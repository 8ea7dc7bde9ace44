/** A plugin that keeps the addresses that it finds in the context. */
export function useAddresses() {
  const addresses: unknown[] = [];
  const plugin = {
    onRequest({ serverContext }: { serverContext?: { exchange?: { host: { address?: string } } } }) {
      addresses.push(serverContext?.exchange?.host.address);
    },
  };
  return { addresses, plugin };
}
