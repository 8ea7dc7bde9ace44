import { BlockList, isIP } from 'node:net';

const getFamily = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
const countBits = (address: string) => (isIP(address) === 6 ? 128 : 32);

/** Zero bits would match every address, and a zone (`fe80::1%eth0`) means something on one machine only. */
export function isNetwork(text: string): boolean {
  const [, address = '', bits = '1'] = /^([^/%]*)(?:\/([1-9]\d{0,2}))?$/.exec(text) ?? [];
  return isIP(address) > 0 && Number(bits) <= countBits(address);
}

export function matchNetworks(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits = countBits(address)] = network.split('/');
    list.addSubnet(address, Number(bits), getFamily(address));
  }
  return (address) => list.check(address, getFamily(address));
}
