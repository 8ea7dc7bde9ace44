import { expect, test } from 'vitest';
import { useFetchGateway } from '../http/support/fetch-gateway.ts';
import { times } from '../support/times.ts';

const MAX_BYTES = 100_000;
const memory = { operationBytes: 64_000_000, cacheBytes: MAX_BYTES };
const gateway = await useFetchGateway({}, { CACHE_TTL_MS: '60000' }, { memory });

/** Reads a page of debtors; returns how many REST calls that took. */
async function read(administration: string, first: number, field = 'name'): Promise<number> {
  const before = gateway.rest.calls.length;
  const query = `{ debtors(administrationId: "${administration}", first: ${first}) { nodes { ${field} } } }`;
  expect((await gateway.post({ query })).status).toBe(200);
  return gateway.rest.calls.length - before;
}
const kept = () => gateway.gateway.stats().caches.rest?.bytes ?? 0;

test('the cache keeps the latest reads within its limit of bytes', async () => {
  for (const first of times(8, (index) => 50 + index))
    for (const name of ['1001', '1002']) await read(name, first);
  expect(kept()).toBeGreaterThan(MAX_BYTES / 10);
  expect(kept()).toBeLessThanOrEqual(MAX_BYTES);
  expect(await read('1002', 57)).toBe(0);
});

test('the cache does not keep a list that is larger than the whole cache, but keeps later ones', async () => {
  expect([await read('1001', 2_000), await read('1001', 2_000)]).toEqual([4, 4]);
  expect(kept()).toBeLessThanOrEqual(MAX_BYTES);
  expect([await read('1002', 3, 'remark'), await read('1002', 3, 'remark')]).toEqual([1, 0]);
});
