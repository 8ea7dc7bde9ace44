// @ts-check
import { agreeOn, checkAnswer } from './answers.mjs';
import { HEADERS, REFERENCE } from './servers.mjs';

/** @typedef {import('./servers.mjs').RunningServer} RunningServer */
/** @typedef {import('./servers.mjs').Surroundings} Surroundings */
/** @typedef {import('./workloads/index.mjs').Workload} Workload */
/** @typedef {{ cpuMs: number, p99: number, allocatedKb: number, residentMb: number, restCalls: number }} Measurement Of one request. */
/** @typedef {Measurement & { server: RunningServer, ratio: number, spread: number }} Result Medians of the rounds, but for the processor time. */

/** Warms up until neither time nor memory of a request shrinks: a fixed time would not do on a busy machine. */
const WARM_UP = { requests: 1_000, bytes: 100e6, maxWindows: 12, withoutGain: 3, gain: 0.95 };

/**
 * Measures servers in turns of short windows. What counts is the least processor time of each, divided by that of the
 * reference: whatever else the machine does only adds to it, to some windows twice as much as they take.
 * @type {(servers: readonly RunningServer[], workload: Workload, surroundings: Surroundings, options: { rounds: number, seconds: number, connections?: number }) => Promise<Result[]>}
 */
export async function compare(servers, workload, surroundings, { rounds, seconds, connections = 16 }) {
  const expected = await agreeOn(servers, workload);
  const window = { seconds, connections, atLeast: workload.bodies.length };
  const measure = (/** @type {RunningServer} */ server, /** @type {typeof window} */ length) =>
    measureWindow(server, workload, expected, surroundings, length);

  const { length: bytes = 1 } = expected[0] ?? '';
  const warmUp = { ...window, seconds: 1, atLeast: Math.min(WARM_UP.requests, WARM_UP.bytes / bytes) };
  for (const server of servers) {
    let [leastMs, leastKb, withoutGain] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0];
    for (let count = 0; count < WARM_UP.maxWindows && withoutGain < WARM_UP.withoutGain; count += 1) {
      const { cpuMs, allocatedKb } = await measure(server, warmUp);
      const isLess = cpuMs < leastMs * WARM_UP.gain || allocatedKb < leastKb * WARM_UP.gain;
      withoutGain = isLess ? 0 : withoutGain + 1;
      leastMs = Math.min(cpuMs, leastMs);
      leastKb = Math.min(allocatedKb, leastKb);
    }
  }

  /** @type {Measurement[][]} */
  const measured = servers.map(() => []);
  const turns = [...servers.entries()];
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, server] of turns) measured[index]?.push(await measure(server, window));
    // Each goes first in its turn: what comes after a heavy one would otherwise always be the same.
    turns.push(...turns.splice(0, 1));
  }
  const leastMs = measured.map((own) => Math.min(...own.map(({ cpuMs }) => cpuMs)));
  const referenceMs = leastMs[servers.findIndex(({ key }) => key === REFERENCE)] ?? Number.NaN;
  return servers.map((server, index) => {
    const own = measured[index] ?? [];
    const of = (/** @type {keyof Measurement} */ name) => median(own.map((one) => one[name]));
    const cpuMs = leastMs[index] ?? Number.NaN;
    const [ratio, spread] = [cpuMs / referenceMs, of('cpuMs') / cpuMs - 1];
    const [p99, restCalls] = [of('p99'), of('restCalls')];
    const memory = { allocatedKb: of('allocatedKb'), residentMb: of('residentMb') };
    return { server, ratio, spread, cpuMs, p99, restCalls, ...memory };
  });
}

/**
 * One window of load on one server. The last answer is compared too: fast but wrong under load is wrong.
 * @type {(server: RunningServer, workload: Workload, expected: readonly string[], surroundings: Surroundings, length: { seconds: number, connections: number, atLeast: number }) => Promise<Measurement>}
 */
async function measureWindow(server, workload, expected, { load, countCalls }, length) {
  const callsBefore = await countCalls();
  await server.ask('begin');
  const { requests, p99, last, failure } = await load({
    origin: server.origin,
    bodies: workload.bodies,
    headers: { ...HEADERS, ...workload.headers },
    ...length,
  });
  const { cpuMs, allocated, rss } = await server.ask('end');
  if (failure) throw new Error(`${server.title} failed at ${workload.key}: ${failure}`);
  checkAnswer(server, workload, last.text, expected[last.set]);
  const restCalls = ((await countCalls()) - callsBefore) / requests;
  if (!server.hasCache && restCalls !== workload.calls)
    throw new Error(
      `${server.title} made ${restCalls.toFixed(2)} REST calls for each ${workload.key}, not ${workload.calls}.`,
    );
  return {
    cpuMs: cpuMs / requests,
    p99,
    allocatedKb: allocated / requests / 1024,
    residentMb: rss / 1024 / 1024,
    restCalls,
  };
}

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}
