import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeGlobalId, encodeGlobalId, internalId } from '../../src/schema/fields/global-id.ts';

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const DEBTOR = { type: 'Debtor', administration: '1001', id: '300001' };
const DEBTOR_ID = encoded(['Debtor', '1001', '300001']);

test('a global id is safe in a URL, and leads back to its record', () => {
  expect(encodeGlobalId(DEBTOR)).toBe(DEBTOR_ID);
  const text = fc.string({ unit: 'grapheme' });
  const id = fc.record({ type: fc.stringMatching(/^[A-Z]\w*$/), administration: text, id: text });
  fc.assert(
    fc.property(id, (one) => {
      expect(encodeGlobalId(one)).toMatch(/^[\w-]+$/);
      expect(decodeGlobalId(encodeGlobalId(one))).toEqual(one);
    }),
  );
});

test.each([
  ['empty', ''],
  ["the service's own id", '300001'],
  ['two texts', encoded(['Debtor', '1001'])],
  ['four texts', encoded(['Debtor', '1001', '300001', 'x'])],
  ['a number in it', encoded(['Debtor', '1001', 300_001])],
  ['an object', encoded({ type: 'Debtor' })],
  ['the same written otherwise', Buffer.from('["Debtor", "1001", "300001"]').toString('base64url')],
  ['padded', `${encodeGlobalId({ ...DEBTOR, id: '30000' })}=`],
  ['no JSON', `WyJ${'x'.repeat(9)}`],
  ['a line break behind it', `${DEBTOR_ID}\n`],
])('a global id is nothing that is %s', (_what, text) => {
  expect(decodeGlobalId(text)).toBeNull();
});

test.each([
  ['300001', '300001'],
  [DEBTOR_ID, '300001'],
  // It only looks like a global id.
  ['WyJ4Il0', 'WyJ4Il0'],
])('an id argument takes %s as %s', (given, own) => {
  expect(internalId(given, 'Debtor', 'id')).toBe(own);
  expect(internalId(given, 'Debtor', 'id', '1001')).toBe(own);
});

test.each([
  ['', 'Debtor', '1001', '`id` is empty.'],
  [DEBTOR_ID, 'Task', '1001', '`id` takes the id of a Task, and this is the id of a Debtor.'],
  [DEBTOR_ID, 'Debtor', '1002', '`id` belongs to another administration than the one named beside it.'],
])('an id argument refuses %j for a %s of %s', (given, type, administration, message) => {
  expect(() => internalId(given, type, 'id', administration)).toThrow(message);
});
