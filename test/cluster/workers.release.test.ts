import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { demoCredentials } from '../../src/demo/applications.ts';
import { basicAuthorization } from '../../src/request/credentials.ts';
import { eventsIn, SSE, StreamReader, SUBSCRIPTION } from '../streams/support.ts';
import { eventually } from '../support/eventually.ts';
import { ADMINISTRATION, BEARER, BOTH } from '../support/gateway.ts';
import { type RunningProcess, spawnGateway, startProcess } from '../support/processes.ts';
import { startRedis } from '../support/redis.ts';
import { startDemoService } from '../support/rest-service.mjs';
import { createData } from '../support/rest-world.ts';
import { openConnection } from '../support/sockets.ts';

const LIST = `{ debtors(administrationId: "${ADMINISTRATION}", first: 1) { nodes { name } } }`;
/** Several processes start one after the other on a busy machine. */
const PATIENCE_MS = 60_000;

/** One request on a connection of its own, so that the workers take turns. */
function ask(
  url: string,
  credential: object = BEARER,
  agent = new Agent({ keepAlive: false }),
  query = LIST,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const headers = { ...credential, 'content-type': 'application/json' };
    const sent = request(url, { method: 'POST', agent, headers }, async (response) => {
      const chunks = await response.toArray().catch(reject);
      if (chunks) resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() });
    });
    sent.on('error', reject).end(JSON.stringify({ query }));
  });
}

/** Each line of the log says which process wrote it, or tells of. */
function pidsOf({ output }: RunningProcess, message: string): number[] {
  return linesOf(output(), message).map(({ worker, pid }) => Number(worker ?? pid));
}

function linesOf(output: string, message: string): Record<string, unknown>[] {
  return output
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line))
    .filter((line) => line.message === message);
}

const readyOf = async (url: string) => (await fetch(new URL('/ready', url))).json();
const metricsOf = async (url: string) => (await fetch(new URL('/metrics', url))).text();
const operationsIn = (text: string) =>
  Number(/receivables_operations_total\S*"OK"} (\d+)/.exec(text)?.[1] ?? 0);

const redis = await startRedis();
afterAll(() => redis.close());
const TWO = { WORKERS: '2', REDIS_URL: redis.url, SHARING_SECRET: 's'.repeat(32) };

test(
  'two workers serve together, are added up, replaced when one dies, and lose no answer as SIGHUP and SIGTERM end them',
  async () => {
    const size = { administrations: 12, debtors: 1, cases: 0, idLength: 6 };
    const rest = await startDemoService({ data: createData(size) });
    onTestFinished(() => rest.close());
    const env = { ...TWO, REST_URL: rest.url, NODE_ENV: 'production', LOG: 'operations' };
    const gateway = await startProcess(env);
    expect(await readyOf(gateway.url)).toEqual({ status: 'ready', restService: 'REST_URL' });
    expect(gateway.output()).toMatch(/"restService":"REST_URL".*is ready at /);
    const half = await openConnection(gateway.url, 'GET / HTTP/1.1\r\nX-A: ');
    // For operators: the address of a service cannot hold a secret.
    expect(gateway.output()).toContain(`"service":"${rest.url}/"`);

    // Each reads the lists of twelve administrations the first time.
    const all = '{ viewer { administrations { debtors(first: 1) { nodes { name } } } } }';
    for (let count = 0; count < 2; count += 1) {
      const { body } = await ask(gateway.url, BOTH, undefined, all);
      expect(JSON.parse(body)).toMatchObject({
        data: { viewer: { administrations: Array(12).fill({ debtors: { nodes: [{}] } }) } },
        extensions: { cost: { calls: 13, cacheHits: 0 } },
      });
    }
    for (let count = 0; count < 4; count += 1) expect((await ask(gateway.url)).status).toBe(200);
    await eventually(() => expect(new Set(pidsOf(gateway, 'operation')).size).toBe(2));
    await eventually(async () => {
      const text = await metricsOf(gateway.url);
      expect(operationsIn(text)).toBe(6);
      expect(text).toContain('\nreceivables_workers 2\n');
    });

    await half.closed;
    expect(half.text).toMatch(/^HTTP\/1\.1 408 /);
    const [first = 0] = pidsOf(gateway, 'worker ready');
    process.kill(first, 'SIGKILL');
    await eventually(() => expect(pidsOf(gateway, 'worker ready')).toHaveLength(3));
    const before = pidsOf(gateway, 'worker ready').slice(1);
    const load = callers(gateway.url, 3);
    await eventually(() => expect(load.outcomes.answered).toBeGreaterThan(20));
    gateway.child.kill('SIGHUP');
    await eventually(
      () => expect(linesOf(gateway.output(), 'workers replaced')).toHaveLength(1),
      PATIENCE_MS,
    );
    expect(pidsOf(gateway, 'worker ready')).toHaveLength(5);
    await haveEnded(before);
    expect(load.outcomes).toMatchObject({ refused: 0, lost: [] });
    const { answered } = load.outcomes;
    await eventually(() => expect(load.outcomes.answered).toBeGreaterThan(answered + 20));
    // What they had counted is not forgotten.
    await eventually(async () =>
      expect(operationsIn(await metricsOf(gateway.url))).toBeGreaterThanOrEqual(6 + answered),
    );

    gateway.child.kill('SIGTERM');
    expect(await gateway.exit).toEqual([0, null]);
    expect((await load.stop()).lost).toEqual([]);
  },
  2 * PATIENCE_MS,
);

