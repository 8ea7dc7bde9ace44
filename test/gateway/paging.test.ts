import { describe, expect, test } from 'vitest';
import { graphql } from '../generated/index.ts';
import { codesOf } from '../support/answers.ts';
import { ADMINISTRATION, SMALL_ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { present } from '../support/present.ts';
import { changePage } from '../support/rest-pages.ts';
import { debtorsOf, idsOf } from '../support/rest-records.ts';
import { expectRefused } from './support.ts';

const gateway = await useGateway();

const READS = ['id', 'administration_id'];
const DEBTORS = { call: 'GET /v1/debtors', administration_id: ADMINISTRATION, only: READS };
const ids = idsOf(debtorsOf(gateway, ADMINISTRATION));
const smallIds = idsOf(debtorsOf(gateway, SMALL_ADMINISTRATION));

const DebtorPage = graphql(`
  query DebtorPage($administrationId: ID!, $first: Int, $after: String, $ids: [ID!]) {
    debtors(administrationId: $administrationId, first: $first, after: $after, ids: $ids) {
      edges { cursor node { internalId } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }
`);

interface Page {
  readonly administrationId?: string;
  readonly first?: number;
  readonly after?: string | null;
  readonly ids?: string[];
}

async function read(page: Page) {
  const answer = await gateway.query(DebtorPage, { administrationId: ADMINISTRATION, ...page });
  expect(answer.errors).toBeUndefined();
  const { edges, pageInfo } = present(answer.data.debtors);
  return {
    ids: edges.map(({ node }) => present(node).internalId),
    cursors: edges.map(({ cursor }) => cursor),
    pageInfo,
  };
}

const fails = (page: Page) => gateway.query(DebtorPage, { administrationId: ADMINISTRATION, ...page });

describe('a list longer than a REST page', () => {
  test('of 1,200 rows is read as 500, 500 and 200', async () => {
    const page = await read({ first: 1200 });
    expect(page.ids).toEqual(ids.slice(0, 1200));
    expect(gateway.calls()).toEqual([
      { ...DEBTORS, per_page: '500' },
      { ...DEBTORS, per_page: '500', cursor: ids[499] },
      { ...DEBTORS, per_page: '200', cursor: ids[999] },
    ]);
  });

  test('has cursors that hold across its REST pages', async () => {
    const { cursors } = await read({ first: 502 });
    for (const index of [498, 499, 500, 501]) {
      const next = await read({ first: 2, after: present(cursors[index]) });
      expect(next.ids).toEqual(ids.slice(index + 1, index + 3));
    }
  });

  test('ends where the collection ends', async () => {
    const page = await read({ administrationId: SMALL_ADMINISTRATION, first: 10_000 });
    expect(page.ids).toEqual(smallIds);
    expect(page.pageInfo.hasNextPage).toBe(false);
    expect(gateway.calls()).toHaveLength(Math.ceil(smallIds.length / 500));
  });

  test('goes on behind a REST page that is shorter than asked for', async () => {
    gateway.rest.misbehave(
      changePage(({ data }) => ({ data: data.slice(0, 1), pagination: { cursor: ids[0] } })),
    );
    const page = await read({ first: 5 });
    expect(page.ids).toEqual(ids.slice(0, 5));
    expect(gateway.calls()).toEqual([
      { ...DEBTORS, per_page: '5' },
      { ...DEBTORS, per_page: '4', cursor: ids[0] },
    ]);
  });

  test('gives no more rows than asked for, though REST gives more', async () => {
    gateway.rest.misbehave(changePage(() => ({ data: ids.slice(0, 9).map((id) => ({ id })) })));
    const page = await read({ first: 4 });
    expect(page.ids).toEqual(ids.slice(0, 4));
    expect(page.pageInfo.hasNextPage).toBe(true);
    expect((await read({ first: 1, after: page.pageInfo.endCursor ?? '' })).ids).toEqual(ids.slice(4, 5));
  });
});

test('any edge of a page can be gone on from', async () => {
  const { cursors } = await read({ first: 8 });
  expect(cursors).toHaveLength(8);
  for (const [index, after] of cursors.entries()) {
    const next = await read({ first: 3, after });
    expect(next.ids).toEqual(ids.slice(index + 1, index + 4));
    expect(gateway.calls().at(-1)).toEqual({ ...DEBTORS, per_page: '3', cursor: ids[index] });
  }
});

describe('pageInfo', () => {
  test('says that more follow, and where the page begins and ends', async () => {
    const { cursors, pageInfo } = await read({ first: 3 });
    const [startCursor, , endCursor] = cursors;
    expect(pageInfo).toEqual({ hasNextPage: true, hasPreviousPage: false, startCursor, endCursor });
  });

  test('says that something came before, behind a cursor', async () => {
    const { cursors } = await read({ first: 3 });
    const next = await read({ first: 1, after: present(cursors[2]) });
    const [cursor] = next.cursors;
    expect(next.pageInfo).toEqual({
      hasNextPage: true,
      hasPreviousPage: true,
      startCursor: cursor,
      endCursor: cursor,
    });
  });

  test.each([
    ['one row before its end', smallIds.length - 1, true],
    ['at its very end', smallIds.length, false],
    ['beyond its end', smallIds.length + 1, false],
  ])('knows whether more follow when a list stops %s', async (_, first, hasNextPage) => {
    const page = await read({ administrationId: SMALL_ADMINISTRATION, first });
    expect(page.pageInfo.hasNextPage).toBe(hasNextPage);
    expect(gateway.calls()).toHaveLength(Math.ceil(Math.min(first, smallIds.length) / 500));
  });

  test('knows that nothing follows a REST page that is full and the last', async () => {
    const page = await read({ ids: ids.slice(0, 500), first: 500 });
    expect(page.ids).toHaveLength(500);
    expect(page.pageInfo.hasNextPage).toBe(false);
    expect(gateway.calls()).toHaveLength(1);
  });

  test.each([
    ['at its very end', 500, true],
    ['beyond its end', 1000, false],
  ])(
    'ends with the last row of a service that gives a cursor with every full page, %s',
    async (_, first, hasNextPage) => {
      gateway.rest.misbehave(changePage(({ data }) => ({ data, pagination: { cursor: ids[499] } })));
      gateway.rest.misbehave(changePage(() => ({ data: [] })));
      const { cursors, pageInfo } = await read({ first });
      expect(cursors).toHaveLength(500);
      const [startCursor] = cursors;
      expect(pageInfo).toEqual({
        hasNextPage,
        hasPreviousPage: false,
        startCursor,
        endCursor: cursors.at(-1),
      });
      expect(gateway.calls()).toHaveLength(Math.ceil(first / 500));
    },
  );

  test('begins with the first row where the first part of a long filter finds none', async () => {
    const unknown = Array.from({ length: 500 }, (_, index) => `${800_000 + index}`);
    const { cursors, pageInfo } = await read({ ids: [...unknown, ...ids.slice(0, 3)], first: 2 });
    expect(cursors).toHaveLength(2);
    const [startCursor, endCursor] = cursors;
    expect(pageInfo).toEqual({ hasNextPage: true, hasPreviousPage: false, startCursor, endCursor });
  });

  test('ends with the last row where the last part of a long filter finds none', async () => {
    const unknown = Array.from({ length: 500 }, (_, index) => `${800_000 + index}`);
    const { cursors, pageInfo } = await read({ ids: [...ids.slice(0, 3), ...unknown], first: 1000 });
    expect(cursors).toHaveLength(3);
    const [startCursor, , endCursor] = cursors;
    expect(pageInfo).toEqual({ hasNextPage: false, hasPreviousPage: false, startCursor, endCursor });
  });

  test('is empty behind the last row', async () => {
    const last = await read({ ids: ids.slice(0, 2), first: 2 });
    const behind = await read({ ids: ids.slice(0, 2), first: 2, after: last.pageInfo.endCursor ?? '' });
    expect(behind).toEqual({
      ids: [],
      cursors: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: true, startCursor: null, endCursor: null },
    });
  });
});

