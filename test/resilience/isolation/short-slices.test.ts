import { expect, test, vi } from 'vitest';
import { nextSlice } from '../../../src/limits/time-slice.ts';
import { codesOf } from '../../support/answers.ts';
import { BEARER, useGateway } from '../../support/gateway.ts';
import { times } from '../../support/times.ts';

/** All work is interrupted as often as it can be, as in a gateway that is busy. */
vi.mock('../../../src/limits/time-slice.ts', async (importActual) => {
  const actual = await importActual<typeof import('../../../src/limits/time-slice.ts')>();
  return { ...actual, isSliceOver: () => true, nextSlice: vi.fn(actual.nextSlice) };
});

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

test('a short operation waits for nobody else, though it reads several lists and has errors', async () => {
  vi.mocked(nextSlice).mockClear();
  const lists = times(
    8,
    (index) => `list${index}: debtors(administrationId: "1001", first: 2) { nodes { name } }`,
  );
  const answer = await gateway.query(`{ ${lists.join(' ')} node(id: "x") { id } }`);
  expect(codesOf(answer)).toEqual(['BAD_USER_INPUT']);
  expect(nextSlice).not.toHaveBeenCalled();
});
