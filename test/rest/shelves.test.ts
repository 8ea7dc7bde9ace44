import { expect, test } from 'vitest';
import { createRestCache } from '../../src/rest/cache/rest-cache.ts';
import { times } from '../support/times.ts';

const MAX_BYTES = 100_000;
const FIELDS = { internalId: {} };

/** A cache, and a function that keeps so many records of an administration. */
function kept() {
  const cache = createRestCache(60_000, MAX_BYTES);
  const shelf = (administration: string) =>
    cache.credential('Bearer one').generation().shelf('/things', administration);
  const add = (administration: string, page: number, count = 10) => {
    const rows = times(count, (index) => ({ internalId: `${page}-${index}` }));
    const key = String(page);
    shelf(administration).addPage(
      { rows, bytes: 100 * count, sentAt: 1 },
      { fields: FIELDS, perPage: count },
      key,
    );
  };
  const has = (administration: string, page: number) =>
    shelf(administration).page(String(page), { fields: FIELDS, perPage: 10 }) !== undefined;
  return { cache, add, has };
}

test('what is kept grows up to the limit of bytes, and the lists that were used last stay', () => {
  const { cache, add, has } = kept();
  for (let page = 0; page < 8; page += 1) for (const name of ['a', 'b', 'c']) add(name, page);
  const { bytes, entries } = cache.size();
  expect(bytes).toBeGreaterThan(MAX_BYTES / 2);
  expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
  expect(entries).toBeLessThan(3 * 8 * 11);
  expect([has('c', 7), has('b', 7)]).toContain(true);
});

test('a list that is larger than all there is room for is not kept, and leaves the others', () => {
  const { cache, add, has } = kept();
  add('a', 1);
  for (let page = 0; page < 30; page += 1) add('b', page);
  expect(cache.size().bytes).toBeLessThanOrEqual(MAX_BYTES);
  add('c', 1);
  expect(has('c', 1)).toBe(true);
});

test('records that are read again and again with other fields take no more room than their limit', () => {
  const { cache } = kept();
  const shelf = () => cache.credential('Bearer one').generation().shelf('/things');
  for (let read = 0; read < 1_000; read += 1) {
    const fields = { internalId: {}, [`field${read % 3}`]: {} };
    const rows = [{ internalId: 'a', [`field${read % 3}`]: 'x' }];
    shelf().addPage({ rows, bytes: 100, sentAt: read }, { fields, perPage: 1 }, undefined);
  }
  expect(cache.size().bytes).toBeLessThanOrEqual(MAX_BYTES);
});
