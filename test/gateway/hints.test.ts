import { parseValue, valueFromASTUntyped } from 'graphql';
import { describe, expect, test } from 'vitest';
import { BOTH, useGateway } from '../support/gateway.ts';

const gateway = await useGateway();

const debtors = (args: string, selection = 'nodes { name }') =>
  `{ debtors(administrationId: "1001"${args}) { ${selection} } }`;
const messagesOf = async (query: string, variables?: object) =>
  ((await gateway.query(query, variables)).errors ?? []).map(({ message }) => message);

const FORWARD = 'Lists are read forward only: use `first` and `after`.';
const NEXT = 'Lists are read with `first: …`, and the next page with `after: <endCursor of pageInfo>`.';
const ORDER = 'Order by `orderBy: [{ field: …, direction: DESC }]`.';
const WHOLE = '`@defer` and `@stream` are not supported. Send slow fields in a separate operation.';
const COUNT = 'Use `totals { count }`.';

test.each([
  [debtors('', 'totalCount'), `"totalCount" on type "DebtorConnection". ${COUNT}`],
  [debtors('', 'items { name }'), 'The records are in `nodes`.'],
  [debtors('', 'bookOpenAmount'), 'Ask for it below `nodes`: `nodes { bookOpenAmount }`.'],
  [debtors('', 'aggregate { sum }'), 'Use `totals { … }` below the list: it has `count`, and a `sum`'],
  ['{ administrations { id } }', 'Ask for it below `viewer`: `viewer { administrations { … } }`.'],
  ['{ invoices { id } }', 'The REST service lists no invoices. Their '],
  [debtors('', 'nodes { payments { id } }'), 'those that were deleted: `deletedPayments`'],
  [debtors('', 'nodes { balance }'), '"balance" on type "Debtor". Use `bookOpenAmount`.'],
  [debtors(', last: 5'), FORWARD],
  [debtors(', offset: 100'), NEXT],
  // graphql-js itself would suggest `after`.
  [debtors(', filter: { name: "x" }'), '"filter" on field "Query.debtors". Use `where: { … }` to filter.'],
  [debtors(', name: "x"'), 'Write `where: { name: { … } }`.'],
  [debtors(', sort: "name"'), ORDER],
  [debtors(', orderBy: { name: DESC }'), `Field "name" is not defined by type "DebtorOrder". ${ORDER}`],
  [debtors(', groupBy: NAME'), 'Use `groups(by: …) { … }` below the list.'],
  [debtors('', 'groups(by: NAME, where: { name: { eq: "x" } }) { key }'), 'Put `where` on the list: '],
  [debtors('', 'groups(by: [NAME, CITY]) { key }'), 'Give a second one as `thenBy`.'],
  ['{ debtor(id: "1") { name } }', 'Write `by: { id: … }`.'],
  [
    '{ debtors { nodes { id } } }',
    'To list the administrations of your token, query `viewer { administrations { internalId } }`.',
  ],
  ['mutation { unmarkTaskCompleted(taskId: "1") { task { id } } }', 'Write `input: { taskId: … }`.'],
  ['{ ... @defer { __typename } }', `Unknown directive "@defer". ${WHOLE}`],
  [debtors('', 'nodes @stream(initialCount: 1) { name }'), WHOLE],
])('an error suggests what exists instead: %s', async (query, advice) => {
  const { errors } = await gateway.query(query);
  expect(errors?.map(({ message }) => message)).toContainEqual(expect.stringContaining(advice));
  for (const { extensions } of errors ?? []) expect(extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
  expect(gateway.calls()).toEqual([]);
});

const AMOUNT = 'an Amount as text, with a point and without thousands separators, such as "1000.50".';
const MOMENT = 'a DateTime: ISO 8601 with an offset, such as 2024-05-01T00:00:00Z';
const DIRECTIONS = 'a value of the enum "OrderDirection". It is one of ASC and DESC.';

const readLiteral = (literal: string) => valueFromASTUntyped(parseValue(literal));

describe.each<[argument: string, type: string, literal: string, place: string, reason: string]>([
  ['where', 'DebtorWhere', '{ bookOpenAmount: { gt: 100 } }', 'gt', AMOUNT],
  ['where', 'DebtorWhere', '{ updatedAt: { gt: "2025-01-01" } }', 'gt', MOMENT],
  [
    'where',
    'DebtorWhere',
    '{ name: "x" }',
    'name',
    'an object of type "TextWhere". Write `name: { eq: … }`, or',
  ],
  [
    'where',
    'DebtorWhere',
    '{ peppolEnabled: { eq: "true" } }',
    'eq',
    'a Boolean: true or false, without quotes.',
  ],
  ['orderBy', '[DebtorOrder!]', '"NAME"', 'orderBy', 'an object of type "DebtorOrder". '],
  ['orderBy', '[DebtorOrder!]', '[{ field: NAME, direction: xyzxyz }]', 'direction', DIRECTIONS],
  ['first', 'Int', '"5"', 'first', 'an Int: a whole number up to 2147483647, without quotes.'],
])('`%s` of type %s with %s', (argument, type, literal, place, reason) => {
  test.each([
    ['as a literal', debtors(`, ${argument}: ${literal}`), `\`${place}\` takes ${reason}`],
    ['as a variable', `query ($v: ${type}) ${debtors(`, ${argument}: $v`)}`, `: Expected ${reason}`],
  ])('gets an error with the expected type, %s', async (_how, query, message) => {
    expect(await messagesOf(query, { v: readLiteral(literal) })).toContainEqual(
      expect.stringContaining(message),
    );
  });
});

const CONDITIONS = 'The conditions are eq, in, contains, startsWith and isNull.';
const KEYS = 'Its keys are id, debtorNumber and debtorIdentifier.';
const by = (value: string) => `{ debtor(administrationId: "1001", by: ${value}) { name } }`;
const where = (value: string) => debtors(`, where: ${value}`);
const groups = (value: string) => debtors('', `groups(by: ${value}) { key }`);
const ordered = (value: string) => debtors('', `groups(by: NAME, orderBy: { field: ${value} }) { key }`);

test.each<[string, (value: string) => string, string, string]>([
  ['DebtorWhere', where, '{ name: { like: "x" } }', CONDITIONS],
  ['DebtorWhere', where, '{ name_contains: "x" }', 'Write `name: { contains: … }`.'],
  ['DebtorWhere', where, '{ name_like: "x" }', 'The conditions on `name` are eq, in, '],
  ['DebtorWhere', where, '{ labels: { name: {} } }', 'Write `some: { name: … }`, or `every` or `none`'],
  ['DebtorWhere', where, '{ city: { eq: "x" } }', 'Write `postalAddress: { city: { … } }`.'],
  ['DebtorBy!', by, '{}', KEYS],
  ['DebtorBy!', by, '{ id: "1", debtorNumber: "2" }', KEYS],
  ['DebtorBy!', by, '{ name: "x" }', KEYS],
  ['DebtorGroupField!', groups, 'CITY', 'Did you mean POSTAL_ADDRESS_CITY?'],
  ['DebtorGroupField!', groups, 'LABEL', 'Did you mean LABELS_NAME?'],
  ['DebtorGroupOrderField!', ordered, 'CREDIT_AMOUNT', 'Did you mean CREDIT_LIMIT_AMOUNT_SUM, AUTO'],
])('an error lists what a %s has, for a literal and a variable: %#', async (type, query, literal, advice) => {
  const byLiteral = await messagesOf(query(literal));
  const byVariable = await messagesOf(`query ($v: ${type}) ${query('$v')}`, { v: readLiteral(literal) });
  for (const messages of [byLiteral, byVariable])
    expect(messages).toContainEqual(expect.stringContaining(advice));
});

test('an enum in quotes gets an error that says to omit the quotes', async () => {
  expect(await messagesOf(debtors(', orderBy: { field: "NAME", direction: ASC }'))).toEqual([
    '`field` takes a value of the enum "DebtorOrderField". Write it without quotes.',
  ]);
});

const SECRET = `s3cret${'x'.repeat(50_000)}`;
const refresh = (input: string) => `mutation { refreshAccessToken(input: ${input}) { token { tokenType } } }`;
const byVariable = `mutation ($i: RefreshAccessTokenInput!) { refreshAccessToken(input: $i) { token { tokenType } } }`;
const lines = (args: string) => `{ declarationLines(administrationId: "1", ${args}) { nodes { id } } }`;

test.each<[string, string, object?]>([
  ['a variable with an unknown field', byVariable, { i: { refreshToken: SECRET, extra: 1 } }],
  ['a variable in a list', byVariable, { i: { refreshToken: [SECRET] } }],
  ['a variable in place of an object', byVariable, { i: SECRET }],
  ['a literal without quotes', refresh(`{ refreshToken: ${SECRET} }`)],
  ['a literal in place of an object', refresh(`"${SECRET}"`)],
  ['a literal with an unknown field', refresh(`{ refreshToken: "${SECRET}", extra: 1 }`)],
  ['a literal as an enum', lines(`claimStatus: "${SECRET}"`)],
  ['a literal in a condition', lines(`where: { claim: { eq: { ${SECRET}: "${SECRET}" } } }`)],
  ['a string in place of a name', `{ "${SECRET}" }`],
])('no error repeats the value of %s', async (_what, query, variables) => {
  const { text, errors } = await gateway.query(query, variables, BOTH);
  expect(errors?.length).toBeGreaterThan(0);
  expect(text).not.toContain('s3cret');
  expect(text.length).toBeLessThan(2_000);
  expect(gateway.calls()).toEqual([]);
});
