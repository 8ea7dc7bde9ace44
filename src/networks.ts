import { BlockList, isIP } from 'node:net';

/** Matches addresses, IPv4-mapped ones too. */
export type AddressMatcher = (address: string) => boolean;

/** Whether this is an IP address. One with a zone (`fe80::1%eth0`) is not: it means something on one machine alone. */
export function isAddressText(text: string): boolean {
  return isIP(text) > 0 && !text.includes('%');
}

/** Whether this is an address, or a network such as `10.0.0.0/8`. One of zero bits would be every address. */
export function isNetwork(text: string): boolean {
  const [, address = '', bits = '1'] = /^([^/]*)(?:\/([1-9]\d{0,2}))?$/.exec(text) ?? [];
  return isAddressText(address) && Number(bits) <= bitsOf(address);
}

/** Returns whether an address is in one of these networks. */
export function matchNetworks(networks: readonly string[]): AddressMatcher {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits = bitsOf(address)] = network.split('/');
    list.addSubnet(address, Number(bits), familyOf(address));
  }
  return (address) => list.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

function bitsOf(address: string): number {
  return isIP(address) === 6 ? 128 : 32;
}
