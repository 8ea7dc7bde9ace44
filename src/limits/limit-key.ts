/** Returns one key for an address, or for the whole /64 network of IPv6 that a client usually controls. */
export function getAddressKey(address: string | undefined): string {
  if (address === undefined) return 'unknown address';
  const [, ipv4] = /^(?:::ffff:)?([\d.]+)$/i.exec(address) ?? [];
  if (ipv4) return ipv4;
  const [start = [], end = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array.from({ length: Math.max(0, 8 - start.length - end.length) }, () => '0');
  return `${[...start, ...zeros, ...end].slice(0, 4).join(':')}::/64`;
}

/** Other keys are hashes of credentials in base64, without these characters. */
export function isAddressKey(key: string): boolean {
  return /[.: ]/.test(key);
}
