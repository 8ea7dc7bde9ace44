import { afterAll, beforeAll, expect, test } from 'vitest';
import { cost, page, reads, UNMARK } from '../cache/support.ts';
import { eventually } from '../support/eventually.ts';
import { OTHER_BEARER, type TestGateway } from '../support/gateway.ts';
import { describeWithRedis, startProxy, startRedis, type TestRedis } from '../support/redis.ts';
import { withResolver } from '../support/with-resolver.ts';
import { startReplica, startReplicas } from './support.ts';

const CACHED = { cacheTtlMs: 3_600_000 };
const DEBTORS = page('name');

const read = async (gateway: TestGateway) => (await gateway.query(DEBTORS)).extensions;

/** Reads until it comes from the service: messages take a moment. */
const readsAnew = (gateway: TestGateway) =>
  eventually(async () => expect(await read(gateway)).toMatchObject(cost(0, 1)));

describeWithRedis('the cache of one replica', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  test('is cleared when its credential writes at another replica', async () => {
    const { a, b } = await startReplicas(redis.url, CACHED);
    await read(b);
    expect(await read(b)).toMatchObject(cost(1, 0));
    await a.query(UNMARK);
    await readsAnew(b);
    expect(await read(b)).toMatchObject(cost(1, 0));
  });

  test('is not cleared when another credential writes', async () => {
    const { a, b, rest } = await startReplicas(redis.url, CACHED);
    await read(b);
    rest.misbehave({ kind: 'status', status: 403, match: { authorization: OTHER_BEARER.authorization } });
    await a.query(DEBTORS, {}, OTHER_BEARER);
    // Another message follows; it has arrived once its credential reads again.
    await b.query(page('name', 'first: 2'), {}, OTHER_BEARER);
    await a.query(UNMARK.replace('400001', '400002'), {}, OTHER_BEARER);
    await eventually(async () => {
      const { extensions } = await b.query(page('name', 'first: 2'), {}, OTHER_BEARER);
      expect(extensions).toMatchObject(cost(0, 1));
    });
    expect(await read(b)).toMatchObject(cost(1, 0));
  });

  test('does not store a read that began before a write and ends after it', async () => {
    const { a, b, rest } = await startReplicas(redis.url, CACHED);
    await b.query(page('name', 'first: 2'));
    const { promise: until, resolve: release } = withResolver();
    rest.misbehave({ kind: 'stale', until, match: { method: 'GET' } });
    const stale = b.query(DEBTORS);
    await eventually(() => expect(reads(a.calls())).toHaveLength(2));
    await a.query(UNMARK);
    await eventually(async () => {
      const { extensions } = await b.query(page('name', 'first: 2'));
      expect(extensions).toMatchObject(cost(0, 1));
    });
    release();
    await stale;
    expect(await read(b)).toMatchObject(cost(0, 1));
  });

  test('is cleared when the connection to Redis is lost, and when it is back', async () => {
    const proxy = await startProxy(redis.port);
    const gateway = await startReplica(proxy.url, CACHED);
    await gateway.reaches('connected');
    await read(gateway);
    let accepts = false;
    proxy.onRequest = (_bytes, pass) => accepts && pass();
    proxy.cut();
    await gateway.reaches('lost');
    expect(await read(gateway)).toMatchObject(cost(0, 1));
    expect(await read(gateway)).toMatchObject(cost(1, 0));
    accepts = true;
    proxy.cut();
    await gateway.reaches('connected');
    expect(await read(gateway)).toMatchObject(cost(0, 1));
  });

  test('is cleared when another replica reconnects that could not broadcast a write', async () => {
    const proxy = await startProxy(redis.port);
    const a = await startReplica(proxy.url, CACHED);
    await a.reaches('connected');
    const b = await startReplica(redis.url, CACHED, a.rest);
    await b.reaches('connected');
    await read(b);
    let accepts = false;
    proxy.onRequest = (_bytes, pass) => accepts && pass();
    proxy.cut();
    await a.reaches('lost');
    await a.query(UNMARK);
    expect(await read(b)).toMatchObject(cost(1, 0));
    accepts = true;
    proxy.cut();
    await a.reaches('connected');
    await readsAnew(b);
    expect(b.states).toEqual(['connected']);
  });
});
