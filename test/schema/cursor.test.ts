import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeCursor, encodeCursor } from '../../src/schema/fields/cursor.ts';

const encoded = (text: string) => Buffer.from(text).toString('base64url');
const rows = (...texts: string[]) => texts.map(encoded).join('.');

test.each([
  [{ part: null, cursor: '300001' }, encoded(':300001')],
  [{ part: 0, cursor: '300001' }, encoded('0:300001')],
  [{ part: 12, cursor: 'é:x' }, encoded('12:é:x')],
  [{ part: null, cursor: 'two\nlines' }, encoded(':two\nlines')],
  [{ part: null, cursor: '300001', before: [] }, rows(':', '300001')],
  [{ part: null, cursor: '9', before: ['8', '7'] }, rows(':', '9', '8', '7')],
  [{ part: 12, cursor: 'é', before: ['€'] }, rows('12:', 'é', '€')],
])('the place %j is the cursor %s, and back', (position, text) => {
  expect(encodeCursor(position)).toBe(text);
  expect(decodeCursor(text)).toEqual(position);
});

test('a cursor is safe in a URL, and leads back to its place', () => {
  const id = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
  const position = { part: fc.option(fc.integer({ min: 0, max: 999_999 })), cursor: id };
  const rowsBefore = { before: fc.array(id, { maxLength: 2 }) };
  fc.assert(
    fc.property(fc.oneof(fc.record(position), fc.record({ ...position, ...rowsBefore })), (place) => {
      const text = encodeCursor(place);
      expect(text).toMatch(/^[\w.-]+$/);
      expect(decodeCursor(text)).toEqual(place);
    }),
  );
});

test('a cursor of long ids names as many rows before its own as fit into 1,000 characters', () => {
  const named = (length: number) => {
    const [cursor, ...before] = ['a', 'b', 'c'].map((character) => character.repeat(length));
    const text = encodeCursor({ part: null, cursor: cursor ?? '', before });
    const { before: kept } = decodeCursor(text);
    return { count: kept?.length, isShort: text.length <= 1000 };
  };
  expect(named(240)).toEqual({ count: 2, isShort: true });
  expect(named(250)).toEqual({ count: 1, isShort: true });
  expect(named(400)).toEqual({ count: 0, isShort: true });
  expect(named(900)).toEqual({ count: 0, isShort: false });
});

test.each([
  ['an empty text', ''],
  ['a word', 'nonsense'],
  ["the service's own cursor", '300001'],
  ['a part that is no number', encoded('x:300001')],
  ['a part that is negative', encoded('-1:300001')],
  ['a part of seven digits', encoded('1000000:300001')],
  ['a part with a leading zero', encoded('00:300001')],
  ['no row', encoded('0:')],
  ['no colon', encoded('300001')],
  ['padding', `${encoded('0:30000')}=`],
  ['a space behind it', `${encoded('0:300001')} `],
  ['more rows than a cursor names', rows(':', '4', '3', '2', '1')],
  ['an empty row', `${rows(':', '4')}.`],
  ['no row behind its part', `${encoded(':')}.`],
  ['another mark', rows('^', '4')],
  ['a row in its part', rows(':5', '4')],
  ['bytes that are no UTF-8', Buffer.from([0x30, 0x3a, 0xff]).toString('base64url')],
])('what has %s is refused', (_what, text) => {
  expect(() => decodeCursor(text)).toThrow('`after` is not a cursor that this gateway gave');
});
