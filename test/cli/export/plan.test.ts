import { expect, test } from 'vitest';
import { planRows } from '../../../src/cli/export/plan-rows.ts';

const list = (rows: string, first = '') => `debtors(administrationId: "1001"${first}) { ${rows} }`;

test.each([
  ['none', '', '', Number.POSITIVE_INFINITY],
  ['a number', '', ', first: 7', 7],
  ['a variable', 'query ($n: Int)', ', first: $n', 3],
  ['the default of a variable', 'query ($other: Int = 5)', ', first: $other', 5],
  ['a variable that is not given', 'query ($other: Int)', ', first: $other', Number.POSITIVE_INFINITY],
])('the most rows are known from `first`: %s', (_what, head, first, limit) => {
  const query = `${head} { ${list('nodes { id }', first)} }`;
  expect(planRows({ query, variables: { n: 3 } }).limit).toBe(limit);
});

test.each([
  ['half a query', '{ debtors(', 'Syntax Error: Expected Name, found <EOF>. At line 1, column 11.'],
  [
    'an unknown list',
    '{ debters { id } }',
    /^Cannot query field "debters" .* Did you mean .*"debtors".*VALIDATION/,
  ],
  [
    'names of other services, each of them',
    `{ ${list('totalCount nodes { email nme }', ', limit: 3')} }`,
    /Use `first` to .*\n.*Use `totals { count }`.*\n.*Use `primaryEmailAddress`.*\n.*Did you mean "name".*\nThe schema is/,
  ],
  [
    'several operations',
    `query A { ${list('nodes { id }')} } query B { __typename }`,
    'Name the operation to run',
  ],
])('%s is refused in the words of the gateway', (_what, query, message) => {
  expect(() => planRows({ query, variables: {} })).toThrow(message);
});
