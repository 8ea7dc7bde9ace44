import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { demoCredentials } from '../../src/demo/credentials.ts';
import { type DemoOptions, startDemoService } from '../../src/demo/service.ts';
import { basicAuthorization } from '../../src/plugins/credentials.ts';
import { eventsIn, SSE, StreamReader, SUBSCRIPTION } from '../streams/support.ts';
import { eventually } from '../support/eventually.ts';
import { ADMINISTRATION, BEARER, BOTH } from '../support/gateway.ts';
import { type RunningProcess, spawnGateway, startProcess } from '../support/processes.ts';
import { createData } from '../support/rest-world.ts';
import { times } from '../support/times.ts';

const LIST = `{ debtors(administrationId: "${ADMINISTRATION}", first: 1) { nodes { name } } }`;
/** Several processes start one after the other on a busy machine. */
const PATIENCE_MS = 60_000;

async function startWorkers(
  env: Record<string, string> = {},
  options: DemoOptions = {},
): Promise<RunningProcess> {
  const rest = await startDemoService(options);
  onTestFinished(() => rest.close());
  return startProcess({ WORKERS: '2', REST_URL: rest.url, LOG: 'operations', ...env });
}

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

/** Each line of the log says which process wrote it. */
function pidsOf({ output }: RunningProcess, message: string): number[] {
  return linesOf(output(), message).map(({ pid }) => Number(pid));
}

function linesOf(output: string, message: string): Record<string, unknown>[] {
  return output
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line))
    .filter((line) => line.message === message);
}

const metricsOf = async (url: string) => (await fetch(new URL('/metrics', url))).text();
const operationsIn = (text: string) =>
  Number(/receivables_operations_total\S*"OK"} (\d+)/.exec(text)?.[1] ?? 0);

describe('several workers', () => {
  test(
    'serve together, their metrics are added up, one that is killed is replaced, and with all of them the process ends',
    async () => {
      const gateway = await startWorkers();
      for (let count = 0; count < 6; count += 1) expect((await ask(gateway.url)).status).toBe(200);
      await eventually(async () => {
        const text = await metricsOf(gateway.url);
        expect(operationsIn(text)).toBe(6);
        expect(text).toContain('receivables_workers{state="answered"} 2');
      });
      await eventually(() => expect(new Set(pidsOf(gateway, 'operation')).size).toBe(2));

      const [victim = 0, other = 0] = pidsOf(gateway, 'worker ready');
      process.kill(victim, 'SIGKILL');
      await eventually(() =>
        expect(linesOf(gateway.output(), 'worker ended')).toMatchObject([{ pid: victim, reason: 'SIGKILL' }]),
      );
      expect((await ask(gateway.url)).status).toBe(200);
      await eventually(() => expect(pidsOf(gateway, 'worker ready')).toHaveLength(3));
      expect(pidsOf(gateway, 'worker ready').at(-1)).not.toBe(other);
      // What it had counted is not forgotten.
      await eventually(async () => expect(operationsIn(await metricsOf(gateway.url))).toBe(7));

      for (const pid of pidsOf(gateway, 'worker ready').slice(1)) process.kill(pid, 'SIGKILL');
      expect(await gateway.exit).toEqual([1, null]);
      expect(gateway.errors()).toBe('All workers have ended: SIGKILL\n');
    },
    PATIENCE_MS,
  );

  test(
    'that cannot listen end the process, with words',
    async () => {
      const taken = createServer();
      await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => void taken.close());
      const address = taken.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      const { exit, errors } = spawnGateway({ WORKERS: '2', PORT: String(port), LOG: 'off' });
      expect(await exit).toEqual([1, null]);
      expect(errors()).toMatch(/^Port \d+ is in use: .*\n$/);
    },
    PATIENCE_MS,
  );

  test(
    'without a REST service show the data of one embedded service, and end when their primary is killed',
    async () => {
      const gateway = await startProcess({ WORKERS: '2', CACHE_TTL_MS: '0', LOG: 'operations' });
      const query = 'mutation { createClientCredentialsToken { token { accessToken } } }';
      const { clientId, clientSecret } = demoCredentials.clientCredentialsApplication;
      const made = await fetch(gateway.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: basicAuthorization(clientId, clientSecret),
        },
        body: JSON.stringify({ query }),
      });
      const { data } = await made.json();
      const { accessToken } = data.createClientCredentialsToken.token;
      for (let count = 0; count < 4; count += 1) {
        const { body } = await ask(gateway.url, { authorization: `Bearer ${accessToken}` });
        expect(body).toContain('"data":{"debtors"');
      }

      const workers = pidsOf(gateway, 'worker ready');
      expect(workers).toHaveLength(2);
      gateway.child.kill('SIGKILL');
      await gateway.exit;
      await eventually(() => {
        for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow();
      });
    },
    PATIENCE_MS,
  );

  test(
    'read lists of twelve administrations, each the first time',
    async () => {
      const size = { administrations: 12, debtors: 1, cases: 0, idLength: 6, sharing: 1 };
      const gateway = await startWorkers({}, { data: createData(size) });
      const query = '{ viewer { administrations { debtors(first: 1) { nodes { name } } } } }';
      for (let count = 0; count < 2; count += 1) {
        const { body } = await ask(gateway.url, BOTH, undefined, query);
        expect(JSON.parse(body)).toMatchObject({
          data: { viewer: { administrations: Array(12).fill({ debtors: { nodes: [{}] } }) } },
          extensions: { cost: { calls: 13, cacheHits: 0 } },
        });
      }
      await eventually(() => expect(new Set(pidsOf(gateway, 'operation')).size).toBe(2));
    },
    PATIENCE_MS,
  );
});

