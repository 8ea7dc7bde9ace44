// @ts-check
import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { hasCache } from './check.mjs';
import { compare } from './compare.mjs';
import { chartOf } from './growth/chart.mjs';
import { measureGrowth } from './growth/index.mjs';
import { lightTable, measureLight } from './light/index.mjs';
import { readOptions } from './options.mjs';
import { installPeers } from './peers/install.mjs';
import { canPin, stopAll } from './processes.mjs';
import { dataOf, tableOf } from './report.mjs';
import { startGateway } from './servers.mjs';
import { measureStarts } from './start.mjs';
import { questions, workloadsOf } from './workloads/index.mjs';

/** @typedef {ReturnType<typeof readOptions>} Options */
/** @typedef {import('./servers.mjs').RunningServer} RunningServer */

/** @param {Options} options */
async function run(options) {
  if (options.light) return runLight(options);
  installPeers();
  console.log(describeMachine());
  if (options.start) {
    const [workload] = await workloadsOf(options.only.slice(0, 1), ['apollo']);
    const starts = workload ? await measureStarts(options.servers, workload, options) : [];
    console.table(starts);
    return starts;
  }
  const running = await startGateways(options);

  if (options.growth) {
    const growth = await measureGrowth(running, options);
    if (options.chart) writeFileSync(options.chart, chartOf(growth));
    return growth;
  }
  const measured = [];
  for (const workload of await workloadsOf(options.only, options.shapes)) {
    const results = await compare(running, workload, {
      rounds: options.rounds,
      seconds: options.seconds,
      callers: options.callers,
    });
    console.log(tableOf(workload, results));
    measured.push(dataOf(workload, results));
  }
  return measured;
}

/** @param {Options} options */
async function runLight({ servers, only }) {
  if (servers.some(({ kind }) => kind !== 'ours')) installPeers();
  const workloads = await workloadsOf(only, ['plain']);
  const measured = [];
  for (const server of servers) {
    const weights = await measureLight(server, workloads);
    console.log(server.title);
    console.table(lightTable(weights));
    measured.push({ key: server.key, weights });
  }
  return measured;
}

/** @param {Options} options */
async function startGateways({ servers, latency }) {
  /** @type {RunningServer[]} */
  const running = [];
  for (const server of servers) {
    const started = await startGateway(server, latency);
    const [question] = questions;
    if (server.key === 'cached' && question && !(await hasCache(started, question.plain))) {
      console.log(`${server.title}: left out, since it makes the same REST call twice.`);
    } else {
      running.push(started);
    }
  }
  return running;
}

function describeMachine() {
  const [cpu] = cpus();
  const pinned = canPin ? 'pinned: gateway on core 0, REST and load on core 1' : 'not pinned to cores';
  const load = loadavg()[0]?.toFixed(2);
  return `Node ${process.version}, ${cpus().length} × ${cpu?.model ?? 'unknown'}, ${pinned}; load before: ${load}`;
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    await stopAll();
    process.exit(130);
  });
}

try {
  const options = readOptions();
  const measured = await run(options);
  if (options.json) {
    const { rounds, seconds, callers, latency } = options;
    const file = { machine: describeMachine(), options: { rounds, seconds, callers, latency }, measured };
    writeFileSync(options.json, `${JSON.stringify(file, null, 2)}\n`);
  }
} catch (error) {
  console.error(`\nThe bench stops: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
} finally {
  await stopAll();
}
