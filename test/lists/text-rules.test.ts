import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TextRules } from '../../src/lists/text-rules.ts';
import { casesOf } from '../support/search.ts';

const dutch = new TextRules('nl');

describe('texts that are equal', () => {
  test.each([
    ['Noëlle', 'NOELLE'],
    ['Straße', 'strasse'],
    ['Ærø', 'aero'],
    ['Łódź', 'lodz'],
    ['İstanbul', 'istanbul'],
    ['Σίσυφος', 'ΣΙΣΥΦΟΣ'],
    ['e\u0301', 'é'],
    ['ﬁn', 'fin'],
    ['ĳs', 'ijs'],
    ['zero\u200bwidth', 'zerowidth'],
    ['Ｆｕｌｌ', 'full'],
    ['van ‘t Hoff', "VAN 'T HOFF"],
    ['١٢', '12'],
    ['カナ', 'かな'],
    ['½', '1⁄2'],
  ])('%s and %s are found in each other', (one, other) => {
    expect(dutch.equals(one, other)).toBe(true);
    expect(dutch.fold(one)).toBe(dutch.fold(other));
  });
});

test.each([
  ['a', 'b'],
  ['北京', '東京'],
  ['a b', 'ab'],
  ['a-b', 'ab'],
  ['😀', '😁'],
  ['אב', 'אג'],
])('%s and %s are not', (one, other) => {
  expect(dutch.equals(one, other)).toBe(false);
  expect(dutch.fold(one)).not.toBe(dutch.fold(other));
});

test.each(['nl', 'tr', 'sv'])(
  'characters are folded to the same if and only if they are equal in %s',
  (locale) => {
    const rules = new TextRules(locale);
    const isOdd = (code: number) => (code >= 0xd800 && code < 0xe000) || (code >= 0x3400 && code < 0xa000);
    const characters = Array.from({ length: 0x1_0000 }, (_, code) => code)
      .filter((code) => !isOdd(code) && code % 3 === 0)
      .map((code) => String.fromCharCode(code))
      .sort(rules.compare);
    const differing = characters.filter((character, index) => {
      const before = characters[index - 1] ?? '';
      return rules.equals(before, character) !== (rules.fold(before) === rules.fold(character));
    });
    // Ligatures and numbers in circles that Unicode takes apart beside equal ones that it does not.
    expect(differing.length).toBeLessThan(10);
  },
);

test('the language decides what an accent is', () => {
  const swedish = new TextRules('sv');
  expect([dutch, swedish].map(({ compare }) => Math.sign(compare('å', 'z')))).toEqual([-1, 1]);
  expect([dutch, swedish].map((rules) => rules.equals('å', 'a'))).toEqual([true, false]);
  expect([dutch, swedish].map((rules) => rules.fold('Åsa').includes('a'))).toEqual([true, true]);
  expect([dutch, swedish].map((rules) => rules.fold('Ås').startsWith('a'))).toEqual([true, false]);
});

test('texts that are folded to the same are equal', () => {
  const letter = fc.constantFrom(...'abzAB éÉëßøØłŁæÆœĳïÏñÅÇğıİſﬁΣσς´\u0301\u0308北א😀0١ ');
  const text = fc.array(letter, { maxLength: 4 }).map((letters) => letters.join(''));
  fc.assert(
    fc.property(text, text, (one, other) => {
      if (dutch.fold(one) === dutch.fold(other)) expect(dutch.equals(one, other)).toBe(true);
    }),
    { numRuns: casesOf({ short: 400, long: 2_000 }) },
  );
});

test('a text of many accents takes no memory for good', () => {
  for (let count = 0; count < 20_000; count += 1) dutch.fold(`e${'\u0301'.repeat((count % 30) + 1)}`);
  expect(dutch.fold('Noëlle')).toBe('noelle');
});
