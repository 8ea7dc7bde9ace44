import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitArray } from '../../src/request/split-array.ts';

const NOT_JSON = 'The body is not a JSON array.';

test.each([
  ['[1]', ['1']],
  ['\uFEFF\n [ {"a":1} ,\t{"b":[1,2]} ] \n', ['{"a":1}', '{"b":[1,2]}']],
  ['["a,]","b\\"],[","\\\\"]', ['"a,]"', '"b\\"],["', '"\\\\"']],
  // What is wrong in an entry is left to whoever parses it.
  ['[{"a":},{}]', ['{"a":}', '{}']],
  ['[{},\u00A0{}]', ['{}', '\u00A0{}']],
])('%j has the entries %j', (text, entries) => {
  expect(splitArray(text, 10)).toEqual(entries);
});

test.each([
  ['[', NOT_JSON],
  ['[{}', NOT_JSON],
  ['[{}}', NOT_JSON],
  // Nobody knows where such an entry ends.
  ['[{"a":]},{}]', NOT_JSON],
  ['[{"a":,{}]', NOT_JSON],
  ['[1] 2', NOT_JSON],
  ['[1][2]', NOT_JSON],
  ['["a', NOT_JSON],
  // Nothing of it may run: it is no JSON as a whole.
  ['[{},]', NOT_JSON],
  ['[,{}]', NOT_JSON],
  ['[{},,{}]', NOT_JSON],
  ['[]', 'The array has no operations.'],
  ['[ \n ]', 'The array has no operations.'],
  ['[1,2,3,4]', 'The array has more than 3 operations. Send at most 3 in one request.'],
  [`[${'1,'.repeat(90_000)}`, 'The array has more than 3 operations. Send at most 3 in one request.'],
  [`[${'1,'.repeat(400_000)}`, 'The body holds more than 100000 values.'],
  [
    `[{"a":[${'1,'.repeat(60_000)}1]},{"a":[${'1,'.repeat(60_000)}1]}]`,
    'The body holds more than 100000 values.',
  ],
])('what is no array, or one that is empty or too long, is refused (%#)', (text, message) => {
  expect(() => splitArray(text, 3)).toThrow(message);
});

test('entries are those of JSON.parse', () => {
  const json = fc.array(fc.jsonValue(), { minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(json, fc.constantFrom(0, 1, 4), (values, indent) => {
      const entries = splitArray(JSON.stringify(values, null, indent), values.length);
      expect(entries.map((entry) => JSON.parse(entry))).toEqual(JSON.parse(JSON.stringify(values)));
    }),
  );
});
