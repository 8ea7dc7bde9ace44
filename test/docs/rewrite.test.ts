import { expect, test } from 'vitest';
import { formatJson, rewriteJson } from './rewrite.ts';

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
    '{\n  "data": {\n    "list": [{ "n": 1 }, { "n": 2 }],\n    "a": "old"\n  },\n  "milliseconds": 1.9\n}',
  ],
  [
    'another shape',
    { data: { a: null, list: [] } },
    '{\n  "data": {\n    "a": null,\n    "list": []\n  }\n}',
  ],
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
