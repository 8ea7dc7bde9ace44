import { describe, expect, test } from 'vitest';
import { ADMINISTRATION, BOTH, freshGateway, useGateway } from '../support/gateway.ts';
import { cursorOf, globalId } from '../support/ids.ts';
import { times } from '../support/times.ts';
import { expectRefused } from './support.ts';

const gateway = await useGateway();

const IN = `administrationId: "${ADMINISTRATION}"`;

describe('`first`', () => {
  const RANGE = '`first` takes a number from 1 to 10000.';

  test.each([
    `debtors(${IN}, first: 10001) { nodes { name } }`,
    `debtors(${IN}, first: 0) { nodes { name } }`,
    `administration(id: "${ADMINISTRATION}") { debtors(first: 99999) { nodes { name } } }`,
  ])('outside its range is an error that names the range, before any limit of calls: %s', async (field) => {
    const answer = await gateway.query(`{ ${field} }`, {}, BOTH);
    expectRefused(gateway, answer);
    expect(answer.errors).toMatchObject([{ message: RANGE }]);
  });

  test('is limited by MAX_FIRST', async () => {
    const small = await freshGateway({ gateway: { maxFirst: 200 } });
    const answer = await small.query(`query ($n: Int) { debtors(${IN}, first: $n) { nodes { name } } }`, {
      n: 201,
    });
    expect(answer.errors).toMatchObject([{ message: '`first` takes a number from 1 to 200.' }]);
  });

  test('is 100 if it is null or not set, or a variable that is not set', async () => {
    await gateway.query(`{ debtors(${IN}, first: null) { nodes { name } } }`);
    await gateway.query(`{ debtors(${IN}) { nodes { name } } }`);
    await gateway.query(`query ($toString: Int) { debtors(${IN}, first: $toString) { nodes { name } } }`);
    expect(gateway.calls()).toMatchObject(times(3, () => ({ per_page: '100' })));
  });
});

describe('a list of values', () => {
  test.each([
    ['[ID!]', `debtors(${IN}, ids: $values) { nodes { id } }`, '`ids` takes at most 10000 values.'],
    [
      '[String!]',
      `declarationLines(${IN}, invoiceIdentifiers: $values) { nodes { id } }`,
      '`invoiceIdentifiers` takes at most 10000 values.',
    ],
    ['[ID!]!', 'nodes(ids: $values) { id }', '`ids` takes at most 10000 ids at a time.'],
  ])('is rejected before a call if it is too long: %s of %s', async (type, field, message) => {
    const answer = await gateway.query(`query ($values: ${type}) { ${field} }`, {
      values: times(10_001, String),
    });
    expectRefused(gateway, answer);
    expect(answer.errors).toMatchObject([{ message }]);
  });

  test.each([
    `debtor(${IN}, by: { id: "1,2" }) { name }`,
    `debtor(${IN}, by: { debtorIdentifier: "a,b" }) { name }`,
    `debtors(${IN}, ids: ["${globalId('Debtor', '1,2')}"]) { nodes { id } }`,
    `debtors(${IN}, debtorNumbers: ["D1", "D1,D2"]) { nodes { id } }`,
    `declarationLines(${IN}, invoiceIdentifiers: ["1,2"]) { nodes { id } }`,
  ])('cannot contain a comma or an empty value: %s', async (field) => {
    expectRefused(gateway, await gateway.query(`{ ${field} }`));
  });

  test.each([
    'debtors(administrationId: "1001", ids: [])',
    'declarationLines(administrationId: "1001", invoiceIdentifiers: [])',
  ])('returns no rows without a call if it is empty: %s', async (field) => {
    const { data } = await gateway.query(
      `{ list: ${field} { nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
    );
    const pageInfo = { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null };
    expect(data).toEqual({ list: { nodes: [], pageInfo } });
    expect(gateway.calls()).toEqual([]);
  });
});

describe('a DateTime argument', () => {
  const byVariable = `query ($moment: DateTime) { debtors(${IN}, updatedAfter: $moment) { nodes { id } } }`;
  const asLiteral = (moment: unknown) =>
    `{ debtors(${IN}, updatedAfter: ${JSON.stringify(moment)}) { nodes { id } } }`;

  test.each([
    ['2024-05-01T01:30:00+02:00', '2024-04-30T23:30:00Z'],
    ['2024-05-01T02:00:00.123456789+02:00', '2024-05-01T00:00:00.123456789Z'],
    ['2024-05-01t00:00:00z', '2024-05-01T00:00:00Z'],
  ])('%s is sent to REST as %s', async (moment, sent) => {
    await gateway.query(byVariable, { moment });
    await gateway.query(asLiteral(moment));
    expect(gateway.calls().map(({ updated_after }) => updated_after)).toEqual([sent, sent]);
  });

  test.each([
    ['no time', '2024-05-01'],
    ['no offset', '2024-05-01T00:00:00'],
    ['a year of five digits in UTC', '9999-12-31T23:59:59-01:00'],
    ['words', 'yesterday'],
    ['a number', 1714521600],
  ])('is rejected before a call if it has %s', async (_, moment) => {
    expectRefused(gateway, await gateway.query(byVariable, { moment }));
    expectRefused(gateway, await gateway.query(asLiteral(moment)), 'GRAPHQL_VALIDATION_FAILED');
  });
});

const LIST = `
  query ($administration: ID!, $ids: [ID!], $numbers: [String!], $identifiers: [String!], $after: String) {
    debtors(administrationId: $administration, ids: $ids, debtorNumbers: $numbers, debtorIdentifiers: $identifiers, after: $after) {
      nodes { name remark labels { name } postalAddress { city street1 } }
    }
  }`;
const DEBTOR = `
  query ($administration: ID!, $by: DebtorBy!) { administration(id: $administration) { debtor(by: $by) { name } } }`;
const UPDATE = `mutation ($id: ID!) { updateMessages(input: { ${IN}, messages: [{ id: $id, read: true }] }) { count } }`;
const administration = ADMINISTRATION;

describe('a value that is too long for a URL', () => {
  const LONG = 'x'.repeat(1001);
  /** Short as it is, and nine times as long encoded. */
  const WIDE = '€'.repeat(112);
  const HUGE = 'é'.repeat(100_000);

  test.each([
    ['administrationId', LIST, { administration: globalId('Administration', LONG, LONG) }],
    ['administrationId', DEBTOR, { administration: HUGE, by: { id: '1' } }],
    ['after', LIST, { administration, after: cursorOf(WIDE) }],
    ['ids', LIST, { administration, ids: ['1', LONG] }],
    ['debtorNumbers', LIST, { administration, numbers: [HUGE] }],
    ['id', UPDATE, { id: LONG }],
  ])('is rejected by the name of `%s` before a call', async (argument, document, variables) => {
    const answer = await gateway.query(document, variables, BOTH);
    expectRefused(gateway, answer);
    expect(answer.errors?.[0]?.message).toContain(`\`${argument}\``);
  });

  test('is also an error if only all values together are too long, but not at its limit', async () => {
    const value = 'x'.repeat(1000);
    const after = cursorOf(value);
    expectRefused(
      gateway,
      await gateway.query(LIST, { administration: value, after, numbers: [value], identifiers: [value] }),
    );
    await gateway.query(LIST, { administration, after });
    expect(gateway.calls()).toMatchObject([{ cursor: value }]);
  });
});
