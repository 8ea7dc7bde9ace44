import { expect, test } from 'vitest';
import { KnownShapes, measureJson, sampleJson } from '../../src/rest/client/json-size.ts';
import { valueBytes } from '../../src/rest/json.ts';

const MANY = 'an answer of too many values';
const LONG = 'an answer with too long a text';

/** Where such a body was met before, so that it counts for what its values take. */
function knownFrom(text: string): KnownShapes {
  const known = new KnownShapes();
  for (let time = 0; time < 50; time += 1) sampleJson(Buffer.from(text), known);
  return known;
}

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
  expect((await measureJson(Buffer.from(text), 'owner', knownFrom(text))).excess).toBe(expected);
});

test.each<[string, string, number]>([
  ['text', JSON.stringify(['x'.repeat(1_000)]), 1_004],
  ['a record', '{"id":"300001","name":"Jansen Holding B.V. te Groningen"}', 57],
  ['empty objects', `[${Array(300).fill('{}')}]`, 15_050],
  ['levels', '['.repeat(500) + ']'.repeat(500), 25_000],
  ['members', `{${Array(300).fill('"k":1')}}`, 6_000],
  ['numbers', `[${Array(501).fill(1)}]`, 8_000],
  ['members with numbers for names', `[${Array(200).fill('{"34":1}')}]`, 10_050 + 64_000],
  ['the same, escaped', `[${Array(100).fill('{"\\u00334":1}')}]`, 5_050 + 32_000],
  ['a member with digits in its name', '{"line_34":1,"34th":2}', 50],
])('%s counts as what it takes in memory', async (_what, text, expected) => {
  expect(sampleJson(Buffer.from(text), knownFrom(text)).bytes).toBe(expected);
  expect((await measureJson(Buffer.from(text), 'owner', knownFrom(text))).bytes).toBe(expected);
});

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const inOrder = (turn: number) => {
  const placeOf = (letter: string) => (letter.charCodeAt(0) * turn) % 31;
  return LETTERS.toSorted((one, other) => placeOf(one) - placeOf(other));
};

test.each([
  ['new names', Array.from({ length: 60 }, (_, id) => `{"m${id}":"x","m${id}\\"a":0}`), 118],
  ['other orders', [1, 2, 3, 4, 5].map((turn) => `{${inOrder(turn).map((name) => `"${name}":0`)}}`), 100],
])('objects count more where no body had such before: %s', async (_what, objects, least) => {
  const body = Buffer.from(`[${objects}]`);
  for (const sizeOf of [
    sampleJson,
    (json: Buffer, known: KnownShapes) => measureJson(json, 'owner', known),
  ]) {
    const known = new KnownShapes();
    const { bytes: first } = await sizeOf(body, known);
    const { bytes: second } = await sizeOf(body, known);
    expect(first - second).toBeGreaterThanOrEqual(least * 250);
  }
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

test('a value that is nested deep is counted', () => {
  expect(valueBytes(JSON.parse('['.repeat(5_000) + ']'.repeat(5_000)))).toBe(5_000 * 66 - 16);
});

test.each<[string, string, number]>([
  ['records', `[${Array(2_000).fill('{"id":"300001","name":"Jansen Holding B.V. te Groningen"}')}]`, 116_001],
  ['empty objects', `[${Array(100_000).fill('{}')}]`, 5_000_050],
  ['numbers', `[${Array(100_000).fill(1)}]`, 1_599_984],
])('a long body of %s is counted by samples', (_what, text, expected) => {
  const bytes = sampleJson(Buffer.from(text), knownFrom(text)).bytes;
  expect(bytes).toBeGreaterThan(0.95 * expected);
  expect(bytes).toBeLessThan(1.05 * expected);
});

test.each<[string, string, boolean]>([
  ['records', `[${Array(2_000).fill('{"id":"300001","name":"Jansen Holding B.V. te Groningen"}')}]`, false],
  ['empty objects', `[${Array(20_000).fill('{}')}]`, true],
  ['records of other members', `[${Array.from({ length: 9_000 }, (_, id) => `{"m${id}":"${id}"}`)}]`, true],
  ['more than half a megabyte', `["${'x'.repeat(500_000)}"]`, true],
])('%s are measured before they are parsed, or not', (_what, text, expected) => {
  expect(sampleJson(Buffer.from(text), knownFrom(text)).isSuspect).toBe(expected);
});

test('a text of escaped quotes is not read anew from its start for each of them', () => {
  const body = Buffer.from(`["${'\\":'.repeat(160_000)}"]`);
  // Read from the start, each would be a longer name, which no body had before.
  expect(sampleJson(body, new KnownShapes()).bytes).toBeLessThan(10 * body.length);
});
