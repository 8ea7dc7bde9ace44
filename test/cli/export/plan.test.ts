import { describe, expect, test } from 'vitest';
import { planRows } from '../../../src/cli/export/copy-rows.ts';

const list = (rows: string, first = '') => `debtors(administrationId: "1001"${first}) { ${rows} }`;

describe('columns are in the order of the document, with paths through rows of NDJSON', () => {
  test.each([
    ['nodes', list('nodes { id amount: bookOpenAmount postalAddress { city } labels { name } }')],
    ['edges', list('edges { node { id amount: bookOpenAmount postalAddress { city } labels { name } } }')],
    [
      'an administration, fragments and conditions',
      `administration(id: "1001") { ${list('nodes { id @include(if: true) ...F } ').replace('administrationId: "1001"', 'first: 3')} }
       } fragment F on Debtor { amount: bookOpenAmount name @skip(if: true) postalAddress { city } labels { name }`,
    ],
  ])('%s', (_what, selection) => {
    const { columns } = planRows({ query: `{ ${selection} }`, variables: {} });
    expect(columns.map(({ path, type }) => [path.join('/'), type])).toEqual([
      ['id', 'ID'],
      ['amount', 'Amount'],
      ['postalAddress/city', 'String'],
      // A list is joined.
      ['labels/name', undefined],
    ]);
  });
});

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
    'an unknown field',
    '{ debitors { id } }',
    /^Cannot query field "debitors" .* The schema is that of version/,
  ],
  ['no list', '{ __typename }', 'An export takes a query of one list, and nothing beside it'],
  ['a mutation', 'mutation { __typename }', 'An export takes a query of one list, and nothing beside it'],
  [
    'several operations',
    `query A { ${list('nodes { id }')} } query B { __typename }`,
    'Name the operation to run',
  ],
  [
    'a variable that is missing',
    `query ($a: ID!) { debtors(administrationId: $a) { nodes { id } } }`,
    'Variable "$a"',
  ],
])('%s is refused', (_what, query, message) => {
  expect(() => planRows({ query, variables: {} })).toThrow(message);
});