describe('what cannot be a page is refused before a call', () => {
  test.each([0, -1, 10_001, 25_000])('`first: %i`', async (first) => {
    expectRefused(gateway, await fails({ first }));
  });

  test.each([
    ['', 'an empty cursor'],
    ['nonsense', 'a word'],
    ['300001', "the service's own cursor"],
    [Buffer.from('x:300001').toString('base64url'), 'a cursor without a part'],
    [Buffer.from('0:').toString('base64url'), 'a cursor without a record'],
    [Buffer.from('00:300001').toString('base64url'), 'a cursor that is written otherwise'],
    [`${Buffer.from('0:30000').toString('base64url')}=`, 'a cursor with padding'],
    [Buffer.from('1:300001').toString('base64url'), 'a cursor of a part that is not there'],
    [`${Buffer.from('0:300001').toString('base64url')} `, 'a cursor with a space'],
  ])('`after: "%s"`, %s', async (after) => {
    expectRefused(gateway, await fails({ after }));
  });
});

test('a cursor whose record is gone is refused in the words of REST', async () => {
  const answer = await fails({ after: Buffer.from('0:999999').toString('base64url') });
  expect(answer.errors).toMatchObject([
    { extensions: { code: 'BAD_USER_INPUT', upstream: { path: '/v1/debtors', status: 400 } } },
  ]);
  expect(gateway.calls()).toHaveLength(1);
});

