import { networkInterfaces } from 'node:os';

/** What `0.0.0.0` and `::` listen on: all addresses of the machine, of the one family or of both. */
const WILDCARDS: { readonly [host: string]: readonly string[] } = {
  '0.0.0.0': ['IPv4'],
  '::': ['IPv4', 'IPv6'],
};

/**
 * Where a server that listens on an address can be opened, first from this machine and then from others. A wildcard is
 * an address to listen on, and none to open.
 */
export function hostsToOpen(
  address: string,
  interfaces: ReturnType<typeof networkInterfaces> = networkInterfaces(),
): [string, ...string[]] {
  const families = WILDCARDS[address];
  if (families === undefined) return [address === '127.0.0.1' ? 'localhost' : inUrl(address)];
  const others = Object.values(interfaces)
    .flatMap((found = []) => found)
    // One of a link would need the name of the interface beside it, which browsers do not take.
    .filter(
      ({ family, internal, address }) => families.includes(family) && !internal && !/^fe80:/i.test(address),
    )
    .map(({ address }) => inUrl(address));
  return ['localhost', ...others];
}

function inUrl(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}
