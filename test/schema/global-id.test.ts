import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeGlobalId, encodeGlobalId, internalId } from '../../src/schema/fields/global-id.ts';

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const DEBTOR = { type: 'Debtor', administration: '1001', id: '300001' };

describe('a global id', () => {
  test('is opaque, and leads back to its record', () => {
    expect(encodeGlobalId(DEBTOR)).toBe(encoded(['Debtor', '1001', '300001']));
    expect(decodeGlobalId(encodeGlobalId(DEBTOR))).toEqual(DEBTOR);
  });

  test('is safe in a URL, and another for every record', () => {
    const text = fc.string({ unit: 'grapheme' });
    const id = fc.record({ type: fc.stringMatching(/^[A-Z]\w*$/), administration: text, id: text });
    fc.assert(
      fc.property(id, id, (one, other) => {
        expect(encodeGlobalId(one)).toMatch(/^[\w-]+$/);
        expect(decodeGlobalId(encodeGlobalId(one))).toEqual(one);
        expect(encodeGlobalId(one) === encodeGlobalId(other)).toBe(
          JSON.stringify([one.type, one.administration, one.id]) ===
            JSON.stringify([other.type, other.administration, other.id]),
        );
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
    ['a line break behind it', `${encodeGlobalId(DEBTOR)}\n`],
  ])('is nothing that is %s', (_what, text) => {
    expect(decodeGlobalId(text)).toBeNull();
  });
});

describe('an id argument', () => {
  test.each([
    ["the service's own id", '300001'],
    ['a global id', encodeGlobalId(DEBTOR)],
  ])('takes %s', (_what, given) => {
    expect(internalId(given, 'Debtor', 'id')).toBe('300001');
    expect(internalId(given, 'Debtor', 'id', '1001')).toBe('300001');
  });

  test('takes a text that only looks like a global id as it is', () => {
    expect(internalId('WyJ4Il0', 'Debtor', 'id')).toBe('WyJ4Il0');
  });

  test.each([
    ['nothing', '', 'Debtor', '1001', '`id` is empty.'],
    [
      'the id of another type',
      encodeGlobalId(DEBTOR),
      'Task',
      '1001',
      '`id` takes the id of a Task, and this is the id of a Debtor.',
    ],
    [
      'the id of another administration',
      encodeGlobalId(DEBTOR),
      'Debtor',
      '1002',
      '`id` belongs to another administration than the one named beside it.',
    ],
  ])('refuses %s', (_what, given, type, administration, message) => {
    expect(() => internalId(given, type, 'id', administration)).toThrow(message);
  });
});
