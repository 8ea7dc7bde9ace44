import { describe, expect, test } from 'vitest';
import { codesOf } from '../support/answers.ts';
import { ADMINISTRATION, SMALL_ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { cursorOf } from '../support/ids.ts';
import { present } from '../support/present.ts';
import { changePage, type RestPage } from '../support/rest-pages.ts';
import { debtorsOf, idsOf } from '../support/rest-records.ts';
import { times } from '../support/times.ts';
import { askPage, expectRefused, type Page, readPage } from './support.ts';

const gateway = await useGateway();
const read = (page: Page) => readPage(gateway, page);

const DEBTORS = {
  call: 'GET /v1/debtors',
  administration_id: ADMINISTRATION,
  only: ['id', 'administration_id'],
};
const ids = idsOf(debtorsOf(gateway, ADMINISTRATION));
const smallIds = idsOf(debtorsOf(gateway, SMALL_ADMINISTRATION));

describe('a list longer than a REST page', () => {
  test('is read as 500, 500 and 200 rows for 1,200 rows', async () => {
    expect((await read({ first: 1200 })).ids).toEqual(ids.slice(0, 1200));
    expect(gateway.calls()).toEqual([
      { ...DEBTORS, per_page: '500' },
      { ...DEBTORS, per_page: '500', cursor: ids[499] },
      { ...DEBTORS, per_page: '200', cursor: ids[999] },
    ]);
  });

  test('continues after any of its edges', async () => {
    const { cursors } = await read({ first: 502 });
    for (const index of [0, 1, 498, 499, 500, 501]) {
      const next = await read({ first: 2, after: present(cursors[index]) });
      expect(next.ids).toEqual(ids.slice(index + 1, index + 3));
      expect(gateway.calls().at(-1)).toEqual({ ...DEBTORS, per_page: '2', cursor: ids[index] });
    }
  });

  test('is read in segments if its filter is too long for one URL, and continues at a split', async () => {
    const debtors = debtorsOf(gateway, ADMINISTRATION).slice(0, 700);
    // Some that nobody has take more room encoded than they are long.
    const unknown = times(50, (index) => `ü–${index}🦊`);
    const debtorIdentifiers = [...debtors.map(({ debtor_identifier }) => debtor_identifier), ...unknown];
    const all = await read({ debtorIdentifiers, first: 10_000 });
    expect([all.ids, all.pageInfo.hasNextPage]).toEqual([ids.slice(0, 700), false]);
    const sent = gateway.rest.calls.map(({ query }) => query.debtor_identifiers?.split(',') ?? []);
    expect([sent.length > 1, sent.flat().sort()]).toEqual([true, debtorIdentifiers.toSorted()]);
    for (const { url } of gateway.rest.calls)
      expect(gateway.rest.url.length + url.length).toBeLessThanOrEqual(4000);
    const cut = debtorIdentifiers.indexOf(present(sent[1]?.[0]));
    for (const index of [cut - 2, cut - 1, cut]) {
      const next = await read({ debtorIdentifiers, first: 3, after: present(all.cursors[index]) });
      expect(next.ids).toEqual(ids.slice(index + 1, index + 4));
    }
  });

  test('continues after a REST page that is shorter than requested', async () => {
    gateway.rest.misbehave(
      changePage(({ data }) => ({ data: data.slice(0, 1), pagination: { cursor: ids[0] } })),
    );
    expect((await read({ first: 5 })).ids).toEqual(ids.slice(0, 5));
    expect(gateway.calls()).toEqual([
      { ...DEBTORS, per_page: '5' },
      { ...DEBTORS, per_page: '4', cursor: ids[0] },
    ]);
  });

  test('returns no more rows than requested if REST returns more', async () => {
    gateway.rest.misbehave(changePage(() => ({ data: ids.slice(0, 9).map((id) => ({ id })) })));
    const page = await read({ first: 4 });
    expect(page.ids).toEqual(ids.slice(0, 4));
    expect(page.pageInfo.hasNextPage).toBe(true);
    expect((await read({ first: 1, after: page.pageInfo.endCursor })).ids).toEqual(ids.slice(4, 5));
  });
});

describe('pageInfo', () => {
  test('has the cursors of both ends, and says whether rows come before and after', async () => {
    const { cursors, pageInfo } = await read({ first: 3 });
    const [startCursor, , endCursor] = cursors;
    expect(pageInfo).toEqual({ hasNextPage: true, hasPreviousPage: false, startCursor, endCursor });
    const next = await read({ first: 1, after: endCursor });
    const [cursor] = next.cursors;
    expect(next.pageInfo).toEqual({
      hasNextPage: true,
      hasPreviousPage: true,
      startCursor: cursor,
      endCursor: cursor,
    });
  });

  test.each([
    ['one row before the end of the list', smallIds.length - 1, true],
    ['at its very end', smallIds.length, false],
    ['beyond its end', 10_000, false],
  ])('says whether more rows follow a page that ends %s', async (_, first, hasNextPage) => {
    const page = await read({ administrationId: SMALL_ADMINISTRATION, first });
    expect([page.ids, page.pageInfo.hasNextPage]).toEqual([smallIds.slice(0, first), hasNextPage]);
    expect(gateway.calls()).toHaveLength(Math.ceil(Math.min(first, smallIds.length) / 500));
  });

  test.each([
    ['at its very end', 500, true],
    ['beyond its end', 1000, false],
  ])('has the last row if every full page has a cursor, ending %s', async (_, first, hasNextPage) => {
    gateway.rest.misbehave(changePage(({ data }) => ({ data, pagination: { cursor: ids[499] } })));
    gateway.rest.misbehave(changePage(() => ({ data: [] })));
    const { cursors, pageInfo } = await read({ first });
    expect(cursors).toHaveLength(500);
    expect(pageInfo).toMatchObject({ hasNextPage, startCursor: cursors[0], endCursor: cursors.at(-1) });
    expect(gateway.calls()).toHaveLength(Math.ceil(first / 500));
  });

  test('has no cursors after the last row', async () => {
    const last = await read({ ids: ids.slice(0, 2), first: 2 });
    const behind = await read({ ids: ids.slice(0, 2), first: 2, after: last.pageInfo.endCursor });
    expect(behind).toMatchObject({
      ids: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: true, startCursor: null, endCursor: null },
    });
  });
});

