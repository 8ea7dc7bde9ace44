import { BlockList, isIP, isIPv6 } from 'node:net';
import { type Finding, passed, skipped, warned } from './finding.ts';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

/** Addresses that are not routed on the internet, so that the service sees another one. */
const PRIVATE = new BlockList();
PRIVATE.addSubnet('10.0.0.0', 8);
PRIVATE.addSubnet('172.16.0.0', 12);
PRIVATE.addSubnet('192.168.0.0', 16);
PRIVATE.addSubnet('100.64.0.0', 10);
PRIVATE.addSubnet('169.254.0.0', 16);
PRIVATE.addSubnet('fc00::', 7, 'ipv6');
PRIVATE.addSubnet('fe80::', 10, 'ipv6');

/** The address that belongs on the allow list, as far as this end of the connection can tell. */
export function checkAddress(address: string): Finding {
  const check = 'address';
  const isIn = (list: BlockList) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  if (isIn(LOOPBACK)) return skipped(check, `${address}: the service is on this machine`);
  if (isIn(PRIVATE)) {
    return warned(
      check,
      `connections leave from ${address}, a private address: the service sees that of a NAT or proxy on the way`,
      'Ask whoever runs the network for that one: it belongs on the IP allow list of every application.',
    );
  }
  return passed(
    check,
    `connections leave from ${address}, which belongs on the IP allow list of every application, unless a NAT or ` +
      'proxy on the way puts its own in its place',
  );
}

/** The first IP address that a text names. */
export function addressIn(text: string): string | undefined {
  return text
    .split(/[^\w.:]+/)
    .map((word) => word.replace(/(?<![.:])[.:]+$/, ''))
    .find((word) => isIP(word) !== 0);
}
