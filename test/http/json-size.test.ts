import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonSize } from '../../src/request/json-size.ts';
import { anyCharacter } from '../support/characters.ts';
import { casesOf } from '../support/search.ts';

const brackets = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const DEEP = 'is nested more than 32 levels deep';
const MANY = 'holds more than 100000 values';
const DIFFERENT = 'has more than 2000 different members';

/** Objects with members of these names. */
const objects = (...names: readonly (readonly string[])[]) =>
  `[${names.map((each) => `{${each.map((name) => `"${name}":1`).join()}}`).join()}]`;
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);
/** The same names in another order. */
const rotated = (names: readonly string[], by: number) => [...names.slice(by), ...names.slice(0, by)];

describe('JSON is bounded', () => {
  test.each<[what: string, text: string, excess: string | undefined]>([
    ['32 levels', brackets(32), undefined],
    ['33 levels', brackets(33), DEEP],
    ['33 levels of objects', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`, DEEP],
    ['33 levels that are never closed', '['.repeat(33), DEEP],
    ['33 lists beside each other', `[${'[],'.repeat(32)}[]]`, undefined],
    ['99,998 values in a list', `[${'1,'.repeat(99_997)}1]`, undefined],
    ['99,999 values in a list', `[${'1,'.repeat(99_998)}1]`, undefined],
    ['100,000 values in a list', `[${'1,'.repeat(99_999)}1]`, MANY],
    ['50,001 empty lists in a list', `[${'[],'.repeat(50_000)}[]]`, MANY],
    ['50,001 empty objects in a list', `[${'{},'.repeat(50_000)}{}]`, MANY],
    ['2,000 members of an object', objects(numbered(2_000)), undefined],
    ['2,001 members of an object', objects(numbered(2_001)), DIFFERENT],
    ['2,001 objects with members of their own', objects(...numbered(2_001).map((name) => [name])), DIFFERENT],
    ['20,000 objects that are alike', objects(...numbered(20_000).map(() => ['id', 'read'])), undefined],
    [
      'objects with the same 30 names, each in an order of its own',
      objects(...numbered(90).map((_, index) => rotated(index < 30 ? numbered(30) : numbered(60), index))),
      DIFFERENT,
    ],
    ['objects in objects that are alike', `[${'{"a":{"b":1,"c":[{"d":1}]}},'.repeat(5_000)}1]`, undefined],
    ['100,000 commas in a string', JSON.stringify(','.repeat(100_000)), undefined],
    ['33 brackets behind an escaped quote in a string', `"\\"${'['.repeat(33)}"`, undefined],
    ['33 levels behind a string that ends with a backslash', `["\\\\",${brackets(33)}]`, DEEP],
  ])('%s', (_what, text, excess) => {
    expect(jsonSize(text).violation).toBe(excess);
  });
});

describe('JSON within its bounds passes', () => {
  test('whatever its strings hold', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8, stringUnit: anyCharacter }), (text) => {
        expect(jsonSize(text).violation).toBeUndefined();
      }),
      { numRuns: casesOf({ short: 6, long: 30 }) },
    );
  });

  test.each(['[[[[[[{{{{{,,,,,\\', '"', '\\"\\\\', `${'["'.repeat(40)}`])(
    'where all its brackets are in a string: %s',
    (inside) => {
      expect(jsonSize(JSON.stringify({ a: inside.repeat(20_000) })).violation).toBeUndefined();
    },
  );

  test.each(['{"a', '"\\', '"\\"', ']]]]', ''])('though it is no JSON: %j', (text) => {
    expect(jsonSize(text).violation).toBeUndefined();
  });
});
