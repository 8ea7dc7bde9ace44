import { expect, test, vi } from 'vitest';
import { codesOf } from '../../support/answers.ts';
import { BEARER, useGateway } from '../../support/gateway.ts';
import { times } from '../../support/times.ts';

/** All work is interrupted as often as it can be, as in a gateway that is busy. */
vi.mock('../../../src/limits/time-slice.ts', async (importActual) => ({
  ...(await importActual<object>()),
  isSliceOver: () => true,
}));

const gateway = await useGateway();

const CASES = 'orderBy: [{ field: DELETED_AT }], first: 20';
const inRows = (list: string) =>
  `{ debtors(administrationId: "1001", first: 30) { nodes { name administration { ${list} } } } }`;

test.each([
  ['lists that rows read', 'deletedCreditCases(first: 20) { nodes { debtor { name } } }'],
  ['lists that are ordered', `deletedCreditCases(${CASES}) { nodes { debtor { name } } }`],
  [
    'lists that are ordered beside others',
    `a: deletedCreditCases(${CASES}) { nodes { debtor { name } } } b: deletedCreditCases { nodes { debtor { name } } }`,
  ],
])('what %s refer to is looked up by one call, however often they pause', async (_what, list) => {
  const answer = await gateway.query(inRows(list));
  expect(codesOf(answer)).toEqual([]);
  const lookups = gateway.rest.calls.filter(({ query }) => query.ids !== undefined);
  expect(lookups).toHaveLength(1);
});

test('operations of an array that pause get what each gets alone', async () => {
  const documents = ['name', 'debtorNumber', 'name debtorNumber'].map((fields) =>
    inRows(`deletedCreditCases(${CASES}) { nodes { debtor { ${fields} } } }`),
  );
  const alone = await Promise.all(documents.map((document) => gateway.query(document)));
  expect(alone.flatMap(codesOf)).toEqual([]);
  const operations = times(9, (index) => ({ query: documents[index % documents.length] }));
  const response = await gateway.post(JSON.stringify(operations), BEARER);
  const answers: unknown = await response.json();
  expect(answers).toEqual(
    operations.map((_, index) => expect.objectContaining({ data: alone[index % documents.length]?.data })),
  );
});
