import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeCursor } from '../../src/schema/fields/cursor.ts';
import { encodeGlobalId } from '../../src/schema/fields/global-id.ts';
import { freshCallers } from '../cache/support.ts';
import { codesOf } from '../support/answers.ts';
import { ADMINISTRATION, SMALL_ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { present } from '../support/present.ts';
import { changePage, changeRows, type RestPage } from '../support/rest-pages.ts';
import { debtorsOf, idsOf } from '../support/rest-records.ts';
import { casesOf } from '../support/search.ts';

const gateway = await useGateway();
const caching = await useGateway({ gateway: { cacheTtlMs: 60_000 } });
const newCaller = await freshCallers(caching);

const ids = idsOf(debtorsOf(gateway, ADMINISTRATION));
const INVALID = 'UPSTREAM_INVALID_RESPONSE';
/** Stands in what the service sent broken, and must not be shown. */
const MARK = 'd0-n0t-sh0w';

/** What a service may send in the place of a record. */
const BROKEN: [string, (row: object) => unknown][] = [
  ['whose id is a number', (row) => ({ ...row, id: 77, name: MARK })],
  ['whose id is null', (row) => ({ ...row, id: null, name: MARK })],
  ['whose id is empty', (row) => ({ ...row, id: '', name: MARK })],
  ['without an id', ({ ...row }) => ({ ...row, id: undefined, name: MARK })],
  ['whose administration is a number', (row) => ({ ...row, administration_id: 1001, name: MARK })],
  ['whose administration is an object', (row) => ({ ...row, administration_id: {}, name: MARK })],
  ['that is null', () => null],
  ['that is a list', () => [MARK]],
  ['that is text', () => MARK],
];

/** Breaks the rows at some places of a page. */
function breakRows(broken: readonly number[], damage: (row: object) => unknown = () => null) {
  return changePage((page: RestPage) => ({
    ...page,
    data: page.data.map((row, index) => (broken.includes(index) ? damage(row) : row)),
  }));
}

const list = (selection: string, args = 'first: 3') =>
  `{ debtors(administrationId: "${ADMINISTRATION}", ${args}) { ${selection} } }`;

/** The cursor of a row of a list that starts with these rows, of which it is the last. */
const cursorOf = (...read: (string | undefined)[]) => {
  const [cursor = '', ...before] = read.map(present).reverse();
  return encodeCursor({ part: null, cursor, before, isFromStart: true });
};
const nodesOf = (broken: readonly number[], count = 3) =>
  ids.slice(0, count).map((internalId, index) => (broken.includes(index) ? null : { internalId }));

describe.each(BROKEN)('a row %s', (_what, damage) => {
  test.each([0, 1, 2])('is null in its place, %i, and the others survive', async (place) => {
    gateway.rest.misbehave(breakRows([place], damage));
    const answer = await gateway.query(list('nodes { internalId name } edges { node { internalId } }'));
    expect(answer.data).toMatchObject({
      debtors: { nodes: nodesOf([place]), edges: nodesOf([place]).map((node) => ({ node })) },
    });
    expect(answer.errors).toMatchObject([
      { path: ['debtors', 'nodes', place], extensions: { code: INVALID, upstream: { path: '/v1/debtors' } } },
      { path: ['debtors', 'edges', place, 'node'], extensions: { code: INVALID } },
    ]);
    expect(answer.text).not.toContain(MARK);
    expect(gateway.calls()).toHaveLength(1);
  });

  test('spoils its own lookup alone, among several', async () => {
    gateway.rest.misbehave(breakRows([1], damage));
    const some = ids.slice(0, 3);
    const answer = await gateway.query(
      'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Debtor { internalId } } }',
      {
        ids: some.map((id) => encodeGlobalId({ type: 'Debtor', administration: ADMINISTRATION, id })),
      },
    );
    expect(answer.data).toEqual({ nodes: nodesOf([1]) });
    expect(answer.errors).toMatchObject([{ path: ['nodes', 1], extensions: { code: INVALID } }]);
    expect(gateway.calls()).toHaveLength(1);
  });

  test('spoils its own join alone', async () => {
    const some = debtorsOf(gateway, SMALL_ADMINISTRATION).slice(0, 3);
    gateway.rest.misbehave(
      changeRows(() => some.map(({ id }, index) => ({ id: `${index}`, debtor_id: id }))),
    );
    gateway.rest.misbehave({ ...breakRows([1], damage), match: { path: '/v1/debtors' } });
    const answer = await gateway.query(
      `{ deletedCreditCases(administrationId: "${SMALL_ADMINISTRATION}", first: 3) { nodes { debtor { internalId } } } }`,
    );
    const [a, , c] = some.map(({ id }) => ({ debtor: { internalId: id } }));
    expect(answer.data).toEqual({ deletedCreditCases: { nodes: [a, { debtor: null }, c] } });
    expect(answer.errors).toMatchObject([
      { path: ['deletedCreditCases', 'nodes', 1, 'debtor'], extensions: { code: INVALID } },
    ]);
    expect(gateway.calls()).toHaveLength(2);
  });

  test('is cached neither as a record nor with its page; the records beside it are', async () => {
    const caller = newCaller();
    const ask = async (text: string) => {
      const { data, errors, extensions } = await caching.query(text, {}, caller);
      return { data, broken: (errors ?? []).map(({ path }) => path), ...extensions };
    };
    const debtor = (id: string | undefined) =>
      ask(`{ debtor(administrationId: "${ADMINISTRATION}", by: { id: "${id}" }) { internalId } }`);
    caching.rest.misbehave(breakRows([1], damage));
    expect(await ask(list('nodes { internalId }'))).toMatchObject({ broken: [['debtors', 'nodes', 1]] });
    expect(await debtor(ids[0])).toMatchObject({ broken: [], cost: { calls: 0 } });
    expect(await debtor(ids[1])).toMatchObject({
      data: { debtor: { internalId: ids[1] } },
      broken: [],
      cost: { calls: 1 },
    });
    expect(await ask(list('nodes { internalId }'))).toMatchObject({
      data: { debtors: { nodes: nodesOf([]) } },
      broken: [],
      cost: { calls: 1 },
    });
  });
});

test('a lookup that failed for a broken row is made again', async () => {
  const caller = newCaller();
  const text = `{ debtor(administrationId: "${ADMINISTRATION}", by: { id: "${ids[8]}" }) { internalId } }`;
  caching.rest.misbehave(breakRows([0]));
  expect(codesOf(await caching.query(text, {}, caller))).toEqual([INVALID]);
  expect((await caching.query(text, {}, caller)).data).toEqual({ debtor: { internalId: ids[8] } });
  expect(caching.calls()).toHaveLength(2);
});

describe('the cursor of a broken row', () => {
  const EDGES = 'edges { cursor node { internalId } } pageInfo { startCursor endCursor hasNextPage }';

  test('is that of the record before it, behind which it comes again', async () => {
    gateway.rest.misbehave(breakRows([1, 2], () => null));
    const answer = await gateway.query(list(EDGES, 'first: 4'));
    expect(answer.data).toEqual({
      debtors: {
        edges: nodesOf([1, 2], 4).map((node, index) => ({
          node,
          cursor: index < 3 ? cursorOf(ids[0]) : cursorOf(ids[0], ids[3]),
        })),
        pageInfo: { startCursor: cursorOf(ids[0]), endCursor: cursorOf(ids[0], ids[3]), hasNextPage: true },
      },
    });
    expect(codesOf(answer)).toEqual([INVALID, INVALID]);
  });

  test("is the page's own where it ends one", async () => {
    gateway.rest.misbehave(breakRows([2]));
    const answer = await gateway.query(list(EDGES));
    const ownCursor = encodeCursor({ part: null, cursor: present(ids[2]) });
    expect(answer.data).toMatchObject({
      debtors: {
        edges: [{}, {}, { node: null, cursor: ownCursor }],
        pageInfo: { endCursor: ownCursor, hasNextPage: true },
      },
    });
    expect(codesOf(answer)).toEqual([INVALID]);
  });

  test.each<[string, number, (rows: readonly object[]) => unknown[], boolean]>([
    ['a page says nothing of a next one', 9, ([a]) => [a, null], false],
    ['more is at hand than was asked for', 2, ([a, b]) => [a, null, b], true],
  ])('is that of the record before it at the end, where %s', async (_why, first, sent, hasNextPage) => {
    gateway.rest.misbehave(changePage(({ data }) => ({ data: sent(data) })));
    const answer = await gateway.query(list('pageInfo { endCursor hasNextPage }', `first: ${first}`));
    expect(answer.errors).toBeUndefined();
    expect(answer.data).toEqual({ debtors: { pageInfo: { endCursor: cursorOf(ids[0]), hasNextPage } } });
  });

  test('cannot be known where a page starts with it: then the edges fail, or the start alone', async () => {
    gateway.rest.misbehave({ ...breakRows([0]), times: 2 });
    const edges = await gateway.query(list(EDGES));
    expect(edges.data).toEqual({ debtors: null });
    expect(edges.errors).toMatchObject([
      { path: ['debtors', 'edges', 0, 'cursor'], extensions: { code: INVALID } },
    ]);
    const ends = await gateway.query(list('nodes { internalId } pageInfo { startCursor endCursor }'));
    expect(ends.data).toEqual({
      debtors: { nodes: nodesOf([0]), pageInfo: { startCursor: null, endCursor: cursorOf(ids[1], ids[2]) } },
    });
    expect(ends.errors?.map(({ path }) => path)).toEqual([
      ['debtors', 'nodes', 0],
      ['debtors', 'pageInfo', 'startCursor'],
    ]);
  });
});

test('a list goes on behind a page with broken rows', async () => {
  gateway.rest.misbehave(breakRows([3, 499]));
  const { data, errors } = await gateway.query(list('nodes { internalId }', 'first: 510'));
  expect(data).toEqual({ debtors: { nodes: nodesOf([3, 499], 510) } });
  expect(errors?.map(({ path }) => path)).toEqual([
    ['debtors', 'nodes', 3],
    ['debtors', 'nodes', 499],
  ]);
  expect(gateway.calls()).toHaveLength(2);
});

test('whichever rows are broken, just those are null', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.tuple(fc.nat({ max: 19 }), fc.constantFrom(...BROKEN)), {
        selector: ([place]) => place,
      }),
      async (faults) => {
        const damages = new Map(faults.map(([place, [, damage]]) => [place, damage]));
        const places = [...damages.keys()].sort((a, b) => a - b);
        gateway.rest.misbehave(
          changePage((page) => ({
            ...page,
            data: page.data.map((row, index) => (damages.get(index) ?? ((same: object) => same))(row)),
          })),
        );
        const answer = await gateway.query(list('nodes { internalId }', 'first: 20'));
        expect(answer.data).toEqual({ debtors: { nodes: nodesOf(places, 20) } });
        expect((answer.errors ?? []).map(({ path }) => path)).toEqual(
          places.map((place) => ['debtors', 'nodes', place]),
        );
      },
    ),
    { numRuns: casesOf({ short: 5, long: 20 }) },
  );
});

