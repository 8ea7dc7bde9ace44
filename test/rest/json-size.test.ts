import { expect, test, vi } from 'vitest';
import { excessIn, mayTakeLong } from '../../src/rest/client/json-size.ts';
import { valueBytes } from '../../src/rest/json.ts';

const MANY = 'an answer of too many values';
const NAMES = 'an answer of too many different members';
const LONG = 'an answer with too long a text';

/** Records of so many members, with names that are taken in turn from so many. */
const records = (count: number, size: number, names: number) =>
  JSON.stringify(
    Array.from({ length: count }, (_, row) =>
      Object.fromEntries(
        Array.from({ length: size }, (_item, index) => [`m${(row * size + index) % names}`, 1]),
      ),
    ),
  );
const members = (count: number) => `{${Array(count).fill('"k":1')}}`;

test.each<[string, string, string | undefined]>([
  ['a list of numbers', `[${Array(500_000).fill(1)}]`, undefined],
  ['too many numbers', `[${Array(500_001).fill(1)}]`, MANY],
  ['lists', '[]'.repeat(100_000), undefined],
  ['too many lists', '[]'.repeat(100_001), MANY],
  ['too many levels', '['.repeat(100_001), MANY],
  ['members', members(99_999), undefined],
  ['too many members', members(100_000), MANY],
  ['a text that looks like values', `"${'{"k":1},['.replaceAll('"', '\\"').repeat(100_000)}"`, LONG],
  ['texts that look like values', `[${Array(20).fill(`"${',:[{'.repeat(100_000)}"`)}]`, undefined],
  ['a text of a megabyte', `["${'x'.repeat(999_999)}"]`, undefined],
  ['a longer text', `["${'x'.repeat(1_000_001)}"]`, LONG],
  ['a longer key', `{"${'x'.repeat(1_000_001)}":1}`, LONG],
  ['escaped quotes that end no text', `["${'\\"'.repeat(500_001)}"]`, LONG],
  [
    'escaped backslashes before the end of a text',
    `[${Array(9).fill(`"${'\\\\'.repeat(100_000)}"`)}]`,
    undefined,
  ],
  ['records of many names', records(500, 190, 190), undefined],
  ['combinations of too many names', records(2_200, 20, 9_900), MANY],
  ['too many names', `{${Array.from({ length: 10_001 }, (_, id) => `"m${id}":1`)}}`, NAMES],
  ['a text without an end', `"${'x'.repeat(1_000_001)}`, LONG],
])('%s', async (_what, text, expected) => {
  expect(await excessIn(Buffer.from(text), async () => true)).toBe(expected);
});

test.each<[string, unknown, number]>([
  ['texts', ['x'.repeat(1_000)], 1_066],
  ['a record', { id: '300001', name: 'Jansen' }, 102],
  ['levels', [[[[]]]], 248],
  ['numbers', Array(1_000).fill(1), 16_050],
  ['members with numbers for names', Array(1_000).fill({ 34: 1 }), 386_050],
])('a value of %s counts as what it takes in memory', (_what, value, expected) => {
  expect(valueBytes(Object(value))).toBe(expected);
});

test('names that are new to a value count, each once', () => {
  const rows = [
    { a: 1, b: 2 },
    { a: 1, c: 3 },
  ];
  expect(valueBytes(rows, new Set()) - valueBytes(rows)).toBe(3 * 250);
});

test('a value that is nested deep is counted', () => {
  expect(valueBytes(JSON.parse('['.repeat(5_000) + ']'.repeat(5_000)))).toBe(5_000 * 66 - 16);
});

test.each<[string, string, boolean]>([
  ['records', `[${Array(2_000).fill('{"id":"300001","name":"Jansen Holding B.V. te Groningen"}')}]`, false],
  ['empty objects', `[${Array(50_000).fill('{}')}]`, false],
  ['records of other members', `[${Array.from({ length: 9_000 }, (_, id) => `{"m${id}":"${id}"}`)}]`, true],
  ['more than half a megabyte', `["${'x'.repeat(500_000)}"]`, true],
])('%s are measured before they are parsed, or not', (_what, text, expected) => {
  expect(mayTakeLong(Buffer.from(text))).toBe(expected);
});

test('a text of escaped quotes is looked at in linear time', () => {
  // Read from the start, each would be a longer name than the one before.
  expect(mayTakeLong(Buffer.from(`["${'\\":'.repeat(160_000)}"]`))).toBe(false);
});

test.each([
  ['colons', ':'.repeat(600_000)],
  ['escaped quotes outside of texts', String.raw`\"\\":`.repeat(100_000)],
])('%s take no longer than other bytes: names are read once', async (_what, text) => {
  const read = vi.spyOn(Math, 'imul');
  await excessIn(Buffer.from(text), async () => true);
  expect(read.mock.calls.length).toBeLessThanOrEqual(text.length);
  read.mockClear();
  mayTakeLong(Buffer.from(text.slice(0, 400_000)));
  expect(read.mock.calls.length).toBeLessThan(32 * 256 * 100);
  read.mockRestore();
});

test('names are told apart by all of their text', async () => {
  const names = Array.from({ length: 10_001 }, (_, id) => `"${id}${'x'.repeat(200)}":1`);
  expect(await excessIn(Buffer.from(`{${names}}`), async () => true)).toBe(NAMES);
});
