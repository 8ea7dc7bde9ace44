import { describe, expect, test } from 'vitest';
import { checkAddress } from '../../../src/cli/doctor/connection.ts';
import { addressIn } from '../../../src/cli/doctor/credentials.ts';

describe('the address that connections leave from', () => {
  test.each([
    ['127.0.0.1', 'skipped'],
    ['127.8.0.1', 'skipped'],
    ['::1', 'skipped'],
    ['10.1.2.3', 'warned'],
    ['172.16.0.1', 'warned'],
    ['172.31.255.255', 'warned'],
    ['172.32.0.1', 'passed'],
    ['192.168.1.20', 'warned'],
    ['100.64.0.1', 'warned'],
    ['169.254.1.1', 'warned'],
    ['fd12:3456::1', 'warned'],
    ['fe80::1', 'warned'],
    ['203.0.113.7', 'passed'],
    ['2001:db8::7', 'passed'],
  ])('%s is named: %s', (address, outcome) => {
    const finding = checkAddress(address);
    expect(finding).toMatchObject({ check: 'address', outcome });
    expect(finding.message).toContain(address);
    if (outcome !== 'skipped') expect(`${finding.message} ${finding.advice}`).toContain('allow list');
  });
});

test.each([
  ['The application does not allow requests from 127.0.0.1; the token is revoked.', '127.0.0.1'],
  ['Address 203.0.113.7.', '203.0.113.7'],
  ['Not allowed: 2001:db8::7, sorry', '2001:db8::7'],
  ['(::1)', '::1'],
  ['ip="203.0.113.7"', '203.0.113.7'],
  ['Version 1.2.3 refuses you: 999.1.1.1', undefined],
  ['At 12:30:00 nothing was allowed.', undefined],
  ['', undefined],
])('in %j the address is %s', (text, address) => {
  expect(addressIn(text)).toBe(address);
});
