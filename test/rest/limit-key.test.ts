import { expect, test } from 'vitest';
import { getAddressKey } from '../../src/limits/limit-key.ts';
import { createRestCache } from '../../src/rest/cache/rest-cache.ts';

test('thousands of invented tokens share one limit key, and evict no accepted token', () => {
  const cache = createRestCache(0);
  cache.createCredentialCache('Bearer known').markAccepted();
  const own = cache.createCredentialCache('Bearer known').getLimitKey('192.0.2.1');
  const invented = Array.from({ length: 25_000 }, (_, index) =>
    cache.createCredentialCache(`Bearer invented-${index}`),
  );
  const owners = invented.map((credential) => {
    credential.invalidate();
    return credential.getLimitKey('192.0.2.1');
  });
  expect(new Set(owners).size).toBe(1);
  expect(cache.createCredentialCache('Bearer known').getLimitKey('192.0.2.1')).toBe(own);
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::9', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  [undefined, 'unknown address'],
])('requests from %s have the limit key %s', (address, owner) => {
  expect(getAddressKey(address)).toBe(owner);
});
