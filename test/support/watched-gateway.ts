import { once } from 'node:events';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterAll, expect } from 'vitest';
import { CALLER, NEIGHBOUR, startLargeService } from './large-service.ts';
import { startProcess } from './processes.ts';

/**
 * Runs before the gateway, in its process: reports the longest turn of its event loop, and its memory. A turn counts
 * only while the main thread has a processor: a busy machine makes turns longer, not heavier.
 */
const MEASURES = `
  import { readFileSync } from 'node:fs';
  const processorMs = () => {
    try { return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]) / 1e6; }
    catch { return performance.now(); }
  };
  let longest = 0;
  let last = [performance.now(), processorMs()];
  setInterval(() => {
    const now = [performance.now(), processorMs()];
    longest = Math.max(longest, Math.min(now[0] - last[0], now[1] - last[1]));
    last = now;
  }, 5).unref();
  const rows = JSON.stringify(Array.from({ length: 20_000 }, (_, index) => ({ index, name: 'Debtor ' + index })));
  const measures = {
    turn: () => longest,
    memory: () => {
      gc();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    },
    work: () => {
      const start = processorMs();
      for (const text of [rows, rows, rows]) JSON.parse(text);
      return processorMs() - start;
    },
  };
  process.on('message', (what) => {
    process.send(measures[what]());
    last = [performance.now(), processorMs()];
    longest = 0;
  });
  process.channel.unref();
`;

/** The time for which a caller may hold up others, in milliseconds. */
const MAX_HOLD_MS = 250;
/** The time that the same work takes on an idle machine: programs that share its caches slow down everything. */
const IDLE_WORK_MS = 13;
const TRIES = 3;
/** A search does not wait for the end of a request that takes longer. */
const MAX_REQUEST_MS = 1_000;

/** The summary of a response: many are too long to keep. */
export interface BriefResponse {
  /** 0 if the connection was cut before. */
  readonly status: number;
  readonly bytes: number;
  readonly codes: readonly string[];
  readonly start: string;
}

export interface RequestOptions {
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string;
  readonly agent?: Agent;
}

/** A gateway as it is published, with a heap of 512 MB, over a service with much data, for all tests of a file. */
export async function startWatchedGateway() {
  const service = await startLargeService();
  afterAll(() => service.close());
  const { child, url, errors, exit } = await startProcess(
    { REST_URL: service.url, EXPORT_TIMEOUT_MS: '4000' },
    {
      before: MEASURES,
      flags: ['--max-old-space-size=512', '--expose-gc'],
      isShared: true,
    },
  );
  const { port } = new URL(url);

  const probe = new Worker(new URL('probe.mjs', import.meta.url), {
    workerData: { port, pid: child.pid, pauseMs: 50 },
  });
  afterAll(() => probe.terminate());

  /** The longest turn since it was asked for last, or how long some work takes, in milliseconds; or the bytes held. */
  async function measure(what: 'turn' | 'memory' | 'work'): Promise<number> {
    if (child.connected) child.send(what);
    const ended = exit.then(() => Promise.reject(new Error(`The gateway has ended: ${errors()}`)));
    const [measured] = await Promise.race([once(child, 'message'), ended]);
    return measured;
  }

  async function probes(): Promise<{ readonly slowestMs: number; readonly failures: readonly unknown[] }> {
    probe.postMessage('');
    const [answered] = await once(probe, 'message');
    return answered;
  }

  /** The beginning of a request: its body, or a part of it, is for the test to write. */
  function begin({ path = '/graphql', headers, token = CALLER, agent }: RequestOptions = {}): ClientRequest {
    return request({
      port,
      path,
      method: 'POST',
      agent: agent ?? false,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
    }).on('error', () => {});
  }

  async function send(body: string, options?: RequestOptions): Promise<BriefResponse> {
    const asked = begin(options);
    asked.end(body);
    return read(await responseTo(asked));
  }

  /** Returns the part of `MAX_HOLD_MS` for which a request holds the event loop: the least of several if it is too long. */
  async function holdOf(body: string, maxMs = MAX_REQUEST_MS): Promise<number> {
    let least = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < TRIES && least >= 1; tries += 1) {
      await measure('turn');
      const asked = begin();
      asked.end(body);
      const leaving = sleep(maxMs, undefined, { ref: false }).then(() => asked.destroy());
      await Promise.race([responseTo(asked).then(read), leaving]);
      const turnMs = await measure('turn');
      const slowness = turnMs < MAX_HOLD_MS ? 1 : Math.max(1, (await measure('work')) / IDLE_WORK_MS);
      least = Math.min(least, turnMs / slowness / MAX_HOLD_MS);
    }
    return least;
  }

  const query = (document: string, variables?: object, options?: RequestOptions) =>
    send(JSON.stringify({ query: document, variables }), options);

  /** Another caller at another address, who asks for something new each time. */
  async function visit(until: AbortSignal): Promise<void> {
    const agent = new Agent({ keepAlive: true, localAddress: '127.0.0.2' });
    while (!until.aborted) {
      visits += 1;
      const own = `mine-${visits}`;
      const document = `{ debtors(administrationId: "${own}", first: 1) { nodes { name } } }`;
      const { status, start } = await query(document, undefined, { token: NEIGHBOUR, agent });
      expect([status, start]).toEqual([200, expect.stringContaining(`"Debtor 0 of ${own}"`)]);
      await sleep(50);
    }
    agent.destroy();
  }
  let visits = 0;

  /** Does something while others are there, and expects that they are served; again if the machine was too slow. */
  async function watch<T>(attack: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      await Promise.all([measure('turn'), probes()]);
      const attacking = new AbortController();
      const [result] = await Promise.all([
        attack().finally(() => attacking.abort()),
        visit(attacking.signal),
      ]);
      const [turnMs, { slowestMs, failures }] = await Promise.all([measure('turn'), probes()]);
      expect([child.exitCode, child.signalCode, failures]).toEqual([null, null, []]);
      if (tries < TRIES && Math.max(turnMs, slowestMs) > MAX_HOLD_MS) continue;
      expect(turnMs, 'the longest turn of the event loop').toBeLessThan(MAX_HOLD_MS);
      expect(slowestMs, 'the slowest answer of /health').toBeLessThan(MAX_HOLD_MS);
      return result;
    }
  }

  return { service, begin, send, query, watch, measure, holdOf };
}

/** The response to a request that was sent, as soon as it begins; none if the connection is cut. */
export async function responseTo(asked: ClientRequest): Promise<IncomingMessage | undefined> {
  return new Promise((resolve) => {
    asked.once('response', resolve).once('close', () => resolve(undefined));
  });
}

async function read(response: IncomingMessage | undefined): Promise<BriefResponse> {
  let start = '';
  let bytes = 0;
  try {
    for await (const chunk of response ?? []) {
      bytes += chunk.length;
      if (start.length < 5_000) start += chunk.toString();
    }
  } catch {
    return { status: 0, bytes, codes: [], start };
  }
  const codes = new Set(Array.from(start.matchAll(/"code":"([A-Z_]+)"/g), ([, code = '']) => code));
  return { status: response?.statusCode ?? 0, bytes, codes: [...codes], start };
}
