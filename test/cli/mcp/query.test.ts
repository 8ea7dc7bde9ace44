import { printSchema } from 'graphql';
import { describe, expect, test } from 'vitest';
import { prepareQuery } from '../../../src/cli/mcp/query.ts';
import { createVisibleSchema } from '../../../src/cli/mcp/visible-schema.ts';

const schema = createVisibleSchema(['DeclarationLine']);
const debtors = (fields: string, args = '') => `{ debtors(administrationId: "1"${args}) { ${fields} } }`;

function problemsOf(run: () => unknown): string {
  try {
    run();
    return '';
  } catch (thrown) {
    return String(thrown instanceof AggregateError ? thrown.errors : thrown);
  }
}

test.each([
  ['a mutation', 'mutation { createClientCredentialsToken { token { id } } }', 'Only queries'],
  ['a subscription', 'subscription { changes(administrationId: "1") { kind } }', 'Remove the subscription.'],
  ['a mutation next to a query', 'query A { __typename } mutation B { __typename }', 'Remove the mutation.'],
  ['a wrong field', debtors('nodes { city }'), '`postalAddress { city }`'],
  [
    'a wrong variable',
    'query A($n: Int) { debtors(administrationId: "1", first: $n) { totals { count } } }',
    'an Int',
  ],
  ['introspection', '{ __schema { description } }', 'introspection'],
  ['a query for other credentials', '{ companies { nodes { name } } }', 'companies'],
  [
    'health-care data',
    '{ declarationLines(administrationId: "1") { totals { count } } }',
    'declarationLines',
  ],
  [
    'health-care data by its id',
    '{ node(id: "x") { ... on DeclarationLine { amount } } }',
    'DeclarationLine',
  ],
  ['no query', '{', 'Syntax Error'],
])('mcp rejects %s', (_what, query, message) => {
  expect(problemsOf(() => prepareQuery(schema, query, { n: 'x' }, 'A'))).toContain(message);
});

describe('mcp requests at most 50 rows of a list', () => {
  test.each([
    ['', {}],
    [', first: 51', {}],
    [', first: $n', {}],
    [', first: $n', { n: 51 }],
    [', first: $n', { n: null }],
    [', first: $withDefault', {}],
  ])('with (%s) and %j', (args, variables) => {
    const variable = ['n: Int', 'withDefault: Int = 500'].find((one) =>
      args.includes(`$${one.split(':')[0]}`),
    );
    const query = `query Q${variable ? `($${variable})` : ''} ${debtors('nodes { id }', args)}`;
    expect(prepareQuery(schema, query, variables).query.replace(/\s+/g, ' ')).toBe(
      'query Q { debtors(administrationId: "1", first: 50) { nodes { id } } }',
    );
  });

  test('in nested lists, groups and fragments, and keeps lower limits', () => {
    const query = `query A($n: Int, $few: Int) {
      administration(id: "1") { ...Lists debtors(first: $few) { groups(by: NAME, first: $n) { key } } }
      other: debtors(administrationId: "1", first: 3, where: { paymentBehaviour: { eq: $n } }) { nodes { id } }
    }
    query B { __typename }
    fragment Lists on Administration { deletedPayments(first: 9999) { nodes { id } } }`;
    const variables = { n: 60, few: 2 };
    const sent = prepareQuery(schema, query, variables, 'A');
    expect(sent.query.match(/first: [$\w]+/g)).toEqual(['first: $few', 'first: 50', 'first: 3', 'first: 50']);
    expect(sent.query).toMatch(/^query A\(\$n: Int, \$few: Int\)/);
    expect(sent.query).not.toContain('query B');
    expect(sent).toMatchObject({ variables, operationName: 'A' });
  });
});

test('the schema of mcp has no mutations or subscriptions', () => {
  expect(printSchema(schema)).not.toMatch(
    /Mutation|Subscription|Payload|ChangeKind|[Dd]eclarationLine|CLAIM/,
  );
});

test.each([
  ['Debtor.remark', 'nodes { remark }', ''],
  ['Debtor.remark', 'totals { count }', ', where: { or: [{ remark: { isNull: true } }] }'],
  ['Debtor.remark', 'totals { count }', ', where: $where'],
  ['Debtor.remark', 'groups(by: REMARK) { key }', ''],
  ['Address.city', 'nodes { postalAddress { city } }', ''],
  ['Address.city', 'totals { count }', ', where: { postalAddress: { city: { eq: "x" } } }'],
  ['Debtor.postalAddress', 'nodes { id }', ', orderBy: [{ field: POSTAL_ADDRESS_CITY }]'],
  ['Debtor.bookOpenAmount', 'totals { bookOpenAmount { sum } }', ''],
  ['Debtor.debtorNumber', 'nodes { id }', ', debtorNumbers: ["D1"]'],
  ['Debtor.updatedAt', 'nodes { id }', ', updatedAfter: "2026-01-01T00:00:00Z"'],
  ['Label', 'nodes { labels { name } }', ''],
])('mcp --omit %s rejects { %s } of (%s)', (omitted, fields, args) => {
  const variable = args.includes('$') ? '($where: DebtorWhere)' : '';
  const query = `query Q${variable} ${debtors(fields, args)}`;
  const variables = { where: { not: { remark: { isNull: true } } } };
  expect(problemsOf(() => prepareQuery(schema, query, variables))).toBe('');
  expect(problemsOf(() => prepareQuery(createVisibleSchema([omitted]), query, variables))).not.toBe('');
});
