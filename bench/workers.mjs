// @ts-check
/**
 * Throughput and cost of one worker and of several, in turns. Nothing is pinned: the REST simulator and the load take
 * their part of the same cores, so throughput tells what this machine does, and CPU what a request costs.
 *
 *   node bench/workers.mjs [--workers 1,2] [--rounds 5] [--seconds 3]
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { cpuMsOf } from './measure.mjs';
import { stopAll } from './processes.mjs';
import { HEADERS, servers, startGateway } from './servers.mjs';
import { questions } from './workloads/index.mjs';

const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '1,2' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
  },
});
const counts = values.workers.split(',').map(Number);
const CONNECTIONS = 16;

/** The processes of a gateway: itself, and its workers if it has any. */
function processesOf(/** @type {number} */ pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return [pid, ...children.split(' ').filter(Boolean).map(Number)];
}

const cpuOf = (/** @type {number[]} */ pids) => pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0);
const median = (/** @type {number[]} */ numbers) =>
  numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? Number.NaN;

try {
  for (const key of ['ours', 'cached']) {
    const server = servers.find((one) => one.key === key);
    if (!server) throw new TypeError(`There is no server ${key}.`);
    for (const question of questions.filter((one) => ['W1', 'W4'].includes(one.key))) {
      const gateways = [];
      for (const workers of counts) {
        const env = { ...server.env, WORKERS: String(workers) };
        gateways.push({ workers, running: await startGateway({ ...server, env }, 0, { isPinned: false }) });
      }
      /** @type {{ perSecond: number[], cpuMs: number[] }[]} */
      const measured = gateways.map(() => ({ perSecond: [], cpuMs: [] }));
      // The first round warms up.
      for (let round = 0; round <= Number(values.rounds); round += 1) {
        for (const [index, { running }] of gateways.entries()) {
          const pids = processesOf(running.pid);
          const before = cpuOf(pids);
          const start = performance.now();
          const outcome = await running.load({
            method: 'POST',
            path: '/graphql',
            body: question.plain.graphql.body,
            headers: HEADERS,
            origin: running.origin,
            connections: CONNECTIONS,
            callers: CONNECTIONS,
            documents: 1,
            atLeast: 1,
            seconds: Number(values.seconds),
          });
          if (outcome.failure) throw new Error(outcome.failure);
          if (round === 0) continue;
          measured[index]?.perSecond.push((outcome.requests / (performance.now() - start)) * 1_000);
          measured[index]?.cpuMs.push((cpuOf(pids) - before) / outcome.requests);
        }
      }
      console.log(`${question.plain.title}, ${server.title}`);
      for (const [index, { workers }] of gateways.entries()) {
        const { perSecond = [], cpuMs = [] } = measured[index] ?? {};
        const rate = median(perSecond).toFixed(0).padStart(6);
        console.log(
          `  ${workers} worker${workers === 1 ? ' ' : 's'} ${rate} a second, CPU ${median(cpuMs).toFixed(3)} ms each`,
        );
      }
      await stopAll();
    }
  }
} finally {
  await stopAll();
}
