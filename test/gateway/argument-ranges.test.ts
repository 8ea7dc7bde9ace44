import { describe, expect, test } from 'vitest';
import { encodeGlobalId } from '../../src/schema/fields/global-id.ts';
import { ADMINISTRATION, BOTH, useGateway } from '../support/gateway.ts';
import { expectRefused } from './support.ts';

const gateway = await useGateway();
const small = await useGateway({ gateway: { maxFirst: 200 } });

const RANGE = '`first` takes a number from 1 to 10000.';

function texts(count: number): string[] {
  return Array.from({ length: count }, (_, index) => String(index));
}

function debtorIds(count: number): string[] {
  return texts(count).map((id) => encodeGlobalId({ type: 'Debtor', administration: ADMINISTRATION, id }));
}

/** The first argument of each list that belongs to an administration. */
const IN = `administrationId: "${ADMINISTRATION}"`;

describe('an argument out of its range is told so, and not what it would cost', () => {
  test.each([
    ['too much', `{ debtors(${IN}, first: 99999) { nodes { name } } }`],
    ['the largest number', `{ debtors(${IN}, first: 2147483647) { nodes { name } } }`],
    ['one too many', `{ debtors(${IN}, first: 10001) { nodes { name } } }`],
    ['nothing', `{ debtors(${IN}, first: 0) { nodes { name } } }`],
    ['less than nothing', `{ debtors(${IN}, first: -1) { nodes { name } } }`],
    ['too much of one record', `{ debtors(${IN}, ids: ["300001"], first: 99999) { nodes { name } } }`],
    ['too much of no record', `{ debtors(${IN}, ids: [], first: 99999) { nodes { name } } }`],
    [
      'too much with a filter',
      `{ declarationLines(${IN}, claimStatus: DRAFT, first: 99999) { nodes { id } } }`,
    ],
    ['too much with a join', `{ deletedCreditCases(${IN}, first: 99999) { nodes { debtor { name } } } }`],
    ['too much of payments', `{ deletedPayments(${IN}, first: 99999) { nodes { id } } }`],
    ['too much of companies', '{ companies(first: 99999) { nodes { name } } }'],
    [
      'too much below an administration',
      `{ administration(id: "${ADMINISTRATION}") { debtors(first: 99999) { nodes { name } } } }`,
    ],
    [
      'too much inside too much',
      `{ debtors(${IN}, first: 99999) { nodes { administration { debtors(first: 99999) { nodes { name } } } } } }`,
    ],
  ])('`first`: %s', async (_what, source) => {
    const answer = await gateway.query(source, {}, BOTH);
    expectRefused(gateway, answer);
    expect(answer.errors).toMatchObject([{ message: RANGE }]);
  });

  test.each([99_999, 0, -1])('`first` through a variable: %i', async (first) => {
    const source = `query ($first: Int) { debtors(${IN}, first: $first) { nodes { name } } }`;
    const answer = await gateway.query(source, { first });
    expectRefused(gateway, answer);
    expect(answer.errors).toMatchObject([{ message: RANGE }]);
  });

  test('`first` of a list inside a list, which is read all the same', async () => {
    const inner = 'administration { debtors(first: 99999) { nodes { name } } }';
    const answer = await gateway.query(`{ debtors(${IN}, first: 2) { nodes { ${inner} } } }`);
    expect(answer.errors?.map(({ message }) => message)).toEqual([RANGE, RANGE]);
    expect(gateway.calls()).toHaveLength(1);
  });

  test('the range is the one that is configured', async () => {
    const answer = await small.query(`{ debtors(${IN}, first: 201) { nodes { name } } }`);
    expect(answer.errors).toMatchObject([{ message: '`first` takes a number from 1 to 200.' }]);
  });

  test.each([
    ['[ID!]', `debtors(${IN}, ids: $values) { nodes { id } }`, '`ids` takes at most 10000 values.'],
    [
      '[String!]',
      `debtors(${IN}, debtorNumbers: $values, first: 10000) { nodes { id } }`,
      '`debtorNumbers` takes at most 10000 values.',
    ],
    [
      '[String!]',
      `declarationLines(${IN}, invoiceIdentifiers: $values) { nodes { id } }`,
      '`invoiceIdentifiers` takes at most 10000 values.',
    ],
    ['[ID!]!', 'nodes(ids: $values) { id }', '`ids` takes at most 10000 ids at a time.'],
  ])('a list of values that is too long: %s of %s', async (type, field, message) => {
    const values = texts(10_001);
    const answer = await gateway.query(`query ($values: ${type}) { ${field} }`, { values });
    expectRefused(gateway, answer);
    expect(answer.errors).toMatchObject([{ message }]);
  });
});

test.each([
  ['null', `debtors(${IN}, first: null) { nodes { name } }`],
  ['absent', `debtors(${IN}) { nodes { name } }`],
])('`first` that is %s is 100', async (_what, field) => {
  await gateway.query(`{ ${field} }`);
  expect(gateway.calls()).toMatchObject([{ per_page: '100' }]);
});

test('as many global ids as internal ones may be asked for, at the same cost', async () => {
  const source = `query ($ids: [ID!]) { debtors(${IN}, ids: $ids) { nodes { id } } }`;
  const byGlobalId = await gateway.query(source, { ids: debtorIds(9_000) });
  const byInternalId = await gateway.query(source, { ids: texts(9_000) });
  expect(byGlobalId.errors).toBeUndefined();
  expect(byGlobalId.extensions.cost).toEqual(byInternalId.extensions.cost);
});
