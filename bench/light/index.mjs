// @ts-check
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startLoad } from '../load/index.mjs';
import { startNode } from '../processes.mjs';
import { HEADERS, startSimulator } from '../servers.mjs';

/** @typedef {import('../servers.mjs').Server} Server */
/** @typedef {import('../workloads/index.mjs').Workload} Workload */
/** @typedef {ReturnType<typeof startLoad>} Load */

/**
 * What a request takes that does not depend on how fast or busy the machine is.
 * @typedef {{ allocatedKb: number, promotedKb: number, promises: number, turns: number }} Weight
 */

/** @type {{ readonly [workload: string]: Weight }} */
const LAST_RELEASE = JSON.parse(readFileSync(new URL('last-release.json', import.meta.url), 'utf8'));

/** Requests that are not counted, since V8 has not optimized them yet, and then that are; fewer if they are large. */
const REQUESTS = 2_500;
const MAX_BYTES = 50_000_000;
/** Each a caller of its own, so that none shares a call with another. */
const CALLERS = 8;

/**
 * Measures the weight of requests, without log, metrics and cache.
 * @param {Server} server
 * @param {readonly Workload[]} workloads
 * @returns {Promise<Record<string, Weight>>}
 */
export async function measureLight(server, workloads) {
  const { origin: rest } = await startSimulator(0, false);
  const load = startLoad(false);
  // Objects survive a small collection or not: with little room there are enough of them to tell.
  const collected = await start(server, rest, ['--max-semi-space-size=4', '--trace-gc-nvp']);
  const counted = await start(server, rest, ['--import', new URL('count.mjs', import.meta.url).href]);
  /** @type {Record<string, Weight>} */
  const weights = {};
  for (const workload of workloads) {
    const bytes = await collected.measure(workload, load, () => collected.garbage());
    const counts = await counted.measure(workload, load, () => counted.counts());
    weights[workload.key] = {
      allocatedKb: round(bytes.allocated / 1024),
      promotedKb: round(bytes.promoted / 1024),
      promises: round(counts.promises),
      turns: round(counts.turns),
    };
  }
  return weights;
}

/** @param {Record<string, Weight>} weights */
export function lightTable(weights) {
  return Object.fromEntries(
    Object.entries(weights).map(([key, weight]) => [
      key,
      Object.fromEntries(
        Object.entries(weight).map(([name, value]) => {
          const before = LAST_RELEASE[key]?.[/** @type {keyof Weight} */ (name)];
          return [name, before === undefined ? `${value}` : `${value} (${before})`];
        }),
      ),
    ]),
  );
}

/**
 * @param {Server} server
 * @param {string} rest
 * @param {string[]} flags
 */
async function start(server, rest, flags) {
  const script = fileURLToPath(new URL(`../${server.script}`, import.meta.url));
  const env = { ...server.env, REST_URL: rest, PORT: '0' };
  const child = startNode({ name: server.title, args: [...flags, script], env }, [
    'ignore',
    'pipe',
    'inherit',
  ]);
  const bytes = { allocated: 0, promoted: 0 };
  let said = '';
  let counts = { promises: 0, turns: 0 };
  let origin = '';
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    const lines = (said + text).split('\n');
    said = lines.pop() ?? '';
    for (const line of lines) {
      const [, allocated, promoted] = / allocated=(\d+) promoted=(\d+)/.exec(line) ?? [];
      bytes.allocated += Number(allocated ?? 0);
      bytes.promoted += Number(promoted ?? 0);
      if (line.startsWith('counted ')) counts = JSON.parse(line.slice('counted '.length));
      origin ||= /ready at (http:\/\/[^\s:]+:\d+)/.exec(line)?.[1] ?? '';
    }
  });
  while (origin === '') await wait(20);

  return {
    garbage: () => ({ ...bytes }),
    async counts() {
      child.kill('SIGUSR2');
      await wait(200);
      return counts;
    },
    /**
     * @template {Record<string, number>} T
     * @param {Workload} workload
     * @param {Load} load
     * @param {() => T | Promise<T>} read
     * @returns {Promise<T>} for each request
     */
    async measure(workload, load, read) {
      const asked = server.ask(workload);
      if (asked === undefined) throw new TypeError(`${server.title} cannot be asked ${workload.title}.`);
      const headers = { ...HEADERS, ...asked.headers };
      const job = {
        ...asked,
        headers,
        origin,
        connections: CALLERS,
        callers: CALLERS,
        documents: 1,
        seconds: 0,
      };
      const send = async (/** @type {number} */ atLeast) => {
        const outcome = await load({ ...job, atLeast });
        if (outcome.failure !== null) throw new Error(outcome.failure);
        // What it writes about its last collections is on its way.
        await wait(200);
        return outcome;
      };
      const { bytes } = await send(CALLERS);
      const count = Math.min(REQUESTS, Math.ceil(MAX_BYTES / bytes));
      await send(count);
      const before = await read();
      const { requests } = await send(count);
      const after = await read();
      const each = Object.entries(after).map(([name, value]) => [
        name,
        (value - (before[name] ?? 0)) / requests,
      ]);
      return Object.fromEntries(each);
    },
  };
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 10) / 10;
}
