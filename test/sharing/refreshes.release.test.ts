import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { demoCredentials } from '../../src/demo/applications.ts';
import { basicAuthorization } from '../../src/request/credentials.ts';
import { codesOf } from '../support/answers.ts';
import { eventually } from '../support/eventually.ts';
import { BASIC, postTo } from '../support/gateway.ts';
import { startProcess } from '../support/processes.ts';
import { describeWithRedis, startRedis, type TestRedis } from '../support/redis.ts';
import { startRest } from '../support/resources.ts';
import { refresh, SECRET, startReplica, startReplicas, tokenCalls } from './support.ts';

const { clientCredentialsApplication, refreshToken } = demoCredentials;
const NEXT = { accessToken: 'demo-access-token-2', refreshToken: 'demo-refresh-token-2' };

describeWithRedis('a refresh token at two replicas', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  /** A prefix for this test: the tokens of all services are the same. */
  const nextDatabase = (() => {
    let last = 0;
    return () => {
      last += 1;
      return `${redis.url}/${last}`;
    };
  })();

  test('is sent once, and both return the same pair', async () => {
    const { a, b, rest } = await startReplicas(nextDatabase());
    rest.misbehave({ kind: 'delay', milliseconds: 150 });
    const answers = await Promise.all([refresh(a), refresh(b)]);
    expect(answers.map(({ data }) => data)).toEqual([
      { refreshAccessToken: { token: NEXT } },
      { refreshAccessToken: { token: NEXT } },
    ]);
    expect(tokenCalls(rest)).toHaveLength(1);
    const costs = answers.map(({ extensions }) => extensions.cost);
    expect(costs).toContainEqual(expect.objectContaining({ calls: 1, coalesced: 0 }));
    expect(costs).toContainEqual(expect.objectContaining({ calls: 0, coalesced: 1 }));
    expect((await refresh(b)).data).toEqual({ refreshAccessToken: { token: NEXT } });
    expect(tokenCalls(rest)).toHaveLength(1);
  });

  test('is sent separately for each application', async () => {
    const { a, b, rest } = await startReplicas(nextDatabase());
    const { clientId, clientSecret } = clientCredentialsApplication;
    await refresh(a);
    const other = await refresh(b, refreshToken, {
      authorization: basicAuthorization(clientId, clientSecret),
    });
    expect(codesOf(other)).toEqual(['BAD_USER_INPUT']);
    expect(tokenCalls(rest)).toHaveLength(2);
  });

  test('is refreshed before its replica stops, without its client, and the other has the pair', async () => {
    const rest = await startRest();
    const url = nextDatabase();
    const holder = await startProcess({ REST_URL: rest.url, REDIS_URL: url, SHARING_SECRET: SECRET });
    const other = await startReplica(url, {}, rest);
    await other.reaches('connected');
    await connected(url, 2);
    rest.misbehave({ kind: 'delay', milliseconds: 1_000 });
    const caller = new AbortController();
    const left = refreshAt(holder.url, caller.signal).catch(() => {});
    await eventually(() => expect(tokenCalls(rest)).toHaveLength(1));
    caller.abort();
    await left;
    holder.child.kill('SIGTERM');
    await holder.exit;
    expect((await refresh(other)).data).toEqual({ refreshAccessToken: { token: NEXT } });
    expect(tokenCalls(rest)).toHaveLength(1);
  });

  test('leaves nothing in Redis that reveals it or the new tokens', async () => {
    const url = nextDatabase();
    const { a, b } = await startReplicas(url, { cacheTtlMs: 60_000, credentialCallsPerMinute: 100 });
    const client = new Redis(url);
    const monitor = await client.monitor();
    onTestFinished(() => {
      monitor.disconnect();
      client.disconnect();
    });
    const commands: string[] = [];
    monitor.on('monitor', (_time: string, args: string[]) => commands.push(args.join(' ')));
    await refresh(a);
    await refresh(b);
    await a.query('mutation { unmarkTaskCompleted(input: { taskId: "400001" }) { task { internalId } } }');
    await eventually(() => expect(commands.join()).toContain('PUBLISH'));
    const values = await Promise.all(
      (await client.keys('*')).map(async (key) => `${key} ${await client.get(key)}`),
    );
    expect(values.length).toBeGreaterThan(1);
    const text = [...commands, ...values].join('\n');
    expect(text).not.toMatch(/demo|Basic|Bearer|ZGVtb/);
    for (const key of await client.keys('*')) expect(await client.pttl(key)).toBeGreaterThan(0);
  });
});

async function connected(url: string, count: number): Promise<void> {
  const client = new Redis(url);
  try {
    await eventually(async () => {
      const channels = await client.pubsub('CHANNELS', 'receivables:invalidations:*');
      const [, subscribers] = await client.pubsub('NUMSUB', ...channels.map(String));
      expect(Number(subscribers)).toBeGreaterThanOrEqual(count);
    });
  } finally {
    client.disconnect();
  }
}

async function refreshAt(url: string, signal: AbortSignal | null = null): Promise<unknown> {
  const query = `mutation { refreshAccessToken(input: { refreshToken: "${refreshToken}" }) { token { accessToken } } }`;
  return (await postTo(url, query, BASIC, { signal })).json();
}
