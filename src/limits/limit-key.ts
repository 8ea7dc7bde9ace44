/**
 * An owner is the unit by which places and bytes are counted. A credential that the service has accepted is an owner of its
 * own. All other credentials, and requests without one, count for the client address: thousands of made-up tokens share
 * one owner. For IPv6 that is the /64 network, because a client usually controls all addresses in it.
 */
export function getAddressKey(address: string | undefined): string {
  if (address === undefined) return 'unknown address';
  const [, ipv4] = /^(?:::ffff:)?([\d.]+)$/i.exec(address) ?? [];
  if (ipv4) return ipv4;
  const [start = [], end = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array.from({ length: Math.max(0, 8 - start.length - end.length) }, () => '0');
  return `${[...start, ...zeros, ...end].slice(0, 4).join(':')}::/64`;
}

/** Whether an owner is an address: those of credentials are hashes in base64. */
export function isAddressKey(key: string): boolean {
  return /[.: ]/.test(key);
}
