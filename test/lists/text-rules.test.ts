import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TextRules } from '../../src/lists/text-rules.ts';
import { textSearch } from '../../src/text-search.ts';
import { casesOf } from '../support/search.ts';

const dutch = new TextRules('nl');
const collatorOf = (locale: string) => new Intl.Collator(locale, { sensitivity: 'base' });

describe('texts that are equal', () => {
  test.each([
    ['nl', 'Noëlle', 'NOELLE'],
    ['nl', 'Straße', 'strasse'],
    ['nl', 'Ærø', 'aero'],
    ['nl', 'Łódź', 'lodz'],
    ['nl', 'İstanbul', 'istanbul'],
    ['nl', 'Σίσυφος', 'ΣΙΣΥΦΟΣ'],
    ['nl', 'e\u0301', 'é'],
    ['nl', 'ﬁn', 'fin'],
    ['nl', 'ĳs', 'ijs'],
    ['nl', 'zero\u200bwidth', 'zerowidth'],
    ['nl', 'Ｆｕｌｌ', 'full'],
    ['nl', 'van ‘t Hoff', "VAN 'T HOFF"],
    ['nl', '١٢', '12'],
    ['nl', 'カナ', 'かな'],
    ['nl', '½', '1⁄2'],
    ['nl', 'שלום', 'שלומ'],
    ['da', 'Århus', 'Aarhus'],
    ['da', 'Ǻ', 'aa'],
    ['da', 'Köln', 'KØLN'],
    ['sv', 'Ærø', 'ÄRÖ'],
    ['de-u-co-phonebk', 'Müller', 'MUELLER'],
    ['tr', 'ISPARTA', 'ısparta'],
    ['tr', 'Ödemiş', 'ÖDEMİŞ'],
    ['vi', 'Nguyễn', 'nguyên'],
    ['hr', 'ǆep', 'džep'],
    ['th', 'เก่า', 'เกา'],
  ])('in %s: %s and %s', (locale, one, other) => {
    const rules = new TextRules(locale);
    expect(collatorOf(locale).compare(one, other)).toBe(0);
    expect(rules.fold(one)).toBe(rules.fold(other));
  });
});

test.each([
  ['nl', 'a', 'b'],
  ['nl', '北京', '東京'],
  ['nl', 'a b', 'ab'],
  ['nl', 'a-b', 'ab'],
  ['nl', '😀', '😁'],
  ['nl', 'אב', 'אג'],
  ['sv', 'å', 'a'],
  ['da', 'æ', 'ae'],
  ['tr', 'I', 'i'],
  ['vi', 'ê', 'e'],
  ['th', 'เก', 'กเ'],
])('in %s: %s and %s are not', (locale, one, other) => {
  const rules = new TextRules(locale);
  expect(rules.fold(one)).not.toBe(rules.fold(other));
});

/** All that has case, accents or another form; not each of them, to be quick. */
const CHARACTERS = Array.from({ length: 0x1_0000 }, (_, code) => code)
  .filter((code) => code < 0x250 || code % 3 === 0)
  .map((code) => String.fromCharCode(code))
  .filter((character) => /[^\p{C}\u3400-\u9fff\uac00-\ud7a3]/u.test(character));

test.each(['nl', 'tr', 'sv', 'da', 'th'])(
  'a character is equal to what it is folded to in %s, and almost all that are equal are folded to the same',
  (locale) => {
    const rules = new TextRules(locale);
    const { compare } = collatorOf(locale);
    expect(CHARACTERS.filter((character) => compare(character, rules.fold(character)) !== 0)).toEqual([]);
    const sorted = CHARACTERS.toSorted(compare);
    const differing = sorted.filter((character, index) => {
      const before = sorted[index - 1] ?? '';
      return compare(before, character) === 0 && rules.fold(before) !== rules.fold(character);
    });
    // Letters that Unicode neither takes apart nor puts near their equals, such as those of Old Cyrillic.
    expect(differing.length).toBeLessThan(40);
    expect(differing.filter((character) => character < '\u0530')).toEqual([]);
  },
);

