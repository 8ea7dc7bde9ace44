/** Address and port of a URL, with the protocol's own port if it names none. */
export function serverAddress({ hostname, port, protocol }: URL): {
  readonly address: string;
  readonly port: string;
} {
  return { address: hostname, port: port || (protocol === 'https:' ? '443' : '80') };
}
