import { describe, expect, test } from 'vitest';
import { ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { present } from '../support/present.ts';
import { debtorsOf, idsOf } from '../support/rest-records.ts';
import { times } from '../support/times.ts';
import { withResolver } from '../support/with-resolver.ts';
import { MANY_FIELDS, type Page, readPage } from './support.ts';

const gateway = await useGateway();
const debtors = debtorsOf(gateway, ADMINISTRATION).slice(0, 700);
const ids = idsOf(debtors);
const debtorIdentifiers = debtors.map(({ debtor_identifier }) => debtor_identifier);
const read = (page: Page, fields?: string) => readPage(gateway, { debtorIdentifiers, ...page }, fields);
const sent = () => gateway.rest.calls.map(({ query }) => query.debtor_identifiers?.split(',') ?? []);

describe('a filter that is too long for one URL', () => {
  test('is read in parts side by side, with every row once', async () => {
    const { promise: until, resolve } = withResolver();
    gateway.rest.misbehave({ kind: 'stale', until, times: 20 });
    const reading = read({ first: 700 });
    // Each is held back until all have arrived.
    await expect.poll(() => sent().flat()).toEqual(debtorIdentifiers);
    resolve();
    const page = await reading;
    expect([page.ids, page.pageInfo.hasNextPage]).toEqual([ids, false]);
    expect(sent().length).toBeGreaterThan(1);
    for (const { url } of gateway.rest.calls)
      expect(gateway.rest.url.length + url.length).toBeLessThanOrEqual(4000);
  });

  test('is cut where rows end, needs no call of its own to tell that more follow, and has cursors on either side', async () => {
    const { cursors } = await read({ first: 10_000 });
    const cut = present(sent()[0]).length;
    gateway.rest.calls.length = 0;
    const page = await read({ first: cut });
    expect([page.ids, page.pageInfo.hasNextPage]).toEqual([ids.slice(0, cut), true]);
    expect(gateway.calls().map(({ per_page }) => per_page)).toEqual([String(cut), String(cut)]);
    for (const index of [cut - 2, cut - 1, cut, cut + 1]) {
      const next = await read({ first: 3, after: present(cursors[index]) });
      expect(next.ids).toEqual(ids.slice(index + 1, index + 4));
    }
  });

  test('stops at the part where there are rows enough', async () => {
    const page = await read({ first: 5 });
    expect([page.ids, page.pageInfo.hasNextPage]).toEqual([ids.slice(0, 5), true]);
    expect(gateway.calls()).toHaveLength(1);
  });

  test.each([
    ['alike', ''],
    ['with more fields on every other page, beside which a URL holds less', MANY_FIELDS],
  ])('keeps its rows in order, each once, when it is read page by page, %s', async (_how, fields) => {
    const walked: string[] = [];
    let after: string | null | undefined;
    do {
      const page: Awaited<ReturnType<typeof read>> = await read(
        { first: 150, after },
        walked.length % 300 === 0 ? '' : fields,
      );
      walked.push(...page.ids);
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
    } while (after);
    expect(walked).toEqual(ids);
  });

  test('knows that nothing follows when the last parts match nothing', async () => {
    const nobody = times(400, (index) => `nobody-${index}`);
    const page = await read({ first: 10, debtorIdentifiers: [...debtorIdentifiers.slice(0, 10), ...nobody] });
    expect([page.ids, page.pageInfo.hasNextPage]).toEqual([ids.slice(0, 10), false]);
  });

  test('gives a row once, though a value stands in it twice', async () => {
    const twice = [...debtorIdentifiers, ...debtorIdentifiers];
    expect((await read({ first: 10_000, debtorIdentifiers: twice })).ids).toEqual(ids);
  });
});
