import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { FairQueue } from '../../../src/limits/fair-queue.ts';
import { nextSlice, TimeSlices } from '../../../src/limits/time-slice.ts';
import { codesOf } from '../../support/answers.ts';
import { BEARER, useGateway } from '../../support/gateway.ts';
import { times } from '../../support/times.ts';

const add = vi.spyOn(FairQueue.prototype, 'add');
let isBusy = true;
let busy: Promise<void> | undefined;

/** How often work has waited for others. */
function waits(): number {
  const isRoot = (group?: string) => group === 'credentials' || group === 'addresses';
  return add.mock.calls.filter(([path]) => isRoot(path[0]) && path.at(-1) !== 'busy').length;
}

/** All work is interrupted as often as it can be, as in a gateway where somebody else is busy. */
beforeAll(() => {
  vi.spyOn(TimeSlices.prototype, 'isOver').mockReturnValue(true);
  busy = beBusy();
});

async function beBusy(): Promise<void> {
  while (isBusy) {
    await nextSlice('busy');
    await turn();
  }
}

beforeEach(() => {
  add.mockClear();
});

afterAll(async () => {
  isBusy = false;
  await busy;
  await turn();
  vi.restoreAllMocks();
});

const gateway = await useGateway();

const CASES = 'orderBy: [{ field: DELETED_AT }], first: 20';
const inRows = (list: string, rows = 30) =>
  `{ debtors(administrationId: "1001", first: ${rows}) { nodes { name administration { ${list} } } } }`;

test.each([
  ['lists that rows read', 'deletedCreditCases(first: 20) { nodes { debtor { name } } }'],
  ['lists that are ordered', `deletedCreditCases(${CASES}) { nodes { debtor { name } } }`],
  [
    'lists that are ordered beside others',
    `a: deletedCreditCases(${CASES}) { nodes { debtor { name } } } b: deletedCreditCases { nodes { debtor { name } } }`,
  ],
])('what %s refer to is looked up by one call, however often they pause', async (_what, list) => {
  const answer = await gateway.query(inRows(list, list.includes('orderBy') ? 4 : 30));
  expect(codesOf(answer)).toEqual([]);
  expect(waits()).toBeGreaterThan(30);
  const lookups = gateway.rest.calls.filter(({ query }) => query.ids !== undefined);
  expect(lookups).toHaveLength(1);
});

test('operations of an array that pause get what each gets alone', async () => {
  const documents = ['name', 'debtorNumber', 'name debtorNumber'].map((fields) =>
    inRows(`deletedCreditCases(first: 20) { nodes { debtor { ${fields} } } }`),
  );
  const alone = await Promise.all(documents.map((document) => gateway.query(document)));
  expect(alone.flatMap(codesOf)).toEqual([]);
  const operations = times(6, (index) => ({ query: documents[index % documents.length] }));
  const response = await gateway.post(JSON.stringify(operations), BEARER);
  const answers: unknown = await response.json();
  expect(answers).toEqual(
    operations.map((_, index) => expect.objectContaining({ data: alone[index % documents.length]?.data })),
  );
});

test('a short operation waits for nobody else, though it reads several lists and has errors', async () => {
  const lists = times(
    8,
    (index) => `list${index}: debtors(administrationId: "1001", first: 2) { nodes { name } }`,
  );
  const answer = await gateway.query(`{ ${lists.join(' ')} node(id: "x") { id } }`);
  expect(codesOf(answer)).toEqual(['BAD_USER_INPUT']);
  expect(waits()).toBe(0);
});