describe('a worker that is stuck', () => {
  test(
    'gets no more connections, lets none hang when it is killed, and does not keep the process from ending',
    async () => {
      const gateway = await startWorkers({ SHUTDOWN_GRACE_MS: '100' });
      const [stuck = 0] = pidsOf(gateway, 'worker ready');
      process.kill(stuck, 'SIGSTOP');
      onTestFinished(() => killIfAlive(stuck));
      const asked = Array.from({ length: 10 }, () => ask(gateway.url).catch(() => 'closed'));
      // One may have been sent to it before it is seen to be stuck.
      await eventually(async () => expect(await settledOf(asked)).toBeGreaterThanOrEqual(9));
      process.kill(stuck, 'SIGKILL');
      const answers = await Promise.all(asked);
      expect(answers.filter((answer) => answer !== 'closed').length).toBeGreaterThanOrEqual(9);
      await eventually(() => expect(pidsOf(gateway, 'worker ready')).toHaveLength(3));

      const next = pidsOf(gateway, 'worker ready').at(-1) ?? 0;
      process.kill(next, 'SIGSTOP');
      onTestFinished(() => killIfAlive(next));
      gateway.child.kill('SIGTERM');
      expect(await gateway.exit).toEqual([0, null]);
      expect(linesOf(gateway.output(), 'worker does not stop, and is killed')).toMatchObject([{ pid: next }]);
    },
    PATIENCE_MS,
  );

  async function settledOf(promises: readonly Promise<unknown>[]): Promise<number> {
    const pending = {};
    const states = await Promise.all(promises.map((promise) => Promise.race([promise, pending])));
    return states.filter((state) => state !== pending).length;
  }

  function killIfAlive(pid: number): void {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
});

describe('SIGHUP', () => {
  test(
    'leaves as many workers as there were if a new one does not start, and does not keep SIGTERM from ending all',
    async () => {
      const gateway = await startWorkers();
      const before = childrenOf(gateway.child.pid);
      gateway.child.kill('SIGHUP');
      let successor = 0;
      await eventually(() => {
        successor = childrenOf(gateway.child.pid).find((pid) => !before.includes(pid)) ?? 0;
        expect(successor).not.toBe(0);
      });
      process.kill(successor, 'SIGKILL');
      await eventually(() => expect(gateway.output()).toContain('the replacement does not start'));
      await eventually(async () => {
        expect(await metricsOf(gateway.url)).toContain('receivables_workers{state="answered"} 2');
      });
      expect(childrenOf(gateway.child.pid).toSorted()).toEqual(before.toSorted());

      gateway.child.kill('SIGHUP');
      await eventually(() => expect(childrenOf(gateway.child.pid)).toHaveLength(3));
      gateway.child.kill('SIGTERM');
      expect(await gateway.exit).toEqual([0, null]);
    },
    PATIENCE_MS,
  );

  test(
    'and SIGTERM behind it let what is in flight on an old worker finish',
    async () => {
      const rest = await startDemoService();
      onTestFinished(() => rest.close());
      const gateway = await startProcess({ WORKERS: '2', REST_URL: rest.url, LOG: 'operations' });
      let release = () => {};
      const until = new Promise<void>((resolve) => {
        release = resolve;
      });
      rest.misbehave({ kind: 'stale', until, times: 2 });
      const old = pidsOf(gateway, 'worker ready');
      // Other selections, so that none joins the call of another: one for each worker.
      const inFlight = [1, 2].map((first) =>
        ask(gateway.url, BEARER, undefined, LIST.replace('first: 1', `first: ${first}`)),
      );
      await eventually(() => expect(rest.calls).toHaveLength(2));
      gateway.child.kill('SIGHUP');
      await eventually(() => expect(pidsOf(gateway, 'stopping').some((pid) => old.includes(pid))).toBe(true));
      gateway.child.kill('SIGTERM');
      await eventually(() =>
        expect(old.every((pid) => pidsOf(gateway, 'stopping').includes(pid))).toBe(true),
      );
      release();
      for (const { status, body } of await Promise.all(inFlight)) {
        expect(status).toBe(200);
        expect(body).toContain('"data":{"debtors"');
      }
      expect(await gateway.exit).toEqual([0, null]);
    },
    PATIENCE_MS,
  );

  /** Linux tells the processes that one has started. */
  function childrenOf(pid = 0): number[] {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return children
      .split(' ')
      .filter((text) => text.trim() !== '')
      .map(Number);
  }
});

describe('streams of changes', () => {
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
  const code = 'SERVER_STOPPING';
  const ended = [
    { event: 'next', data: { errors: [{ extensions: { code, ends: true, cursor: expect.any(String) } }] } },
    { event: 'complete' },
  ];
  const readyOf = async (url: string) => (await fetch(new URL('/ready', url))).status;

  test(
    'end one after the other during DRAIN_DELAY_MS, while all else is served, and no more are opened',
    async () => {
      const gateway = await startProcess({ WORKERS: '2', DRAIN_DELAY_MS: '6000', LOG: 'operations' });
      const streams = await openStreams(gateway.url, 6);
      gateway.child.kill('SIGTERM');
      await eventually(() => expect(overIn(streams)).not.toHaveLength(0));
      const refused = await subscribe(gateway.url);
      expect(refused.status).toBe(503);
      expect(await refused.json()).toMatchObject({ errors: [{ extensions: { code } }] });
      expect((await ask(gateway.url)).status).toBe(200);
      expect(overIn(streams).length).toBeLessThan(6);

      await eventually(() => expect(overIn(streams)).toHaveLength(6));
      expect((await fetch(new URL('/health', gateway.url))).status).toBe(200);
      for (const { text } of streams) expect(eventsIn(text)).toMatchObject(ended);
      expect(await gateway.exit).toEqual([0, null]);
    },
    PATIENCE_MS,
  );

  test(
    'are not opened by a worker that starts during DRAIN_DELAY_MS, and SIGHUP starts none then',
    async () => {
      const delay = { DRAIN_DELAY_MS: String(PATIENCE_MS) };
      const gateway = await startProcess({ WORKERS: '2', LOG: 'operations', ...delay });
      gateway.child.kill('SIGTERM');
      await eventually(async () => expect(await readyOf(gateway.url)).toBe(503));
      gateway.child.kill('SIGHUP');
      for (const pid of pidsOf(gateway, 'worker ready').slice(1)) process.kill(pid, 'SIGKILL');
      await eventually(() => expect(pidsOf(gateway, 'worker ready')).toHaveLength(3));
      const answers = await Promise.all(times(6, () => subscribe(gateway.url)));
      expect(answers.map(({ status }) => status)).toEqual(times(6, () => 503));
      expect((await ask(gateway.url)).status).toBe(200);
      expect(gateway.output()).not.toContain('replacing workers');
    },
    PATIENCE_MS,
  );

  test(
    'of a worker that is replaced end one after the other, and go on at another worker',
    async () => {
      const gateway = await startProcess({ WORKERS: '2', LOG: 'operations' });
      const streams = await openStreams(gateway.url, 4);
      gateway.child.kill('SIGHUP');
      await eventually(() => expect(overIn(streams)).not.toHaveLength(0));
      const [first] = overIn(streams).map(({ text }) => eventsIn(text));
      expect(first).toMatchObject(ended);
      const after = SUBSCRIPTION.replace(')', `, after: "${first?.at(0)?.id}")`);
      // On the connection of a stream that has ended it is refused, and told to open another one.
      await eventually(async () => {
        const again = await subscribe(gateway.url, after);
        await again.body?.cancel();
        expect(again.status).toBe(200);
      });
      expect(overIn(streams)).toHaveLength(1);

      await eventually(() => expect(overIn(streams)).not.toHaveLength(1));
      for (const { text } of overIn(streams)) expect(eventsIn(text)).toMatchObject(ended);
    },
    PATIENCE_MS,
  );
});

describe('no answer is lost', () => {
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
        await sleep(5);
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

  test(
    'as SIGHUP replaces the workers one by one, and as SIGTERM stops all',
    async () => {
      const gateway = await startWorkers();
      const before = pidsOf(gateway, 'worker ready');
      const load = callers(gateway.url, 8);
      await eventually(() => expect(load.outcomes.answered).toBeGreaterThan(20));
      gateway.child.kill('SIGHUP');
      await eventually(
        () => expect(linesOf(gateway.output(), 'workers replaced')).toHaveLength(1),
        PATIENCE_MS,
      );
      expect(pidsOf(gateway, 'worker ready').slice(2)).toHaveLength(2);
      await eventually(() => {
        for (const pid of before) expect(() => process.kill(pid, 0)).toThrow();
      });
      expect(load.outcomes).toMatchObject({ refused: 0, lost: [] });
      const { answered } = load.outcomes;
      await eventually(() => expect(load.outcomes.answered).toBeGreaterThan(answered + 20));

      gateway.child.kill('SIGTERM');
      expect(await gateway.exit).toEqual([0, null]);
      expect((await load.stop()).lost).toEqual([]);
    },
    PATIENCE_MS,
  );
});
