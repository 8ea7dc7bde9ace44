/**
 * What an export of 100,000 debtors of 26 fields takes, and how long a quiet caller waits for one small lookup beside
 * four of them.
 *
 *   node bench/exports.mjs [--seconds 10] [--debtors 100000]
 */
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '10' }, debtors: { type: 'string', default: '100000' } },
});
process.env.BENCH_DEBTORS = values.debtors;

if (!isMainThread) {
  await exportAgainAndAgain(workerData);
  process.exit();
}

const { cpuMsOf } = await import('./measure.mjs');
const { stop, stopAll } = await import('./processes.mjs');
const { servers, startGateway } = await import('./servers.mjs');
const { questions } = await import('./workloads/index.mjs');

const [observed] = servers.filter(({ key }) => key === 'observed');
const [LARGE_PAGE = '', LOOKUP = ''] = ['W2', 'W4'].map((wanted) => {
  const question = questions.find(({ key }) => key === wanted);
  return question ? JSON.parse(question.plain.graphql.body).query : '';
});
const WHOLE = LARGE_PAGE.replace(', first: 500', '');
const lookup = JSON.stringify({ query: LOOKUP });

for (const [format, encoding] of [
  ['csv', 'identity'],
  ['csv', 'gzip'],
  ['ndjson', 'identity'],
]) {
  const gateway = await start();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let count = 0; count < 2_000; count += 1)
    await send(gateway.origin, '/graphql', lookup, 'quiet', { agent });
  agent.destroy();
  await sleep(1_000);
  const idle = memoryOf(gateway.pid);
  const before = { cpu: cpuMsOf(gateway.pid), at: performance.now() };
  const heap = { idle: await heapOf(gateway.origin), most: 0 };
  let most = idle;
  const samples = setInterval(() => {
    most = Math.max(most, memoryOf(gateway.pid));
  }, 20);
  const heapSamples = setInterval(async () => {
    heap.most = Math.max(heap.most, await heapOf(gateway.origin));
  }, 100);
  const { status, bytes } = await send(
    gateway.origin,
    `/graphql.${format}`,
    JSON.stringify({ query: WHOLE }),
    'one',
    {
      encoding,
    },
  );
  clearInterval(samples);
  clearInterval(heapSamples);
  const seconds = (performance.now() - before.at) / 1_000;
  const cpu = (cpuMsOf(gateway.pid) - before.cpu) / 1_000;
  console.log(
    `${format} (${encoding}): ${status}, ${values.debtors} rows, ${megabytes(bytes)} MB in ${seconds.toFixed(1)} s, ` +
      `${cpu.toFixed(1)} s of CPU; resident ${megabytes(idle)} MB idle, at most ${megabytes(most - idle)} MB more; ` +
      `heap in use ${megabytes(heap.idle)} MB idle, at most ${megabytes(heap.most - heap.idle)} MB more`,
  );
  await stop(gateway);
}

const gateway = await start();
for (const exports of [0, 1, 4]) {
  const waits = [];
  const until = Date.now() + Number(values.seconds) * 1_000;
  // In a thread of its own, so that what it does to this process is not taken for what it does to the gateway.
  const reader = new Worker(new URL(import.meta.url), {
    workerData: { exports, until, origin: gateway.origin, body: JSON.stringify({ query: WHOLE }) },
  });
  const done = new Promise((resolve) => reader.once('message', resolve));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  while (Date.now() < until) {
    const start = performance.now();
    const { status } = await send(gateway.origin, '/graphql', lookup, 'quiet', { agent });
    if (status !== 200) throw new Error(`the quiet caller got ${status}`);
    waits.push(performance.now() - start);
    await sleep(5);
  }
  agent.destroy();
  const megabytesRead = megabytes(await done);
  waits.sort((a, b) => a - b);
  const at = (share) => (waits[Math.floor(waits.length * share)] ?? 0).toFixed(1);
  console.log(
    `lookups beside ${exports} exports: p50 ${at(0.5)}  p95 ${at(0.95)}  p99 ${at(0.99)}  max ${at(0.9999)} ms ` +
      `(${waits.length} lookups; ${megabytesRead} MB exported)`,
  );
}
await stopAll();

function start() {
  return startGateway({ ...observed, env: { ...observed.env, LOG: 'off', MAX_EXPORTS: '8' } }, 5);
}

/** Starts exports until the time is over, and then leaves. */
async function exportAgainAndAgain({ exports, until, origin, body }) {
  let bytes = 0;
  const onBytes = (read) => {
    bytes += read;
  };
  const one = async (_, index) => {
    while (Date.now() < until) {
      const abort = AbortSignal.timeout(Math.max(1, until - Date.now()));
      await send(origin, '/graphql.csv', body, `export-${index % 2}`, { abort, onBytes }).catch(() => {});
    }
  };
  await Promise.all(Array.from({ length: exports }, one));
  parentPort.postMessage(bytes);
}

function send(origin, path, body, token, { agent, encoding = 'identity', abort, onBytes } = {}) {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'accept-encoding': encoding,
      authorization: `Bearer ${token}`,
    };
    const outgoing = request(
      `${origin}${path}`,
      { method: 'POST', agent, headers, signal: abort },
      (incoming) => {
        let bytes = 0;
        const end = () => resolve({ status: incoming.statusCode, bytes });
        incoming.on('data', (chunk) => {
          bytes += chunk.length;
          onBytes?.(chunk.length);
        });
        incoming.on('end', end).on('error', reject);
      },
    );
    outgoing.on('error', reject).end(body);
  });
}

function memoryOf(pid) {
  const [, kilobytes] = readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmRSS:\s+(\d+)/) ?? [];
  return Number(kilobytes) * 1_024;
}

async function heapOf(origin) {
  const text = await (await fetch(`${origin}/metrics`)).text();
  const [, bytes] = text.match(/^nodejs_heap_size_used_bytes (\d+)/m) ?? [];
  return Number(bytes);
}

function megabytes(bytes) {
  return (bytes / 1_000_000).toFixed(0);
}
