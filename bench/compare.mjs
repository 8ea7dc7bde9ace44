// @ts-check
import { agreeOn } from './check.mjs';
import { measure } from './measure.mjs';
import { REFERENCE } from './servers.mjs';
import { warmUp } from './warm-up.mjs';

/** @typedef {import('./measure.mjs').Measurement} Measurement */
/** @typedef {import('./servers.mjs').RunningServer} RunningServer */
/** @typedef {import('./workloads/index.mjs').Workload} Workload */
/** @typedef {import('./measure.mjs').Pressure} Pressure */
/**
 * @typedef {object} Result
 * @property {RunningServer} server
 * @property {Measurement} measurement The medians of the rounds.
 * @property {number} ratio Its processor time as a part of that of the reference: the median of the rounds.
 * @property {number | null} spread How far these ratios lie apart, in parts of their median.
 */

const CONNECTIONS = 8;
/** Before each window, unmeasured: connections open, and all servers come under load. */
const LEAD_IN_SECONDS = 0.5;

/**
 * Measures all servers at the same time, each under a load of its own. They share one core, so whatever else the machine
 * does meets all of them alike: by turns of seconds, two runs of one server lay up to four times apart on a shared
 * machine; at the same time, ratios lie within a few percent. Rates and latencies mean nothing then, so there are none.
 * @param {readonly RunningServer[]} servers
 * @param {Workload} workload
 * @param {{ rounds: number, seconds: number } & Partial<Pressure>} options
 * @returns {Promise<Result[]>}
 */
export async function compare(servers, workload, { rounds, ...pressure }) {
  const expected = await agreeOn(servers, workload);
  const able = servers.filter((server) => server.ask(workload));
  const window = { connections: CONNECTIONS, ...pressure };
  /** @param {number} seconds */
  const measureAll = (seconds) =>
    Promise.all(able.map((server) => measure(server, workload, { ...window, seconds }, expected)));
  for (const server of able) await warmUp(server, workload, window, expected);

  /** @type {Measurement[][]} */
  const measured = [];
  for (let round = 0; round < rounds; round += 1) {
    await measureAll(LEAD_IN_SECONDS);
    measured.push(await measureAll(pressure.seconds));
  }
  const reference = able.findIndex(({ key }) => key === REFERENCE);
  return able.map((server, index) => {
    const own = measured.flatMap((round) => round[index] ?? []);
    const ratios = measured.map(
      (round) => (round[index]?.cpuMs ?? 0) / (round[reference]?.cpuMs ?? Number.NaN),
    );
    return { server, measurement: medians(own), ratio: median(ratios), spread: spreadOf(ratios) };
  });
}

/**
 * @param {readonly Measurement[]} measurements
 * @returns {Measurement}
 */
function medians(measurements) {
  const of = (/** @type {keyof Measurement} */ name) => median(measurements.map((one) => one[name]));
  return {
    cpuMs: of('cpuMs'),
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
