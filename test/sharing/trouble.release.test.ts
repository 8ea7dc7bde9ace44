import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { page, UNMARK } from '../cache/support.ts';
import { describeWithRedis, startRedis, type TestRedis } from '../support/redis.ts';
import { type Replica, refresh, SECRET, startReplica, tokenCalls } from './support.ts';

async function freshRedis(...options: string[]): Promise<TestRedis> {
  const redis = await startRedis(...options);
  onTestFinished(() => redis.stop());
  return redis;
}

async function configure(redis: TestRedis, ...commands: string[][]): Promise<void> {
  const client = new Redis(redis.url);
  for (const [name = '', ...args] of commands) await client.call(name, ...args);
  client.disconnect();
}

/** Everything that uses Redis, without an error. */
async function expectToWork(gateway: Replica): Promise<void> {
  const answers = [
    await gateway.query(page('name')),
    await gateway.query(UNMARK),
    await gateway.query(page('name')),
    await refresh(gateway),
  ];
  expect(answers.flatMap(({ errors = [] }) => errors)).toEqual([]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(tokenCalls(gateway.rest)).toHaveLength(1);
}

/** A busy machine may make Redis slower than the deadline that a gateway has; only some tests are about that. */
const start = (redisUrl: string, deadlineMs = 10_000) =>
  startReplica(redisUrl, {
    credentialCallsPerMinute: 100,
    sharing: { redisUrl, secret: SECRET, deadlineMs },
  });
const DEADLINE_MS = 50;

describeWithRedis('while Redis', () => {
  test.each<
    [string, string, (redis: TestRedis) => void | Promise<void>, (redis: TestRedis) => void | Promise<void>]
  >([
    ['is stopped', 'timeout', (redis) => redis.signal('SIGSTOP'), (redis) => redis.signal('SIGCONT')],
    ['has stopped listening', 'connection closed|ECONNRE', (redis) => redis.stop(), (redis) => redis.start()],
    [
      'is full',
      'OOM',
      (redis) => configure(redis, ['CONFIG', 'SET', 'maxmemory', '1']),
      (redis) => configure(redis, ['CONFIG', 'SET', 'maxmemory', '0']),
    ],
    [
      'is a replica that is read only',
      'READONLY|MASTERDOWN',
      (redis) => configure(redis, ['REPLICAOF', '127.0.0.1', '1']),
      (redis) => configure(redis, ['REPLICAOF', 'NO', 'ONE']),
    ],
  ])('%s, operations run without it, and replicas share again afterwards', async (_, reason, harm, mend) => {
    const redis = await freshRedis();
    const gateway = await start(redis.url, reason === 'timeout' ? DEADLINE_MS : undefined);
    await gateway.reaches('connected');
    await harm(redis);
    await gateway.reaches(`lost: (${reason})`);
    await expectToWork(gateway);
    await mend(redis);
    await gateway.reaches('connected');
  });

  test('fails a second time, the log has the second reason', async () => {
    const redis = await freshRedis();
    await redis.stop();
    const gateway = await start(redis.url);
    await gateway.reaches('lost: ECONNREFUSED');
    await redis.start();
    await gateway.reaches('connected');
    await redis.stop();
    await gateway.reaches('lost: (connection closed|ECONNRESET)');
  });

  test.each([
    ['does not accept the password', (redis: TestRedis) => redis.url.replace('//', '//:wrong@'), 'WRONGPASS'],
    ['has no such database', (redis: TestRedis) => `${redis.url.replace('//', '//:right@')}/99`, 'ERR'],
    ['does not exist', () => 'redis://127.0.0.1:1', 'ECONNREFUSED'],
  ])('%s, the gateway starts and runs operations', async (_, urlOf, reason) => {
    const gateway = await start(urlOf(await freshRedis('--requirepass', 'right')));
    await gateway.reaches('lost');
    await expectToWork(gateway);
    expect(gateway.states).toEqual([`lost: ${reason}`]);
  });
});
