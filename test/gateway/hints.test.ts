import { expect, test } from 'vitest';
import { useGateway } from '../support/gateway.ts';

const gateway = await useGateway();

const debtors = (args: string, selection = 'nodes { name }') =>
  `{ debtors(administrationId: "1001"${args}) { ${selection} } }`;

const FORWARD = 'Lists are read forward only: use `first` and `after`.';
const NEXT = 'Lists are read with `first: …`, and the next page with `after: <endCursor of pageInfo>`.';
const ORDER = 'Order by `orderBy: [{ field: INTERNAL_ID, direction: DESC }]`.';
const COUNT = 'Use `totals { count }`.';
const field = (name: string, type = 'DebtorConnection') => `Cannot query field "${name}" on type "${type}".`;
const argument = (name: string, on = 'Query.debtors') => `Unknown argument "${name}" on field "${on}".`;

test.each([
  [debtors('', 'totalCount'), `${field('totalCount')} ${COUNT}`],
  [debtors('', 'total'), `${field('total')} ${COUNT}`],
  ['{ companies { count } }', `${field('count', 'CompanyConnection')} ${COUNT}`],
  [debtors('', 'items { name }'), `${field('items')} The rows are in \`nodes\`.`],
  [
    debtors('', 'bookOpenAmount'),
    `${field('bookOpenAmount')} Ask for it below \`nodes\`: \`nodes { bookOpenAmount }\`.`,
  ],
  [debtors(', last: 5'), `${argument('last')} ${FORWARD}`],
  [debtors(', before: "x"'), `${argument('before')} ${FORWARD}`],
  [
    '{ administration(id: "1") { declarationLines(last: 5) { nodes { id } } } }',
    `${argument('last', 'Administration.declarationLines')} ${FORWARD}`,
  ],
  [debtors(', offset: 100'), `${argument('offset')} ${NEXT}`],
  [debtors(', page: 2'), `${argument('page')} ${NEXT}`],
  [debtors(', limit: 5'), `${argument('limit')} Use \`first\` to say how many rows.`],
  // graphql-js itself would suggest `after`.
  [debtors(', filter: { name: "x" }'), `${argument('filter')} Use \`where: { … }\` to filter.`],
  [debtors(', sort: "name"'), `${argument('sort')} ${ORDER}`],
  [debtors(', order: NAME'), `${argument('order')} ${ORDER}`],
  [debtors(', orderBy: { name: DESC }'), `Field "name" is not defined by type "DebtorOrder". ${ORDER}`],
  [debtors(', orderBy: INTERNAL_ID'), expect.stringMatching(/ Order by `orderBy: /)],
  [debtors(', orderBy: "name"'), expect.stringMatching(/ Order by `orderBy: /)],
  [
    '{ ... @defer { __typename } }',
    'Unknown directive "@defer". Answers are sent whole: leave it out, and ask for what is slow in an operation of its own.',
  ],
  [
    debtors('', 'nodes @stream(initialCount: 1) { name }'),
    expect.stringMatching(/^Unknown directive "@stream"\. Answers are sent whole: /),
  ],
])('a message says what there is instead: %s', async (query, message) => {
  const { errors } = await gateway.query(query);
  expect(errors?.map((error) => error.message)).toContainEqual(message);
  for (const { extensions } of errors ?? []) expect(extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
  expect(gateway.calls()).toEqual([]);
});

test.each([
  // Names of other lists mean nothing on a type that is none.
  ['{ viewer { totalCount } }', 'Cannot query field "totalCount" on type "Viewer".'],
  ['{ administration(id: "1", last: 5) { id } }', 'Unknown argument "last" on field "Query.administration".'],
  [debtors('', 'xyz'), field('xyz')],
  [debtors(', xyz: 1'), argument('xyz')],
  // What is only misspelled keeps the suggestion of graphql-js.
  [
    debtors('', 'nods { name }'),
    'Cannot query field "nods" on type "DebtorConnection". Did you mean "nodes"?',
  ],
  [debtors('', 'nodes { name @includ(if: true) }'), 'Unknown directive "@includ".'],
  [
    debtors('', 'nodes @include(last: 5, if: true) { name }'),
    'Unknown argument "last" on directive "@include".',
  ],
])('other messages stay as they are: %s', async (query, message) => {
  const { errors } = await gateway.query(query);
  expect(errors?.map((error) => error.message)).toContain(message);
});

test('what is right gets no hint, and is run', async () => {
  const query = debtors(
    ', first: 1, orderBy: [{ field: NAME, direction: DESC }]',
    'nodes { name } totals { count }',
  );
  expect((await gateway.query(query)).errors).toBeUndefined();
});