test(
  'workers without a REST service share an embedded one, and hand over their streams of changes',
  async () => {
    // A worker finds NODE_ENV=production in its environment, since the primary sets it if it is not set.
    // A worker that is replaced ends half of its streams in a quarter of its grace period.
    const env = { CACHE_TTL_MS: '0', SHUTDOWN_GRACE_MS: '24000', DRAIN_DELAY_MS: '10000' };
    const gateway = await startProcess({ ...TWO, LOG: 'operations', ...env });
    expect(await readyOf(gateway.url)).toEqual({ status: 'ready', restService: 'embedded' });
    expect(gateway.output()).toMatch(/"restService":"embedded".*is ready at /);
    const authorization = await newToken(gateway.url);
    for (let count = 0; count < 4; count += 1)
      expect((await ask(gateway.url, { authorization })).body).toContain('"data":{"debtors"');

    const streams = await openStreams(gateway.url, 4);
    await eventually(async () => expect(await metricsOf(gateway.url)).toContain('\nreceivables_streams 4\n'));
    gateway.child.kill('SIGHUP');
    await eventually(() => expect(overIn(streams)).not.toHaveLength(0));
    const [first] = overIn(streams).map(({ text }) => eventsIn(text));
    expect(first).toMatchObject(ENDED);
    const after = SUBSCRIPTION.replace(')', `, after: "${first?.at(0)?.id}")`);
    // On the connection of a stream that has ended it is refused, and told to open another one.
    await eventually(async () => {
      const again = await subscribe(gateway.url, after);
      await again.body?.cancel();
      expect(again.status).toBe(200);
    });
    // Those of the other worker go on, and those of this one end one after the other.
    expect(overIn(streams)).toHaveLength(1);

    gateway.child.kill('SIGTERM');
    await eventually(() => expect(overIn(streams).length).toBeGreaterThan(1));
    await eventually(async () => expect(await readyOf(gateway.url)).toMatchObject({ status: 'stopping' }));
    await eventually(async () => {
      const refused = await subscribe(gateway.url);
      if (refused.status === 200) await refused.body?.cancel();
      expect(refused.status).toBe(503);
      expect(await refused.json()).toMatchObject({ errors: [{ extensions: { code: 'SERVER_STOPPING' } }] });
    });
    expect((await ask(gateway.url)).status).toBe(200);

    await eventually(() => expect(overIn(streams)).toHaveLength(4));
    for (const { text } of streams) expect(eventsIn(text)).toMatchObject(ENDED);
    expect(await gateway.exit).toEqual([0, null]);
  },
  2 * PATIENCE_MS,
);

