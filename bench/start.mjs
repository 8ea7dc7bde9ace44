// @ts-check
import { answerOf, checkAnswer } from './check.mjs';
import { cpuMsOf } from './measure.mjs';
import { stop } from './processes.mjs';
import { startGateway } from './servers.mjs';

/** @typedef {import('./servers.mjs').Server} Server */
/** @typedef {import('./workloads/index.mjs').Workload} Workload */
/** @typedef {{ readyMs: number, readyCpuMs: number, answersMs: number, answersCpuMs: number }} Start */

const ANSWERS = 100;

/**
 * How long a server takes from its start until it is ready, and until it has given a hundred answers one after another:
 * the time that a deployment or a crash costs its callers. Servers are started by turns.
 * @param {readonly Server[]} servers
 * @param {Workload} workload
 * @param {{ rounds: number, latency: number }} options
 */
export async function measureStarts(servers, workload, { rounds, latency }) {
  const able = servers.filter((server) => server.ask(workload));
  /** @type {Map<Server, Start[]>} */
  const starts = new Map(able.map((server) => [server, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const server of able) starts.get(server)?.push(await measureStart(server, workload, latency));
  }
  return Array.from(starts, ([server, measured]) => ({ server: server.title, ...fastest(measured) }));
}

/**
 * @param {Server} server
 * @param {Workload} workload
 * @param {number} latency
 * @returns {Promise<Start>}
 */
async function measureStart(server, workload, latency) {
  const running = await startGateway(server, latency);
  const readyMs = running.readyMs;
  const readyCpuMs = cpuMsOf(running.pid);
  const began = performance.now();
  const expected = server.read(workload, await answerOf(running, workload));
  for (let answer = 1; answer < ANSWERS; answer += 1) {
    checkAnswer(running, workload, await answerOf(running, workload), expected);
  }
  const start = {
    readyMs,
    readyCpuMs,
    answersMs: readyMs + performance.now() - began,
    answersCpuMs: cpuMsOf(running.pid),
  };
  await stop(running);
  return start;
}

/**
 * What the machine does beside can only make a start slower.
 * @param {readonly Start[]} starts
 * @returns {Start}
 */
function fastest(starts) {
  const of = (/** @type {keyof Start} */ name) => Math.round(Math.min(...starts.map((start) => start[name])));
  return {
    readyMs: of('readyMs'),
    readyCpuMs: of('readyCpuMs'),
    answersMs: of('answersMs'),
    answersCpuMs: of('answersCpuMs'),
  };
}
