import { expect, test } from 'vitest';
import { fold, textOrder } from '../../src/lists/text.ts';

test.each([
  ['Noëlle IJZERMAN', 'noelle ijzerman'],
  ['Øster Ærø', 'oster aero'],
  ['Weiß', 'weiss'],
  ['WEISS', 'weiss'],
  ['Łódź', 'lodz'],
  ['Đorđe', 'dorde'],
  ['Œuvre', 'oeuvre'],
  ['İstanbul', 'istanbul'],
  ['ﬁne', 'fine'],
  ['e\u0301', 'e'],
  ['中文', '中文'],
  ['Acme™ №1', 'acmetm no1'],
])('%s is compared as %s', (text, folded) => {
  expect(fold(text)).toBe(folded);
  expect(fold(folded)).toBe(folded);
});

test('what is compared stays as it is when it is folded again, as in a cursor', () => {
  const letters = Array.from({ length: 0x20000 }, (_, code) => String.fromCodePoint(code).toWellFormed());
  expect(letters.filter((letter) => fold(fold(letter)) !== fold(letter))).toEqual([]);
});

test('texts are ordered by the alphabet of the locale, and tie only if they are the same', () => {
  const key = textOrder('nl');
  const compare = (a: string, b: string) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0);
  const names = ["'t hart", '10 b.v.', 'aa', 'bakker', 'de  jong', 'de jong', 'zwart', 'де', '中'];
  expect(names.toReversed().sort(compare)).toEqual(names);
  expect(key('a')).not.toBe(key('b'));
});
