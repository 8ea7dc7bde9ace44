import { describe, expect, test } from 'vitest';
import { demoCredentials } from '../../src/demo/applications.ts';
import { ADMINISTRATION, freshGateway, useGateway } from '../support/gateway.ts';
import { changeDebtor } from '../support/rest-records.ts';
import { withResolver } from '../support/with-resolver.ts';
import { cost, debtor, freshCallers, page } from './support.ts';

const gateway = await useGateway({
  gateway: { cacheTtlMs: 60_000, application: demoCredentials.clientCredentialsApplication },
});
const newCaller = await freshCallers(gateway);
const id =
  gateway.rest.data.debtors.find(({ administration_id }) => administration_id === ADMINISTRATION)?.id ??
  expect.fail('there is no debtor');

describe.each(['No-Cache', 'no-store', 'max-age=0'])('a read with `Cache-Control: %s`', (value) => {
  test.each([
    ['a page', page('name')],
    ['a record', `{ ${debtor(id, 'name')} }`],
    ['the viewer', '{ viewer { clientId } }'],
  ])('reads %s again and caches the result', async (_what, query) => {
    const caller = newCaller();
    await gateway.query(query, {}, caller);
    const fresh = await gateway.query(query, {}, { ...caller, 'cache-control': value });
    expect(fresh.extensions).toMatchObject(cost(0, 1));
    expect((await gateway.query(query, {}, caller)).extensions).toMatchObject(cost(1, 0));
  });
});

describe('a read with `Cache-Control: no-cache`', () => {
  test.each([
    ['a page', page('name')],
    ['a record', `{ ${debtor(id, 'name')} }`],
  ])('of %s does not join a call that was sent before', async (_what, query) => {
    const caller = newCaller();
    const { promise: until, resolve } = withResolver();
    gateway.rest.misbehave({ kind: 'stale', until });
    const early = gateway.query(query, {}, caller);
    await expect.poll(() => gateway.calls().length).toBe(1);
    changeDebtor(gateway.rest, ADMINISTRATION, { name: `Changed for ${query.length}` });
    const fresh = await gateway.query(query, {}, { ...caller, 'cache-control': 'no-cache' });
    expect(fresh.text).toContain(`Changed for ${query.length}`);
    resolve();
    await early;
    expect((await gateway.query(query, {}, caller)).text).toContain(`Changed for ${query.length}`);
    expect(gateway.calls()).toHaveLength(2);
  });

  test('shares its own calls and lets later reads join them', async () => {
    const caller = newCaller();
    const { promise: until, resolve } = withResolver();
    gateway.rest.misbehave({ kind: 'stale', until });
    const fresh = gateway.query(page('name'), {}, { ...caller, 'cache-control': 'no-cache' });
    await expect.poll(() => gateway.calls().length).toBe(1);
    const usual = gateway.query(page('name'), {}, caller);
    // An answer to a later request says that this one has arrived too.
    await gateway.query('{ __typename }', {}, caller);
    resolve();
    expect((await fresh).extensions).toMatchObject(cost(0, 1));
    expect((await usual).extensions).toMatchObject(cost(0, 0, 1));
  });
});

test('cached records are read again after the time to live', async () => {
  const brief = await freshGateway({ gateway: { cacheTtlMs: 20 } });
  await brief.query(page('name'));
  await expect.poll(async () => (await brief.query(page('name'))) && brief.calls().length).toBeGreaterThan(1);
});

describe('the latest result of a lookup replaces the cached one', () => {
  const { debtors } = gateway.rest.data;
  const [some = expect.fail('there is no debtor')] = debtors;

  test('if it finds a record that was missing', async () => {
    const caller = newCaller();
    const added = { ...some, id: 'added' };
    const query = `{ ${debtor(added.id, 'name remark')} }`;
    expect((await gateway.query(query, {}, caller)).data).toEqual({ debtor: null });
    debtors.push(added);
    await gateway.query(page('name', `ids: ["${id}", "${added.id}"]`), {}, caller);
    expect((await gateway.query(query, {}, caller)).data).toMatchObject({ debtor: { name: added.name } });
  });

  test('if it misses a record that was there', async () => {
    const caller = newCaller();
    const removed = { ...some, id: 'removed' };
    const query = `{ ${debtor(removed.id, 'name')} }`;
    debtors.push(removed);
    expect((await gateway.query(query, {}, caller)).data).toMatchObject({ debtor: { name: removed.name } });
    debtors.splice(debtors.indexOf(removed), 1);
    await gateway.query(query, {}, { ...caller, 'cache-control': 'no-cache' });
    expect((await gateway.query(query, {}, caller)).data).toEqual({ debtor: null });
    expect(gateway.calls()).toHaveLength(2);
  });
});
