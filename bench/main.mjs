// @ts-check
import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { compare } from './compare.mjs';
import { chartOf, measureGrowth } from './growth.mjs';
import { installPeers } from './peers/install.mjs';
import { canPin, stopAll } from './processes.mjs';
import { REFERENCE, serversOf, start, startSurroundings } from './servers.mjs';
import { measureStarts } from './start.mjs';
import { questions, workloadOf } from './workloads/index.mjs';

const HELP = `npm run bench -- [options]

  --only W1,W4          questions: ${questions.map(({ key, title }) => `${key} ${title}`).join('; ')}
  --shape common        common, as Apollo Client and Relay ask, or plain
  --servers ours,yoga   servers: ${serversOf([]).map(({ key }) => key)}
  --also ../other       beside them the build of another checkout; more than once for more
  --rounds 9            windows of each server, of which the least counts
  --seconds 1           length of a window
  --start               instead: the time to the first answer, and the requests until answers take their usual time
  --growth out.svg      instead: a chart of how cost grows with rows, connections and documents
`;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    shape: { type: 'string', default: 'common' },
    servers: { type: 'string' },
    also: { type: 'string', multiple: true, default: [] },
    rounds: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '1' },
    start: { type: 'boolean', default: false },
    growth: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

async function run() {
  const all = serversOf(values.also);
  const also = all.filter(({ key }) => values.also.includes(key));
  const servers = [...new Set([...choose('--servers', all, values.servers), ...also])];
  const options = { rounds: Number(values.rounds), seconds: Number(values.seconds) };
  installPeers();
  console.log(describeMachine());
  const surroundings = await startSurroundings();
  const asked = choose('--only', questions, values.only);

  if (values.start) {
    const [question = questions[0]] = asked;
    const workload = await workloadOf(question, values.shape);
    return console.table(await measureStarts(servers, workload, surroundings, options.rounds));
  }
  const startAll = async () => {
    const running = [];
    for (const server of servers) running.push(await start(server, surroundings));
    return running;
  };
  if (values.growth)
    return writeFileSync(
      values.growth,
      chartOf(await measureGrowth(await startAll(), surroundings, options)),
    );

  /** @type {Record<string, Record<string, number>>} */
  const ratios = Object.fromEntries(servers.map(({ title }) => [title, {}]));
  for (const question of asked) {
    // Fresh processes: what a server compiled for one question would slow down another one.
    const running = await startAll();
    const workload = await workloadOf(question, values.shape);
    const results = await compare(running, workload, surroundings, options);
    console.log(`\n${question.key}: ${question.title}, ${values.shape} shape`);
    console.table(Object.fromEntries(results.map((result) => [result.server.title, rowOf(result)])));
    for (const { server, ratio } of results)
      Object.assign(ratios[server.title] ?? {}, { [question.key]: rounded(ratio, 2) });
    for (const server of running) await server.stop();
  }
  console.log(`\nCPU of a request, divided by that of ${all.find(({ key }) => key === REFERENCE)?.title}`);
  console.table(ratios);
}

/** @param {import('./compare.mjs').Result} result */
function rowOf({ cpuMs, ratio, spread, p99, allocatedKb, residentMb, restCalls }) {
  return {
    'least CPU ms': rounded(cpuMs, 3),
    ratio: rounded(ratio, 2),
    'median, +%': rounded(spread * 100, 0),
    'p99 ms': rounded(p99, 1),
    'kB allocated': rounded(allocatedKb, 0),
    'resident MB': rounded(residentMb, 0),
    'REST calls': rounded(restCalls, 2),
  };
}

/** @type {(value: number, digits: number) => number} */
function rounded(value, digits) {
  return Number(value.toFixed(digits));
}

/** @type {<T extends { key: string }>(option: string, all: readonly T[], keys: string | undefined) => readonly T[]} */
function choose(option, all, keys) {
  if (keys === undefined) return all;
  return keys.split(',').map((key) => {
    const found = all.find((one) => one.key === key);
    if (found) return found;
    throw new TypeError(`${option} takes ${all.map((one) => one.key).join(', ')}, not ${key}.`);
  });
}

function describeMachine() {
  const pinned = canPin ? 'server on core 0, REST and load on core 1' : 'not pinned to cores';
  const load = loadavg()[0]?.toFixed(2);
  return `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}, ${pinned}; load before: ${load}`;
}

for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => stopAll().then(() => process.exit(130)));

if (values.help) console.log(HELP);
else {
  try {
    await run();
  } catch (error) {
    console.error(`\nThe bench stops: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}
await stopAll();
process.exit();
