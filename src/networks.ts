import { BlockList, isIP } from 'node:net';

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
const bitsOf = (address: string) => (isIP(address) === 6 ? 128 : 32);

/**
 * Whether this is an address, or a network such as `10.0.0.0/8`. One of zero bits would be every address, and an address
 * with a zone (`fe80::1%eth0`) means something on one machine alone.
 */
export function isNetwork(text: string): boolean {
  const [, address = '', bits = '1'] = /^([^/%]*)(?:\/([1-9]\d{0,2}))?$/.exec(text) ?? [];
  return isIP(address) > 0 && Number(bits) <= bitsOf(address);
}

/** Returns a function that tells whether an address, which may be IPv4-mapped, is in one of these networks. */
export function matchNetworks(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits = bitsOf(address)] = network.split('/');
    list.addSubnet(address, Number(bits), familyOf(address));
  }
  return (address) => list.check(address, familyOf(address));
}