test('as many broken rows as a body may hold take no longer than others', async () => {
  gateway.rest.misbehave(changePage(() => ({ data: Array(400_000).fill(null) })));
  const start = performance.now();
  const answer = await gateway.query(list('nodes { internalId } pageInfo { hasNextPage }', 'first: 5'));
  expect(performance.now() - start).toBeLessThan(3000);
  expect(answer.data).toEqual({ debtors: { nodes: Array(5).fill(null), pageInfo: { hasNextPage: true } } });
  expect(codesOf(answer)).toEqual(Array(5).fill(INVALID));
});

describe('a row of another administration', () => {
  const toForeign = (row: object) => ({ ...row, administration_id: SMALL_ADMINISTRATION, name: MARK });

  test.each(['nodes { name }', 'edges { node { name } }', 'pageInfo { hasNextPage }'])(
    'says that a list was not filtered, so that none of it is passed on: %s',
    async (selection) => {
      gateway.rest.misbehave(breakRows([1], toForeign));
      const answer = await gateway.query(list(selection));
      expect(answer.data).toEqual({ debtors: null });
      expect(answer.errors).toMatchObject([{ path: ['debtors'], extensions: { code: INVALID } }]);
      expect(answer.text).not.toContain(MARK);
    },
  );

  test('spoils its own lookup alone: the others were found by their ids', async () => {
    gateway.rest.misbehave(breakRows([1], toForeign));
    const debtor = (id: string | undefined) =>
      `debtor(administrationId: "${ADMINISTRATION}", by: { id: "${id}" }) { name }`;
    const [a, b] = debtorsOf(gateway, ADMINISTRATION);
    const answer = await gateway.query(`{ a: ${debtor(a?.id)} b: ${debtor(b?.id)} }`);
    expect(answer.data).toEqual({ a: { name: present(a).name }, b: null });
    expect(answer.errors).toMatchObject([{ path: ['b'], extensions: { code: INVALID } }]);
    expect(gateway.calls()).toHaveLength(1);
  });
});
