import { expect, test } from 'vitest';
import { codesOf } from '../support/answers.ts';
import { BEARER, EXPLAIN, SMALL_ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { debtorsOf } from '../support/rest-records.ts';
import { costOf } from './support.ts';

const gateway = await useGateway();
const debtors = debtorsOf(gateway, SMALL_ADMINISTRATION);
const LIST = `debtors(administrationId: "${SMALL_ADMINISTRATION}"`;
const BY_AMOUNT = 'orderBy: [{ field: BOOK_OPEN_AMOUNT, direction: DESC }]';
const BY_CITY = 'groups(by: POSTAL_ADDRESS_CITY';
const READS = ['id', 'administration_id'];
const CITY = { postal_address: ['city'] };

type Top = readonly ({ readonly internalId: string } | null)[];
interface Data {
  readonly debtors: {
    readonly groups: readonly { readonly key: string | null; readonly top: Top; readonly other: Top }[];
  } | null;
}
const ask = (selection: string, args = '') =>
  gateway.query<Data>(`{ ${LIST}${args}) { ${selection} } }`, {}, { ...BEARER, ...EXPLAIN });

const owing = (city: string | null) =>
  debtors
    .filter((debtor) => (debtor.postal_address.city ?? null) === city)
    .toSorted(
      (a, b) => Number(b.book_open_amount) - Number(a.book_open_amount) || Number(a.id) - Number(b.id),
    )
    .map(({ id }) => ({ internalId: id }));

test('each group has its own first rows in its own order, with one read of the list', async () => {
  const answer = await ask(`${BY_CITY}) { key top(${BY_AMOUNT}) { internalId } }`);
  expect(codesOf(answer)).toEqual([]);
  const { groups = [] } = answer.data.debtors ?? {};
  expect(groups.length).toBeGreaterThan(2);
  for (const { key, top } of groups) expect(top).toEqual(owing(key).slice(0, 10));
  const page = { call: 'GET /v1/debtors', only: [...READS, CITY, 'book_open_amount'] };
  expect(gateway.calls()).toMatchObject([page, page]);
});

test.each([
  // Few rows are looked up, for all groups and aliases together.
  ['first: 2', 'first: 3', [CITY, 'book_open_amount'], 1],
  // More are read with the list, which takes no other call.
  ['first: 100', 'first: 100', [CITY, 'book_open_amount', 'name', 'remark'], 0],
])('groups with %s and rows with %s have all selected fields', async (first, rows, fields, lookups) => {
  const answer = await ask(
    `${BY_CITY}, ${first}) { key top(${rows}, ${BY_AMOUNT}) { internalId name } other: top(first: 2) { remark } }`,
  );
  expect(codesOf(answer)).toEqual([]);
  const { groups = [] } = answer.data.debtors ?? {};
  const expected = Number(/\d+/.exec(rows)?.[0]);
  for (const { key, top, other } of groups) {
    expect(top).toMatchObject(owing(key).slice(0, expected));
    expect(top.map((row) => Object(row).name)).not.toContain(undefined);
    expect(other).toHaveLength(Math.min(2, owing(key).length));
  }
  const calls = gateway.calls();
  expect(calls.slice(0, 2)).toMatchObject([{ only: [...READS, ...fields] }, { only: [...READS, ...fields] }]);
  expect(calls.length).toBeLessThanOrEqual(2 + 2 * lookups);
  expect(calls.length).toBeLessThanOrEqual(costOf(answer).estimatedCalls);
  if (lookups > 0) expect(calls[2]).toMatchObject({ ids: expect.stringMatching(/,.*,/) });
});

test('groups with `top` do not change the calls for a page and totals of the same list', async () => {
  const { data } = await ask(
    `nodes { cocNumber } ${BY_CITY}, first: null) { totals { count } top(first: null) { name } } totals { count }`,
    ', first: 1',
  );
  expect(data.debtors?.groups[0]?.top).toHaveLength(10);
  const whole = { per_page: '500', only: [...READS, CITY, 'name'] };
  const page = { per_page: '1', only: [...READS, 'coc_number'] };
  const calls = gateway.calls().toSorted((a, b) => Number(b.per_page) - Number(a.per_page));
  expect(calls).toMatchObject([whole, whole, page]);
});

test('`top` of a filtered list returns only matching rows, with computed fields and joins', async () => {
  const { data, errors } = await ask(
    `${BY_CITY}, first: 1) { top(first: 2) { id labels { name } administration { internalId } } }`,
    ', where: { bookOpenAmount: { gt: "100" } }',
  );
  expect(errors).toBeUndefined();
  const row = {
    id: expect.any(String),
    labels: expect.any(Array),
    administration: { internalId: SMALL_ADMINISTRATION },
  };
  expect(data.debtors?.groups[0]?.top).toEqual([row, row]);
});

test.each([0, 101, -1])('`top(first: %i)` is rejected before a call', async (first) => {
  const answer = await ask(`${BY_CITY}) { top(first: ${first}) { name } }`);
  expect(answer).toMatchObject({ data: { debtors: null } });
  expect(gateway.calls()).toEqual([]);
  expect(answer.errors?.map(({ message }) => message)).toEqual([
    '`first` of `top` takes a number from 1 to 100.',
  ]);
  expect(codesOf(answer)).toEqual(['BAD_USER_INPUT']);
});

test('an export of groups rejects `top`', async () => {
  const answer = await ask(`${BY_CITY}) { key top { name } }`);
  expect(answer.errors).toBeUndefined();
  const query = `{ ${LIST}) { ${BY_CITY}) { key top { name } } } }`;
  const file = await gateway.query(query, {}, { ...BEARER, accept: 'text/csv' });
  expect(file.status).toBe(400);
  expect(file.errors?.[0]?.message).toMatch(/^`top` is a second list, nested in the rows of the first\./);
});
