import { describe, expect, test } from 'vitest';
import { ADMINISTRATION, postTo, useGateway } from '../support/gateway.ts';
import { cost, debtor, freshCallers, page, reads, UNMARK } from './support.ts';

const gateway = await useGateway({ gateway: { cacheTtlMs: 60_000 } });
const [first, second, third] = gateway.rest.data.debtors
  .filter((debtor) => debtor.administration_id === ADMINISTRATION)
  .map(({ id }) => id);

/** Every test reads as a caller of its own, so that it starts with an empty cache. */
const newCaller = await freshCallers(gateway, 50);

function lookups(...wanted: (readonly [id: string | undefined, fields: string])[]): string {
  return `{ ${wanted.map(([id, fields], index) => `r${index}: ${debtor(id, fields)}`).join(' ')} }`;
}

test('a page is not read again while the cache covers its selection', async () => {
  const caller = { ...newCaller(), 'x-explain': 'true' };
  const wide = await gateway.query(page('name debtorNumber postalAddress { city region }'), {}, caller);
  const narrow = await gateway.query(page('name postalAddress { city }'), {}, caller);
  expect(gateway.calls()).toHaveLength(1);
  expect(wide.extensions).toMatchObject(cost(0, 1));
  expect(narrow.extensions).toMatchObject(cost(1, 0));
  expect(narrow.extensions.explain).toMatchObject([{ path: '/v1/debtors', source: 'cache', rows: 3 }]);
  expect(wide.data).toMatchObject(JSON.parse(JSON.stringify(narrow.data)));
});

describe('a lookup', () => {
  test('requests only the records that are not cached', async () => {
    const caller = newCaller();
    await gateway.query(lookups([first, 'name'], [second, 'name']), {}, caller);
    await gateway.query(lookups([second, 'name'], [third, 'name']), {}, caller);
    expect(gateway.calls().map(({ ids }) => ids)).toEqual([`${first},${second}`, third]);
  });

  test('requests a record again if a field is not cached, and caches both selections', async () => {
    const caller = newCaller();
    await gateway.query(lookups([first, 'name postalAddress { city }']), {}, caller);
    const { data } = await gateway.query(
      lookups([first, 'name remark postalAddress { city region }']),
      {},
      caller,
    );
    await gateway.query(lookups([first, 'name remark postalAddress { region }']), {}, caller);
    expect(gateway.calls().map(({ only }) => only)).toEqual([
      ['id', 'administration_id', 'name', { postal_address: ['city'] }],
      ['id', 'administration_id', 'name', 'remark', { postal_address: ['city', 'region'] }],
    ]);
    const record = gateway.rest.data.debtors.find(({ id }) => id === first);
    expect(data).toMatchObject({
      r0: { name: record?.name, postalAddress: { city: record?.postal_address.city } },
    });
  });

  test('finds a record that a cached page contains', async () => {
    const caller = newCaller();
    await gateway.query(page('name'), {}, caller);
    await gateway.query(lookups([first, 'name'], [second, 'name']), {}, caller);
    expect(gateway.calls()).toHaveLength(1);
  });

  test('caches that a record does not exist', async () => {
    const caller = newCaller();
    await gateway.query(lookups(['0', 'name']), {}, caller);
    const { data } = await gateway.query(lookups(['0', 'name']), {}, caller);
    expect(data).toEqual({ r0: null });
    expect(gateway.calls()).toHaveLength(1);
  });
});

describe('cached records', () => {
  test('are dropped after a write that failed, since it may have taken effect', async () => {
    const caller = newCaller();
    await gateway.query(page('name'), {}, caller);
    gateway.rest.misbehave({ kind: 'reset', match: { method: 'PATCH' } });
    await gateway.query(UNMARK, {}, caller);
    await gateway.query(page('name'), {}, caller);
    expect(reads(gateway.calls())).toHaveLength(2);
  });

  test.each([
    ['are dropped by a response of 401', 401, 1],
    ['stay after a response of 403, which may be about one list', 403, 0],
  ])('%s', async (_what, status, calls) => {
    const caller = newCaller();
    await gateway.query(page('name'), {}, caller);
    gateway.rest.misbehave({ kind: 'status', status, body: '{"code":"x","message":"x"}' });
    await gateway.query(page('name', 'first: 9'), {}, caller);
    await gateway.query(page('name'), {}, caller);
    expect(gateway.calls()).toHaveLength(2 + calls);
  });
});

describe('reads at the same time', () => {
  test('share one call per credential, even if one selects less', async () => {
    const caller = newCaller();
    gateway.rest.misbehave({ kind: 'delay', milliseconds: 100 });
    const wide = gateway.query(page('name remark'), {}, caller);
    await expect.poll(() => gateway.calls().length).toBe(1);
    const narrow = await gateway.query(page('name'), {}, caller);
    expect((await wide).extensions).toMatchObject(cost(0, 1));
    expect(narrow.extensions).toMatchObject(cost(0, 0, 1));
    expect(gateway.calls()).toHaveLength(1);
  });

  test('continue for the others when the first client disconnects', async () => {
    const caller = newCaller();
    gateway.rest.misbehave({ kind: 'delay', milliseconds: 200 });
    const leader = new AbortController();
    const left = postTo(gateway.url, page('name'), caller, leader);
    await expect.poll(() => gateway.calls().length).toBe(1);
    const follower = gateway.query(page('name'), {}, caller);
    // An answer to a later request says that the follower's has arrived too.
    await gateway.query('{ __typename }', {}, caller);
    leader.abort();
    await expect(left).rejects.toThrow();
    expect((await follower).errors).toBeUndefined();
    expect(gateway.calls()).toHaveLength(1);
  });

  test('are not joined after a write, which may have changed their records', async () => {
    const caller = newCaller();
    gateway.rest.misbehave({ kind: 'delay', milliseconds: 300, match: { method: 'GET' } });
    const early = gateway.query(page('name'), {}, caller);
    await expect.poll(() => gateway.calls().length).toBe(1);
    await gateway.query(UNMARK, {}, caller);
    const late = await gateway.query(page('name'), {}, caller);
    expect(late.extensions).toMatchObject(cost(0, 1));
    expect((await early).extensions).toMatchObject(cost(0, 1));
    expect((await gateway.query(page('name'), {}, caller)).extensions).toMatchObject(cost(1, 0));
    expect(reads(gateway.calls())).toHaveLength(2);
  });
});
