import { expect, test } from 'vitest';
import { hostsToOpen } from '../../src/server/listen.ts';

/** As Node tells of one address of an interface. */
function found(address: string, internal = false) {
  const rest = { netmask: '', mac: '', cidr: null, internal };
  if (!address.includes(':')) return { address, family: 'IPv4' as const, ...rest };
  return { address, family: 'IPv6' as const, scopeid: 0, ...rest };
}

const INTERFACES = {
  lo: [found('127.0.0.1', true), found('::1', true)],
  eth0: [found('192.168.1.20'), found('fe80::1'), found('2001:db8::20')],
  down: undefined,
};

test.each([
  ['127.0.0.1', ['localhost']],
  ['::1', ['[::1]']],
  ['192.168.1.20', ['192.168.1.20']],
  ['2001:db8::20', ['[2001:db8::20]']],
  ['0.0.0.0', ['localhost', '192.168.1.20']],
  ['::', ['localhost', '192.168.1.20', '[2001:db8::20]']],
])('a server that listens on %s is opened at %j', (address, hosts) => {
  expect(hostsToOpen(address, INTERFACES)).toEqual(hosts);
});

test('a machine without any network has localhost', () => {
  expect(hostsToOpen('0.0.0.0', {})).toEqual(['localhost']);
});