test(
  'two signals to replace them, and a worker that dies meanwhile, leave as many workers',
  async () => {
    const gateway = await startProcess({ ...TWO, LOG: 'operations' });
    const [first = 0] = pidsOf(gateway, 'worker ready');
    gateway.child.kill('SIGHUP');
    await sleep(100);
    gateway.child.kill('SIGHUP');
    process.kill(first, 'SIGKILL');
    await eventually(
      () => expect(linesOf(gateway.output(), 'workers replaced')).toHaveLength(2),
      PATIENCE_MS,
    );
    // A worker that ends is replaced after a second.
    await sleep(3_000);
    expect(await metricsOf(gateway.url)).toContain('\nreceivables_workers 2\n');
  },
  2 * PATIENCE_MS,
);

test('a worker whose primary ends while it starts ends too', async () => {
  const env = { ...TWO, LOG: 'off', REST_URL: 'http://127.0.0.1:9', RECEIVABLES_WORKER: '' };
  const { child, exit } = spawnGateway(env, { isUnbundled: true });
  child.disconnect();
  expect(await exit).toEqual([1, null]);
});

function haveEnded(pids: readonly number[]): Promise<void> {
  return eventually(() => {
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow();
  });
}

async function newToken(url: string): Promise<string> {
  const { clientId, clientSecret } = demoCredentials.clientCredentialsApplication;
  const query = 'mutation { createClientCredentialsToken { token { accessToken } } }';
  const credential = { authorization: basicAuthorization(clientId, clientSecret) };
  const { data } = JSON.parse((await ask(url, credential, undefined, query)).body);
  return `Bearer ${data.createClientCredentialsToken.token.accessToken}`;
}

const ENDED = [
  {
    event: 'next',
    data: { errors: [{ extensions: { code: 'SERVER_STOPPING', ends: true, cursor: expect.any(String) } }] },
  },
  { event: 'complete' },
];

function subscribe(url: string, query = SUBSCRIPTION): Promise<Response> {
  const headers = { ...BEARER, ...SSE, 'content-type': 'application/json' };
  return fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) });
}

/** One after the other, so that the workers take turns. */
async function openStreams(url: string, count: number): Promise<StreamReader[]> {
  const readers: StreamReader[] = [];
  for (let opened = 0; opened < count; opened += 1) {
    const reader = new StreamReader(await subscribe(url));
    await reader.until(':');
    readers.push(reader);
    reader.toEnd().catch(() => {});
  }
  return readers;
}

const overIn = (readers: readonly StreamReader[]) =>
  readers.filter(({ text }) => text.includes('event: complete'));

/** Callers that keep their connections, until told to stop. */
function callers(url: string, count: number) {
  let isOver = false;
  const outcomes = { answered: 0, refused: 0, lost: [] as string[] };
  const call = async (agent: Agent) => {
    while (!isOver) {
      try {
        const { status, body } = await ask(url, BEARER, agent);
        if (status === 200 && body.includes('"data":{"debtors"')) outcomes.answered += 1;
        else outcomes.lost.push(`${status} ${body.slice(0, 200)}`);
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
        // Nothing was sent on a connection that was refused.
        if (code === 'ECONNREFUSED') outcomes.refused += 1;
        else outcomes.lost.push(code);
      }
      // Else the callers keep the workers that start from the processors.
      await sleep(20);
    }
    agent.destroy();
  };
  const all = Array.from({ length: count }, () => call(new Agent({ keepAlive: true, maxSockets: 1 })));
  return {
    outcomes,
    async stop() {
      isOver = true;
      await Promise.all(all);
      return outcomes;
    },
  };
}
