import { expect, test } from 'vitest';
import { formatJson, rewriteJson, rewriteLines } from './rewrite.ts';

const SHOWN = `{
  "data": { "a": "old",
    "list": [{ "n": 1 }, { "n": 2 }] },
  "milliseconds": 1.9
}`;

test.each([
  ['equal', { data: { a: 'old', list: [{ n: 1 }, { n: 2 }] }, milliseconds: 1.9 }, SHOWN],
  [
    'other values',
    { data: { a: 'new "x": {}', list: [{ n: 30 }, { n: null }] }, milliseconds: 1.9 },
    SHOWN.replace('"old"', '"new \\"x\\": {}"').replace('1 }', '30 }').replace('2 }', 'null }'),
  ],
  [
    'another order of keys',
    { data: { list: [{ n: 1 }, { n: 2 }], a: 'old' }, milliseconds: 1.9 },
    '{ "data": { "list": [{ "n": 1 }, { "n": 2 }], "a": "old" }, "milliseconds": 1.9 }',
  ],
  ['another shape', { data: { a: null, list: [] } }, '{ "data": { "a": null, "list": [] } }'],
])('an answer with %s', (_what, answer, text) => {
  expect(rewriteJson(SHOWN, answer)).toBe(text);
  expect(JSON.parse(rewriteJson(SHOWN, answer))).toEqual(answer);
});

test('what differs at each run stays as it was shown', () => {
  const answer = { data: { a: 'old', list: [{ n: 1 }, { n: 2 }] }, milliseconds: 77 };
  expect(rewriteJson(SHOWN, answer, ['milliseconds'])).toBe(SHOWN);
});

test('a list is on lines of its own where it is too long for one', () => {
  const list = Array.from({ length: 20 }, (_, n) => ({ n, name: 'x'.repeat(n) }));
  const lines = formatJson({ data: { list } }).split('\n');
  expect(lines.length).toBe(20 + 6);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(120);
});

test('lines that differ in what is different at each run stay as they were shown', () => {
  const steady = (line: string) => line.replace(/\d+ ms/, 'some ms');
  expect(rewriteLines('a: 12 ms\nb: 2', 'a: 99 ms\nb: 3\nc', steady)).toBe('a: 12 ms\nb: 3\nc');
});