test.each([400, 404, 422])('a cursor that REST answers %i for is a bad argument', async (status) => {
  gateway.rest.misbehave({ kind: 'status', status });
  const answer = await fails({ after: Buffer.from(`:${ids[0]}`).toString('base64url') });
  expect(answer.data).toEqual({ debtors: null });
  expect(answer.errors).toMatchObject([
    { path: ['debtors'], extensions: { code: 'BAD_USER_INPUT', upstream: { status } } },
  ]);
  expect(gateway.calls()).toMatchObject([{ cursor: ids[0] }]);
});

test.each([
  [401, 'UNAUTHENTICATED'],
  [403, 'FORBIDDEN'],
  [500, 'UPSTREAM_UNAVAILABLE'],
])('a status of %i says nothing of the cursor', async (status, code) => {
  gateway.rest.misbehave({ kind: 'status', status });
  const answer = await fails({ after: Buffer.from(`:${ids[0]}`).toString('base64url') });
  expect(codesOf(answer)).toEqual([code]);
});

test('a list without a cursor that REST does not find is not found', async () => {
  gateway.rest.misbehave({ kind: 'status', status: 404 });
  expect(codesOf(await fails({}))).toEqual(['NOT_FOUND']);
});

describe('a service that', () => {
  const INVALID = ['UPSTREAM_INVALID_RESPONSE'];

  test('says the same cursor again is asked no third time', async () => {
    gateway.rest.misbehave({
      ...changePage(({ data }) => ({ data, pagination: { cursor: ids[9] } })),
      times: 50,
    });
    expect(codesOf(await fails({ first: 10_000 }))).toEqual(INVALID);
    expect(gateway.calls().map(({ cursor }) => cursor)).toEqual([undefined, ids[9]]);
  });

  test('goes round in circles is stopped where the circle closes', async () => {
    let turn = 0;
    gateway.rest.misbehave({
      ...changePage(({ data }) => ({ data, pagination: { cursor: ids[turn++ % 3] } })),
      times: 50,
    });
    expect(codesOf(await fails({ first: 10_000 }))).toEqual(INVALID);
    expect(gateway.calls()).toHaveLength(4);
  });

  test('gives back the cursor that the caller came with is asked once', async () => {
    const after = Buffer.from(`0:${ids[4]}`).toString('base64url');
    gateway.rest.misbehave({
      ...changePage(({ data }) => ({ data, pagination: { cursor: ids[4] } })),
      times: 50,
    });
    expect(codesOf(await fails({ first: 10_000, after }))).toEqual(INVALID);
    expect(gateway.calls()).toHaveLength(1);
  });

  test('gives an empty page and says more follow is asked once', async () => {
    gateway.rest.misbehave({
      ...changePage(() => ({ data: [], pagination: { cursor: ids[9] } })),
      times: 50,
    });
    expect(codesOf(await fails({ first: 10 }))).toEqual(INVALID);
    expect(gateway.calls()).toHaveLength(1);
  });

  test.each([
    ['leaves pagination out', {}],
    ['has no pagination', { pagination: null }],
    ['has no cursor', { pagination: { cursor: null } }],
  ])('%s has no next page', async (_, end) => {
    gateway.rest.misbehave(changePage(({ data }) => ({ data: data.slice(0, 3), ...end })));
    const page = await read({ first: 10 });
    expect(page.ids).toEqual(ids.slice(0, 3));
    expect(page.pageInfo.hasNextPage).toBe(false);
    expect(gateway.calls()).toHaveLength(1);
  });

  test.each([
    ['a page without rows', {}],
    ['rows that are no list', { data: {} }],
    ['a row without an id', { data: [{ administration_id: ADMINISTRATION }] }],
    ['a row that is no record', { data: [null] }],
    ['a cursor that is no text', { data: [{ id: '1' }], pagination: { cursor: 7 } }],
    ['an empty cursor', { data: [{ id: '1' }], pagination: { cursor: '' } }],
  ])('gives %s breaks its contract', async (_, body) => {
    gateway.rest.misbehave({ kind: 'body', body: JSON.stringify(body) });
    expect(codesOf(await fails({ first: 10 }))).toEqual(INVALID);
    expect(gateway.calls()).toHaveLength(1);
  });
});
