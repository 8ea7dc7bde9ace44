import { LRUCache } from 'lru-cache';

/**
 * Owners are whom a share of something limited is counted for. A credential that the service has accepted is one of its
 * own. All others, and requests without any, count for the address that they come from: thousands of invented tokens
 * then get one share, and not thousands.
 */
export interface Owners {
  of(credential: string, address: string | undefined): string;
  accept(credential: string): void;
  /** The service does not know the credential, or no longer. */
  refuse(credential: string): void;
}

const MAX_ACCEPTED = 20_000;

/** Credentials are named by their hashes. Only accepted ones are kept, so no stranger can push them out. */
export function createOwners(): Owners {
  const accepted = new LRUCache<string, true>({ max: MAX_ACCEPTED });
  return {
    of: (credential, address) => (accepted.get(credential) ? credential : ownerAt(address)),
    accept(credential) {
      if (!accepted.get(credential)) accepted.set(credential, true);
    },
    refuse: (credential) => void accepted.delete(credential),
  };
}

/** Of IPv6, a network: whoever has one address there has as many as they like. */
export function ownerAt(address: string | undefined): string {
  if (address === undefined) return 'unknown address';
  if (!address.includes(':')) return address;
  const [, ipv4] = /^::ffff:([\d.]+)$/i.exec(address) ?? [];
  return ipv4 ?? `${groupsOf(address).slice(0, 4).join(':')}::/64`;
}

/** The eight groups of an IPv6 address, with the zeros that `::` leaves out. */
function groupsOf(address: string): string[] {
  const [start = [], end = []] = address
    .replace(/%.*$/, '')
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Math.max(0, 8 - start.length - end.length);
  return [...start, ...Array.from({ length: zeros }, () => '0'), ...end];
}
