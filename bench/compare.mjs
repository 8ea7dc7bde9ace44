// @ts-check
import { agreeOn } from './check.mjs';
import { measure } from './measure.mjs';
import { warmUp } from './warm-up.mjs';

/** @typedef {import('./measure.mjs').Measurement} Measurement */
/** @typedef {import('./servers.mjs').RunningServer} RunningServer */
/** @typedef {import('./workloads/index.mjs').Workload} Workload */
/** @typedef {import('./measure.mjs').Pressure} Pressure */
/** @typedef {{ load: import('./measure.mjs').Load, simulator: { origin: string } }} Bench */
/**
 * @typedef {object} Result
 * @property {RunningServer} server
 * @property {Measurement} measurement The medians of the rounds.
 * @property {number | null} spread How far the rounds lie apart in processor time, in parts of the median.
 */

const CONNECTIONS = 16;
/** Before each window, unmeasured: right after its neighbours' turns a server may need a moment. */
const LEAD_IN_SECONDS = 0.5;

/**
 * Measures all servers by turns, so that whatever else the machine does meets each of them alike.
 * @param {Bench} bench
 * @param {readonly RunningServer[]} servers
 * @param {Workload} workload
 * @param {{ rounds: number, seconds: number } & Partial<Pressure>} options
 * @returns {Promise<Result[]>}
 */
export async function compare(bench, servers, workload, { rounds, ...pressure }) {
  const expected = await agreeOn(servers, workload);
  const able = servers.filter((server) => server.ask(workload));
  const window = { connections: CONNECTIONS, ...pressure };
  for (const server of able) await warmUp(bench, server, workload, window, expected);

  /** @type {Map<RunningServer, Measurement[]>} */
  const measured = new Map(able.map((server) => [server, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const server of rotate(able, round)) {
      await measure(bench, server, workload, { ...window, seconds: LEAD_IN_SECONDS }, expected);
      measured.get(server)?.push(await measure(bench, server, workload, window, expected));
    }
  }
  return Array.from(measured, ([server, measurements]) => ({
    server,
    measurement: medians(measurements),
    spread: spreadOf(measurements.map(({ cpuMs }) => cpuMs)),
  }));
}

/**
 * Nobody always comes first, or always after the same neighbour's garbage.
 * @template T
 * @param {readonly T[]} list
 * @param {number} by
 */
function rotate(list, by) {
  const start = by % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}

/**
 * @param {readonly Measurement[]} measurements
 * @returns {Measurement}
 */
function medians(measurements) {
  const of = (/** @type {keyof Measurement} */ name) => median(measurements.map((one) => one[name]));
  return {
    cpuMs: of('cpuMs'),
    requestsPerSecond: of('requestsPerSecond'),
    p50: of('p50'),
    p99: of('p99'),
    restCalls: of('restCalls'),
    bytes: of('bytes'),
    peakMb: Math.max(...measurements.map(({ peakMb }) => peakMb)),
  };
}

/** @param {readonly number[]} values */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/**
 * One round cannot tell how much it was chance.
 * @param {readonly number[]} values
 */
function spreadOf(values) {
  return values.length > 1 ? (Math.max(...values) - Math.min(...values)) / median(values) : null;
}
