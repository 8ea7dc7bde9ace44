import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { codesOf } from '../support/answers.ts';
import { ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { encode } from '../support/ids.ts';
import { present } from '../support/present.ts';
import { changePage } from '../support/rest-pages.ts';
import { debtorsOf, idsOf } from '../support/rest-records.ts';
import { casesOf } from '../support/search.ts';
import { times } from '../support/times.ts';
import { askPage, MANY_FIELDS, type Page, readPage } from './support.ts';

const gateway = await useGateway();
const { debtors } = gateway.rest.data;
const original = debtorsOf(gateway, ADMINISTRATION).slice(0, 1200);
const ids = idsOf(original);
const read = (page: Page, fields?: string) => readPage(gateway, page, fields);
/** Writes a cursor like earlier builds, which encoded each id separately. */
const earlierCursor = (rows: readonly string[]) => [':', ...rows].map((text) => encode(text)).join('.');
const cursors = () => gateway.calls().map(({ cursor }) => cursor);

function keep(kept: readonly (typeof original)[number][]): void {
  debtors.splice(0, debtors.length, ...kept);
}

function remove(gone: readonly (string | undefined)[]): void {
  keep(debtors.filter(({ id }) => !gone.includes(id)));
}

beforeEach(() => keep(original));

describe('the page after a cursor', () => {
  test.each([
    ['the row of the cursor', [9], [9, 8]],
    ['the row of the cursor and the one before', [9, 8], [9, 8, 7]],
    ['the row of the cursor and rows after it', [9, 10, 11], [9, 8]],
  ])('continues if these rows were deleted: %s', async (_what, gone, tried) => {
    const { pageInfo } = await read({ first: 10 });
    remove(gone.map((index) => ids[index]));
    gateway.rest.calls.length = 0;
    const next = await read({ first: 3, after: pageInfo.endCursor });
    expect(next.ids).toEqual(idsOf(debtors.filter(({ id }) => ids.indexOf(id) > 9)).slice(0, 3));
    expect(cursors()).toEqual(tried.map((index) => ids[index]));
  });

  test.each([
    ['only its row', [9]],
    ['its row and those before it', [9, 8, 7]],
  ])('continues for a cursor of an earlier version that names %s', async (_what, rows) => {
    remove(ids.slice(10 - rows.length + 1, 11));
    const after = earlierCursor(rows.map((index) => present(ids[index])));
    expect((await read({ first: 3, after })).ids).toEqual(ids.slice(11, 14));
  });

  test('continues if ids contain line breaks', async () => {
    keep(original.slice(0, 3).map((row) => ({ ...row, id: `${row.id}\n1` })));
    const { cursors, ids: all } = await read({ first: 2 });
    for (const [index, after] of cursors.entries())
      expect((await read({ first: 1, after })).ids).toEqual([all[index + 1] ?? `${ids[2]}\n1`]);
  });

  test('is an error that asks to read the list again if all rows of the cursor were deleted', async () => {
    const { pageInfo } = await read({ first: 10 });
    remove(ids.slice(7, 10));
    expect((await askPage(gateway, { first: 3, after: pageInfo.endCursor })).errors).toMatchObject([
      {
        message: expect.stringContaining('Read the list from its start, without `after`.'),
        extensions: { code: 'BAD_USER_INPUT', upstream: { status: 400 } },
      },
    ]);
  });
});

describe('while a list is read in two REST pages,', () => {
  const afterFirstPage = (change: () => void) =>
    gateway.rest.misbehave(
      changePage((body) => {
        change();
        return body;
      }),
    );

  test.each([
    [1, [0, 1]],
    [3, [0, 1, 2, 4]],
    [499, [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 499]],
  ])('%i rows are deleted, and it continues after a remaining row', async (count, steps) => {
    afterFirstPage(() => remove(ids.slice(500 - count, 500)));
    expect((await read({ first: 510 })).ids).toEqual(ids.slice(0, 510));
    expect(cursors()).toEqual([undefined, ...steps.map((step) => ids[499 - step])]);
  });

  test('all rows are deleted, and it fails with UPSTREAM_INVALID_RESPONSE', async () => {
    afterFirstPage(() => remove(ids.slice(0, 500)));
    expect(codesOf(await askPage(gateway, { first: 510 }))).toEqual(['UPSTREAM_INVALID_RESPONSE']);
    expect(gateway.calls()).toHaveLength(12);
  });

  test.each([404, 422])('a cursor fails with %i, and it continues after an earlier row', async (status) => {
    afterFirstPage(() => gateway.rest.misbehave({ kind: 'status', status }));
    expect((await read({ first: 510 })).ids).toEqual(ids.slice(0, 510));
  });

  test.each([
    ['on one page', changePage((page) => ({ ...page, data: [...page.data, ...page.data.slice(0, 2)] }))],
    ['on two pages', changePage(({ data }) => ({ data, pagination: { cursor: ids[497] } }))],
  ])('a row that the service repeats is returned once: %s', async (_where, fault) => {
    gateway.rest.misbehave(fault);
    expect((await read({ first: 510 })).ids).toEqual(ids.slice(0, 510));
  });
});

const step = fc.record({
  first: fc.integer({ min: 1, max: 12 }),
  fields: fc.constantFrom('', '', 'name', MANY_FIELDS),
  /** The edge of the page to continue after, counted from its end. */
  back: fc.oneof(fc.constant(0), fc.constant(0), fc.nat({ max: 4 })),
  /** How many rows, from which distance of the cursor, are deleted afterwards, and put back. */
  deleted: fc.tuple(fc.integer({ min: -6, max: 6 }), fc.nat({ max: 3 })),
  inserted: fc.nat({ max: 40 }),
});
const few = original.slice(0, 40);
const unknown = times(400, (index) => `x${1000 + index}`);
const scenario = fc.record({
  filter: fc.constantFrom<Page>(
    {},
    // These fit into one URL with few fields, and not with many.
    { ids: [...ids.slice(0, 40), ...unknown] },
    { debtorNumbers: [...few.map(({ debtor_number }) => debtor_number), ...unknown, ...unknown] },
    { updatedAfter: '2000-01-01T00:00:00Z' },
  ),
  isReversed: fc.boolean(),
  steps: fc.array(step, { minLength: 8, maxLength: 8 }),
});

test('paging returns every remaining row once, whichever rows are deleted between pages', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async ({ filter, isReversed, steps }) => {
      keep(isReversed ? [...few].reverse() : few);
      const order = idsOf(debtors);
      const hidden = few.filter((_, index) => index % 5 === 0);
      remove(idsOf(hidden));
      const stayed = new Set(idsOf(debtors));
      const given: string[] = [];
      let after: string | null | undefined;
      let isEnded = false;
      for (const { first, fields, back, deleted, inserted } of [...steps, ...steps]) {
        const answer = await askPage(gateway, { first, after, ...filter }, fields);
        // All rows are gone that the cursor names.
        if (after && codesOf(answer)[0] === 'BAD_USER_INPUT') return;
        expect(codesOf(answer)).toEqual([]);
        const { edges, pageInfo } = present(answer.data.debtors);
        const taken = edges.slice(0, Math.max(1, edges.length - back));
        given.push(...taken.map(({ node }) => node.internalId));
        const last = taken.at(-1);
        isEnded = taken.length === edges.length && !pageInfo.hasNextPage;
        if (isEnded || last === undefined) break;
        after = taken.length === edges.length ? pageInfo.endCursor : last.cursor;
        const place = order.indexOf(last.node.internalId) + 1 - deleted[1] + deleted[0];
        const gone = order.slice(Math.max(0, place), Math.max(0, place + deleted[1]));
        remove(gone);
        for (const id of gone) stayed.delete(id);
        const returned = hidden.find(({ id }) => id === order[inserted]);
        if (returned && !debtors.some(({ id }) => id === returned.id)) {
          const at = debtors.findIndex(({ id }) => order.indexOf(id) > inserted);
          debtors.splice(at < 0 ? debtors.length : at, 0, returned);
        }
      }
      expect(new Set(given).size).toBe(given.length);
      const passed = isEnded ? order.length : order.indexOf(given.at(-1) ?? '');
      const expected = order.filter((id, index) => stayed.has(id) && index <= passed);
      expect(given.filter((id) => stayed.has(id))).toEqual(expected);
    }),
    { numRuns: casesOf({ short: 5, long: 15 }) },
  );
});
