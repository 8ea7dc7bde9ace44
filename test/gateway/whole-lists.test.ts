import { describe, expect, test } from 'vitest';
import { codesOf } from '../support/answers.ts';
import { ADMINISTRATION, BOTH, SMALL_ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { present } from '../support/present.ts';
import { changeRows } from '../support/rest-pages.ts';
import { debtorsOf, idsOf } from '../support/rest-records.ts';

const gateway = await useGateway();
const caching = await useGateway({ gateway: { cacheTtlMs: 60_000 } });

const READS = ['id', 'administration_id'];
const INVALID = 'UPSTREAM_INVALID_RESPONSE';
const debtors = debtorsOf(gateway, SMALL_ADMINISTRATION);
const byAmount = debtors.toSorted(
  (a, b) => Number(b.book_open_amount) - Number(a.book_open_amount) || Number(a.id) - Number(b.id),
);
const LIST = `debtors(administrationId: "${SMALL_ADMINISTRATION}"`;
const BY_AMOUNT = 'orderBy: [{ field: BOOK_OPEN_AMOUNT, direction: DESC }]';

interface Debtors {
  readonly nodes: readonly unknown[];
  readonly totals: unknown;
}
async function ask(args: string, selection: string) {
  const answer = await gateway.query<{ debtors: Debtors }>(`{ ${LIST}${args}) { ${selection} } }`);
  return { answer, debtors: answer.data.debtors };
}

describe('the REST calls', () => {
  const CALL = { call: 'GET /v1/debtors', administration_id: SMALL_ADMINISTRATION };
  const walkOf = (...fields: readonly unknown[]) => {
    const page = { ...CALL, per_page: '500', only: [...READS, ...fields] };
    return [page, { ...page, cursor: present(debtors[499]).id }];
  };

  test('to sort a list request only the compared field, then other fields of a short page', async () => {
    const { debtors: answered } = await ask(`, ${BY_AMOUNT}, first: 3`, 'nodes { internalId name }');
    const top = byAmount.slice(0, 3);
    expect(answered.nodes).toEqual(top.map(({ id, name }) => ({ internalId: id, name })));
    const lookup = { ...CALL, ids: idsOf(top).join(), per_page: '3', only: [...READS, 'name'] };
    expect(gateway.calls()).toEqual([...walkOf('book_open_amount'), lookup]);
  });

  test.each<[string, string, string, unknown[]]>([
    [
      'a page whose fields are compared',
      `${BY_AMOUNT}, first: 3`,
      'nodes { bookOpenAmount }',
      ['book_open_amount'],
    ],
    ['a long page', `${BY_AMOUNT}, first: 101`, 'nodes { name }', ['book_open_amount', 'name']],
    ['only totals', '', 'totals { count }', []],
    [
      'totals and a long page',
      'first: 600',
      'nodes { name } totals { bookOpenAmount { sum } }',
      ['book_open_amount', 'name'],
    ],
    [
      'groups that are sorted by an amount',
      '',
      'groups(by: LANGUAGE_CODE, thenBy: LABELS_NAME, orderBy: [{ field: BOOK_OPEN_AMOUNT_SUM }]) { key }',
      ['language_code', { labels: ['name'] }, 'book_open_amount'],
    ],
  ])('read a list once for %s', async (_, args, selection, only) => {
    await ask(args && `, ${args}`, selection);
    expect(gateway.calls()).toEqual(walkOf(...only));
  });

  test('read a short page separately from its totals', async () => {
    await ask(', first: 2', 'nodes { name } totals { bookOpenAmount { sum } }');
    const calls = gateway.calls().toSorted((a, b) => Number(a.per_page) - Number(b.per_page));
    const page = { ...CALL, per_page: '2', only: [...READS, 'name'] };
    expect(calls).toEqual([page, ...walkOf('book_open_amount')]);
  });

  test('read a list once for all fields of an operation', async () => {
    await gateway.query(`{
      a: ${LIST}, where: { name: { contains: "a" } }, first: 1) { nodes { name } }
      b: ${LIST}, ${BY_AMOUNT}, first: 1) { nodes { bookOpenAmount } }
      c: ${LIST}, among: 10) { totals { count isComplete } groups(by: LANGUAGE_CODE) { key } }
    }`);
    expect(gateway.calls()).toEqual(walkOf('name', 'book_open_amount', 'language_code'));
  });

  test('are those of a plain list for empty conditions, and one call for few ids', async () => {
    await ask(', first: 2, where: {}, orderBy: [], among: 1', 'nodes { name }');
    await ask(`, ${BY_AMOUNT}, first: 2, ids: ["300001", "300002"]`, 'nodes { name }');
    expect(gateway.calls()).toMatchObject([
      { ...CALL, per_page: '2', only: [...READS, 'name'] },
      { ...CALL, only: [...READS, 'book_open_amount', 'name'] },
    ]);
  });

  test('read whole records page by page if the list accepts no `fields` or no `ids`', async () => {
    const payments =
      'orderBy: [{ field: DELETED_AT, direction: DESC }], first: 2) { nodes { originIdentifier } }';
    const answer = await gateway.query(
      `{
        deletedPayments(administrationId: "${ADMINISTRATION}", ${payments}
        companies(where: { name: { isNull: false } }, orderBy: [{ field: NAME }], first: 2) { nodes { status } }
      }`,
      {},
      BOTH,
    );
    expect(answer.errors).toBeUndefined();
    const calls = gateway.calls().map(({ call, only }) => [call, only]);
    expect(calls.toSorted()).toEqual([
      ['GET /v1/companies', ['id', 'name', 'status']],
      ['GET /v1/payments/deleted', undefined],
    ]);
  });

  test('are not made for what is cached', async () => {
    const query = `{ ${LIST}, ${BY_AMOUNT}, first: 3) { nodes { name } } }`;
    await caching.query(query);
    caching.rest.calls.length = 0;
    await caching.query(query.replace('DESC', 'ASC').replace('{ name }', '{ bookOpenAmount }'));
    expect(caching.calls()).toEqual([]);
  });
});

describe('a list that is longer than `among`', () => {
  test.each([BY_AMOUNT, 'where: { name: { contains: "a" } }'])('fails with %s', async (args) => {
    const { answer } = await ask(`, ${args}, among: 934`, 'nodes { name } totals { count }');
    expect([answer.data, codesOf(answer)]).toEqual([{ debtors: null }, ['LIST_TOO_LONG']]);
    expect(answer.errors?.[0]?.message).toContain('`updatedAfter`');
  });

  test.each([
    ['among: 934', 934, false],
    [`${BY_AMOUNT}, among: 935`, 935, true],
  ])('returns totals of the rows that were read: %s', async (args, count, isComplete) => {
    const { debtors: answered } = await ask(`, ${args}`, 'totals { count isComplete }');
    expect(answered.totals).toEqual({ count, isComplete });
  });
});

test('a page omits a row that was deleted before its other fields were read', async () => {
  const [gone, next] = byAmount;
  gateway.rest.misbehave({ kind: 'delay', milliseconds: 0, times: 2 });
  gateway.rest.misbehave(changeRows((rows) => rows.filter((row) => Object(row).id !== gone?.id)));
  const { debtors: answered } = await ask(`, ${BY_AMOUNT}, first: 2`, 'nodes { name }');
  expect(answered.nodes).toEqual([{ name: next?.name }]);
});

describe('an error', () => {
  const spoil = (change: (row: object) => object) =>
    gateway.rest.misbehave(changeRows(([first = {}, ...rows]) => [change(first), ...rows]));
  const SPOILED: [string, (row: object) => object, number][] = [
    ['a row', () => ({ administration_id: SMALL_ADMINISTRATION }), 934],
    ['an amount', (row) => ({ ...row, book_open_amount: 'much' }), 935],
  ];

  test.each(SPOILED)('is reported if totals read an invalid value in %s', async (_, change, count) => {
    spoil(change);
    const { answer, debtors: answered } = await ask(
      '',
      'totals { count isComplete bookOpenAmount { count } }',
    );
    expect(answer.errors).toMatchObject([{ path: ['debtors', 'totals'], extensions: { code: INVALID } }]);
    expect(answered.totals).toEqual({ count, isComplete: false, bookOpenAmount: { count: 934 } });
  });

  test.each(SPOILED)('is reported if a sorted page reads an invalid value in %s', async (_, change) => {
    spoil(change);
    const { answer, debtors: answered } = await ask(`, ${BY_AMOUNT}, first: 1`, 'nodes { bookOpenAmount }');
    expect(answer.errors).toMatchObject([{ path: ['debtors'], extensions: { code: INVALID } }]);
    expect(answered.nodes).toHaveLength(1);
  });

  test('is reported for groups with an invalid value, which counts as null', async () => {
    spoil((row) => ({ ...row, labels: 'x' }));
    const { answer } = await ask(`, ids: ["${debtors[0]?.id}"]`, 'groups(by: LABELS_NAME) { key }');
    expect(answer.data).toEqual({ debtors: { groups: [{ key: null }] } });
    expect(answer.errors).toMatchObject([{ path: ['debtors', 'groups'], extensions: { code: INVALID } }]);
  });

  test('of totals does not change the page', async () => {
    gateway.rest.misbehave({ kind: 'status', status: 403 });
    const { answer, debtors: answered } = await ask(', first: 1', 'nodes { name } totals { count }');
    expect(answered).toEqual({ nodes: [{ name: debtors[0]?.name }], totals: null });
    expect(answer.errors).toMatchObject([{ path: ['debtors', 'totals'], extensions: { code: 'FORBIDDEN' } }]);
  });
});

test.each([
  ['sorting by a second key without `thenBy`', '{ field: THEN_KEY }', 'give `thenBy`'],
  ['too many sort criteria', '{ field: COUNT } '.repeat(11), 'at most 10'],
])('groups reject %s', async (_, order, message) => {
  const { answer } = await ask(', ids: ["300001"]', `groups(by: NAME, orderBy: [${order}]) { key }`);
  expect(codesOf(answer)).toEqual(['BAD_USER_INPUT']);
  expect(answer.errors?.[0]?.message).toContain(message);
});
