import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeCursor, encodeCursor } from '../../src/schema/cursor.ts';

const encoded = (text: string) => Buffer.from(text).toString('base64url');

test.each([
  [{ part: null, cursor: '300001' }, encoded(':300001')],
  [{ part: 0, cursor: '300001' }, encoded('0:300001')],
  [{ part: 12, cursor: 'é:x' }, encoded('12:é:x')],
  [{ part: null, cursor: 'two\nlines' }, encoded(':two\nlines')],
])('the place %j is the cursor %s, and back', (position, text) => {
  expect(encodeCursor(position)).toBe(text);
  expect(decodeCursor(text)).toEqual(position);
});

test('a cursor is safe in a URL, and leads back to its place', () => {
  const position = fc.record({
    part: fc.option(fc.integer({ min: 0, max: 999_999 })),
    cursor: fc.string({ unit: 'grapheme', minLength: 1 }),
  });
  fc.assert(
    fc.property(position, (place) => {
      const text = encodeCursor(place);
      expect(text).toMatch(/^[\w-]+$/);
      expect(decodeCursor(text)).toEqual(place);
    }),
  );
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
  ['bytes that are no UTF-8', Buffer.from([0x30, 0x3a, 0xff]).toString('base64url')],
])('what has %s is refused', (_what, text) => {
  expect(() => decodeCursor(text)).toThrow('`after` is not a cursor that this gateway gave');
});
