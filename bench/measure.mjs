// @ts-check
import { readFileSync, writeFileSync } from 'node:fs';
import { checkAnswer } from './check.mjs';
import { HEADERS } from './servers.mjs';

/** @typedef {import('./servers.mjs').RunningServer} RunningServer */
/** @typedef {import('./workloads/index.mjs').Workload} Workload */

/** @typedef {{ connections: number, callers?: number, seconds: number, documents?: number, atLeast?: number }} Pressure */

/**
 * @typedef {object} Measurement
 * @property {number} cpuMs Of the gateway's process, for one request.
 * @property {number} restCalls For one request.
 * @property {number} bytes
 * @property {number} peakMb
 */

/** Linux counts in hundredths of a second, whatever its own clock does. */
const MS_PER_TICK = 10;

/**
 * One window of load on one server. The last answer is compared too: fast but wrong under load is wrong.
 * @param {RunningServer} server
 * @param {Workload} workload
 * @param {Pressure} pressure
 * @param {unknown} expected
 * @returns {Promise<Measurement>}
 */
export async function measure(server, workload, pressure, expected) {
  const request = server.ask(workload);
  if (!request) throw new TypeError(`${server.title} cannot answer ${workload.key}.`);
  forgetPeak(server.pid);
  const callsBefore = await countCalls(server.rest);
  const cpuBefore = cpuMsOf(server.pid);
  const outcome = await server.load({
    callers: pressure.connections,
    documents: 1,
    atLeast: 1,
    ...pressure,
    ...request,
    origin: server.origin,
    headers: { ...HEADERS, ...request.headers },
  });
  if (outcome.failure) throw new Error(`${server.title} failed at ${workload.key}: ${outcome.failure}`);
  const cpuMs = cpuMsOf(server.pid) - cpuBefore;
  const calls = (await countCalls(server.rest)) - callsBefore;
  checkAnswer(server, workload, JSON.parse(outcome.lastAnswer), expected);
  return {
    cpuMs: cpuMs / outcome.requests,
    restCalls: calls / outcome.requests,
    bytes: outcome.bytes,
    peakMb: peakMbOf(server.pid),
  };
}

/**
 * How many REST calls the simulator has had.
 * @param {string} origin
 * @returns {Promise<number>}
 */
export async function countCalls(origin) {
  const response = await fetch(`${origin}/calls`);
  const { calls } = await response.json();
  return calls;
}

/**
 * All threads, so that collecting garbage and compiling count as well.
 * @param {number} pid
 */
export function cpuMsOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in brackets may hold spaces; utime and stime are the 12th and 13th field after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}

/** @param {number} pid */
function forgetPeak(pid) {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** @param {number} pid */
function peakMbOf(pid) {
  const [, kilobytes] = readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmHWM:\s+(\d+)/) ?? [];
  return Number(kilobytes) / 1_024;
}
