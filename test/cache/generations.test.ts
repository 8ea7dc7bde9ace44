import { describe, expect, test } from 'vitest';
import { ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { withResolver } from '../support/with-resolver.ts';
import { cost, debtor, freshCallers, page, UNMARK } from './support.ts';

const gateway = await useGateway({ gateway: { cacheTtlMs: 60_000 } });
const newCaller = await freshCallers(gateway);
const [record] = gateway.rest.data.debtors.filter(
  ({ administration_id }) => administration_id === ADMINISTRATION,
);
const { id } = record ?? expect.fail('there is no debtor');

/** Ends the generation in which the caller has read so far. */
const ends: [string, (caller: { authorization: string }) => Promise<unknown>][] = [
  ['a write', (caller) => gateway.query(UNMARK, {}, caller)],
  [
    'a 401',
    (caller) => {
      gateway.rest.misbehave({ kind: 'status', status: 401 });
      return gateway.query(
        '{ deletedPayments(administrationId: "1001") { nodes { internalId } } }',
        {},
        caller,
      );
    },
  ],
];

describe.each(ends)('the response to a call sent before %s', (_what, end) => {
  test.each([
    ['the page of a list', page('name'), page('name')],
    ['a record of a list', page('name'), `{ ${debtor(id, 'name')} }`],
    ['a record that was looked up', `{ ${debtor(id, 'name')} }`, `{ ${debtor(id, 'name')} }`],
  ])('is not served from the cache afterwards: %s', async (_kind, early, late) => {
    const caller = newCaller();
    const { promise: until, resolve } = withResolver();
    gateway.rest.misbehave({ kind: 'stale', until, match: { method: 'GET' } });
    const underWay = gateway.query(early, {}, caller);
    await expect.poll(() => gateway.calls().length).toBe(1);
    await end(caller);
    resolve();
    expect((await underWay).errors).toBeUndefined();
    expect((await gateway.query(late, {}, caller)).extensions).toMatchObject(cost(0, 1));
  });
});

test('a read that was sent first but ended last adds only the fields that the later read lacks', async () => {
  const caller = newCaller();
  const { promise: until, resolve } = withResolver();
  gateway.rest.misbehave({ kind: 'stale', until });
  const underWay = gateway.query(page('name vatNumber'), {}, caller);
  await expect.poll(() => gateway.calls().length).toBe(1);
  await gateway.query(page('name remark'), {}, caller);
  resolve();
  await underWay;
  expect((await gateway.query(page('name vatNumber remark'), {}, caller)).extensions).toMatchObject(
    cost(1, 0),
  );
});