describe('a cursor', () => {
  const encoded = (text: string) => Buffer.from(text).toString('base64url');

  test.each([
    ['of the service itself', '300001'],
    ['with padding', `${cursorOf('30000', 0)}=`],
    ['of a segment that does not exist', cursorOf('300001', 1)],
    ['without a row', encoded('0:')],
    ['with too many rows', encoded(';4\n3\n2\n1')],
    ['of bytes that are not UTF-8', Buffer.from([0x30, 0x3a, 0xff]).toString('base64url')],
  ])('%s is rejected before a call', async (_what, after) => {
    expectRefused(gateway, await askPage(gateway, { after }));
  });

  test.each([
    [400, 'BAD_USER_INPUT'],
    [404, 'BAD_USER_INPUT'],
    [401, 'UNAUTHENTICATED'],
    [403, 'FORBIDDEN'],
    [500, 'UPSTREAM_UNAVAILABLE'],
  ])('that gets %i from REST is the error %s', async (status, code) => {
    gateway.rest.misbehave({ kind: 'status', status });
    const answer = await askPage(gateway, { after: cursorOf(present(ids[0])) });
    expect(answer.data).toEqual({ debtors: null });
    expect(answer.errors).toMatchObject([{ path: ['debtors'], extensions: { code, upstream: { status } } }]);
    expect(gateway.calls()).toMatchObject([{ cursor: ids[0] }]);
  });

  test('is not named by the error for a 404 without a cursor', async () => {
    gateway.rest.misbehave({ kind: 'status', status: 404 });
    expect(codesOf(await askPage(gateway, {}))).toEqual(['NOT_FOUND']);
  });
});

describe('if the service', () => {
  let turn = 0;
  const next = (cursor: string | undefined) => (page: RestPage) => ({ ...page, pagination: { cursor } });

  test.each<[string, (page: RestPage) => object, Page, number]>([
    ['says the same cursor again', next(ids[9]), { first: 10_000 }, 2],
    ['repeats three cursors', (page) => next(ids[turn++ % 3])(page), { first: 10_000 }, 4],
    ['gives back the cursor of the caller', next(ids[4]), { after: cursorOf(present(ids[4]), 0) }, 1],
    ['has an empty page and says more follow', () => next(ids[9])({ data: [] }), { first: 10 }, 1],
    ['gives a cursor that is too long for a URL', next('x'.repeat(1001)), { first: 700 }, 1],
    ['gives rows that are not a list', () => ({ data: {} }), {}, 1],
    ['gives a cursor that is not a string', (page) => ({ ...page, pagination: { cursor: 7 } }), {}, 1],
  ])('%s, the list fails and the gateway reads no further', async (_what, change, page, calls) => {
    gateway.rest.misbehave({ ...changePage(change), times: 50 });
    expect(codesOf(await askPage(gateway, page))).toEqual(['UPSTREAM_INVALID_RESPONSE']);
    expect(gateway.calls()).toHaveLength(calls);
  });

  test.each([{}, { pagination: { cursor: null } }])('ends a page with %j, none follows', async (end) => {
    gateway.rest.misbehave(changePage(({ data }) => ({ data: data.slice(0, 3), ...end })));
    const page = await read({ first: 10 });
    expect([page.ids, page.pageInfo.hasNextPage]).toEqual([ids.slice(0, 3), false]);
    expect(gateway.calls()).toHaveLength(1);
  });
});
