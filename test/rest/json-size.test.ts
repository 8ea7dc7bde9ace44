import { expect, test } from 'vitest';
import { excessOf } from '../../src/rest/client/json-size.ts';

const MANY = 'an answer of too many values';
const LONG = 'an answer with too long a text';

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
  ['a text without an end', `"${'x'.repeat(1_000_001)}`, LONG],
])('%s', async (_what, text, expected) => {
  expect(await excessOf(Buffer.from(text))).toBe(expected);
});