test('the language decides what an accent is', () => {
  const swedish = new TextRules('sv');
  const compare = (rules: TextRules) => Math.sign(rules.compare(rules.fold('å'), rules.fold('z')));
  expect([dutch, swedish].map(compare)).toEqual([-1, 1]);
  expect([dutch, swedish].map((rules) => rules.fold('Åsa').includes('a'))).toEqual([true, true]);
  expect([dutch, swedish].map((rules) => rules.fold('Ås').startsWith('a'))).toEqual([true, false]);
});

/** Letters that contract, reorder, are ignored, stand for others or combine with those beside them. */
const ODD = [
  ..."abeiostuzhwjyABIOSUÅåÄäÆæÖöØøŐÜüßẞıİſŁłñçğĳǆﬁΣσςЙйèéê½⑴١1- '´北かガカｶﾞ한ㄱᄀ\u1161\u11a8เกาำุ่שםम\u093f\u094d😀",
  ...[
    '\u0301',
    '\u0308',
    '\u030a',
    '\u0323',
    '\u0327',
    '\u034f',
    '\u200b',
    '\u200d',
    '\u0344',
    '\ud83d',
    '\ufffd',
  ],
];
const oddText = fc.array(fc.constantFrom(...ODD), { maxLength: 5 }).map((letters) => letters.join(''));

test('texts are folded one by one, and letters that are new before them', () => {
  const rules = new TextRules('nl');
  // An ångström sign is never folded as itself.
  const texts = ['\u212bré', 'Ære', 'plain', 'Ære'];
  const folded = rules.foldAll(texts);
  let steps = 1;
  while (folded.foldNext()) steps += 1;
  expect(steps).toBe(['\u212b', 'é', 'Æ'].length + texts.length);
  expect(folded.texts).toEqual(new Set(['are', 'aere', 'plain']));
  expect(rules.foldAll(texts).foldNext()).toBe(false);
});

describe.each(['en', 'nl', 'da', 'tr', 'de-u-co-phonebk', 'th', 'sv'])('in %s', (locale) => {
  const rules = new TextRules(locale);
  const numRuns = casesOf({ short: 200, long: 20_000 });

  test('texts are equal to eq and in, in one group and at one place of an order, or nowhere', () => {
    fc.assert(
      fc.property(oddText, oddText, oddText, (...texts) => {
        const [a, b, c] = texts.map((text) => rules.fold(text));
        if (a === undefined || b === undefined || c === undefined) throw new Error('there are three');
        expect(rules.fold(a)).toBe(a);
        const wanted = rules.foldAll([texts[0]]);
        while (wanted.foldNext());
        expect(wanted.texts.has(b)).toBe(a === b);
        expect(rules.compare(a, b) === 0).toBe(a === b);
        expect(Math.sign(rules.compare(a, b)) + Math.sign(rules.compare(b, a))).toBe(0);
        if (rules.compare(a, b) <= 0 && rules.compare(b, c) <= 0)
          expect(rules.compare(a, c)).toBeLessThanOrEqual(0);
        expect(textSearch(a)(a) === 0 && a.startsWith(a)).toBe(true);
      }),
      { numRuns },
    );
  });

  test('one is found in the other if both start the same', () => {
    fc.assert(
      fc.property(oddText, oddText, (start, rest) => {
        // What combines with the end of a start is another letter.
        fc.pre(![rest, rules.fold(rest)].some((text) => /^[\p{M}\u1161\u11a8]/u.test(text)));
        expect(rules.fold(start + rest).startsWith(rules.fold(start))).toBe(true);
      }),
      { numRuns },
    );
  });
});

test('long texts are in order too, by their first letters', () => {
  const long = 'é'.repeat(60_000);
  const [a, b] = [`${long}a`, `${long}b`].map((text) => dutch.fold(text));
  expect([dutch.compare(a ?? '', b ?? ''), dutch.compare('b', a ?? '')]).toEqual([-1, -1]);
});

test('a run of marks takes no longer than its length', () => {
  const marks = Array.from({ length: 64 }, (_, index) => String.fromCharCode(0x300 + ((index * 37) % 64)));
  expect(dutch.fold(`a${marks.join('').repeat(5_000)}b`)).toBe('ab');
  // Of these, several count, and what stands between them does not.
  const thai = '\u0e38\u0f71\u0f72\u0f74\u200b'.repeat(50_000);
  expect(dutch.fold(thai)).toHaveLength(30);
});
