// @ts-check
import { agreeOn, checkAnswer } from './answers.mjs';
import { HEADERS, REFERENCE } from './servers.mjs';

/** @typedef {import('./servers.mjs').RunningServer} RunningServer */
/** @typedef {import('./servers.mjs').Surroundings} Surroundings */
/** @typedef {import('./workloads/index.mjs').Workload} Workload */
/** @typedef {{ cpuMs: number, p99: number, allocatedKb: number, residentMb: number, restCalls: number }} Measurement Of one request. */
/** @typedef {Measurement & { server: RunningServer, ratio: number, spread: number }} Result Medians of the rounds. */

const CONNECTIONS = 16;
/** Before the rounds, until neither time nor memory of a request gets less: a fixed time would not do on a busy machine. */
const WARM_UP = { seconds: 1, atLeast: 500, maxWindows: 12, withoutGain: 3, gain: 0.95 };

/**
 * Measures servers in turns of short windows, so that whatever else the machine does meets all of them alike. What
 * counts is the processor time of a server divided by that of the reference in the same round.
 * @param {readonly RunningServer[]} servers
 * @param {Workload} workload
 * @param {Surroundings} surroundings
 * @param {{ rounds: number, seconds: number }} options
 * @returns {Promise<Result[]>}
 */
export async function compare(servers, workload, surroundings, { rounds, seconds }) {
  const expected = await agreeOn(servers, workload);
  const measure = (
    /** @type {RunningServer} */ server,
    length = { seconds, atLeast: workload.bodies.length },
  ) => measureWindow(server, workload, expected, surroundings, length);

  for (const server of servers) {
    let least = { cpuMs: Number.POSITIVE_INFINITY, allocatedKb: Number.POSITIVE_INFINITY };
    let withoutGain = 0;
    for (let window = 0; window < WARM_UP.maxWindows && withoutGain < WARM_UP.withoutGain; window += 1) {
      const { cpuMs, allocatedKb } = await measure(server, WARM_UP);
      const isLess = cpuMs < least.cpuMs * WARM_UP.gain || allocatedKb < least.allocatedKb * WARM_UP.gain;
      withoutGain = isLess ? 0 : withoutGain + 1;
      least = {
        cpuMs: Math.min(cpuMs, least.cpuMs),
        allocatedKb: Math.min(allocatedKb, least.allocatedKb),
      };
    }
  }

  /** @type {Map<RunningServer, Measurement[]>} */
  const measured = new Map(servers.map((server) => [server, []]));
  for (let round = 0; round < rounds; round += 1) {
    // Each goes first in its turn: what comes after a heavy one would otherwise always be the same.
    const shift = round % servers.length;
    for (const server of [...servers.slice(shift), ...servers.slice(0, shift)])
      measured.get(server)?.push(await measure(server));
  }
  const reference = measured.get(servers.find(({ key }) => key === REFERENCE) ?? /** @type {any} */ (null));
  return servers.map((server) => {
    const own = measured.get(server) ?? [];
    const of = (/** @type {keyof Measurement} */ name) => median(own.map((one) => one[name]));
    const ratios = own.map(({ cpuMs }, round) => cpuMs / (reference?.[round]?.cpuMs ?? Number.NaN));
    const ratio = median(ratios);
    return {
      server,
      ratio,
      spread: (Math.max(...ratios) - Math.min(...ratios)) / ratio,
      cpuMs: of('cpuMs'),
      p99: of('p99'),
      allocatedKb: of('allocatedKb'),
      residentMb: of('residentMb'),
      restCalls: of('restCalls'),
    };
  });
}

/**
 * One window of load on one server. The last answer is compared too: fast but wrong under load is wrong.
 * @param {RunningServer} server
 * @param {Workload} workload
 * @param {readonly string[]} expected
 * @param {Surroundings} surroundings
 * @param {{ seconds: number, atLeast: number }} length
 * @returns {Promise<Measurement>}
 */
async function measureWindow(server, workload, expected, { load, countCalls }, { seconds, atLeast }) {
  const callsBefore = await countCalls();
  await server.ask('begin');
  const { requests, p99, last, failure } = await load({
    origin: server.origin,
    bodies: workload.bodies,
    headers: { ...HEADERS, ...workload.headers },
    connections: CONNECTIONS,
    seconds,
    atLeast,
  });
  const { cpuMs, allocated, rss } = await server.ask('end');
  if (failure) throw new Error(`${server.title} failed at ${workload.key}: ${failure}`);
  checkAnswer(server, workload, last.text, expected[last.set]);
  const restCalls = ((await countCalls()) - callsBefore) / requests;
  if (!server.hasCache && Math.abs(restCalls - workload.calls) > 0.02)
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
