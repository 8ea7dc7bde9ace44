/**
 * How long a quiet caller waits for one small lookup beside others who ask for as much as they may.
 *
 *   node bench/neighbours.mjs [--seconds 5]
 */
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { encodeGlobalId } from '../dist/schema/fields/global-id.js';
import { stopAll } from './processes.mjs';
import { servers, startGateway } from './servers.mjs';
import { questions } from './workloads/index.mjs';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '5' } } });
const milliseconds = Number(values.seconds) * 1000;

const LATENCY_MS = 20;
const [server] = servers.filter(({ key }) => key === 'ours');
const bodyOf = (query, variables) => JSON.stringify({ query, variables });
const [LARGE_PAGE = '', LOOKUP = ''] = ['W2', 'W4'].map((wanted) => {
  const question = questions.find(({ key }) => key === wanted);
  return question ? JSON.parse(question.plain.graphql.body).query : '';
});
const LARGEST = bodyOf(
  LARGE_PAGE.replace('first: 500', 'first: 10000').replace(
    /nodes (\{.*\}) \} \}$/,
    'edges { cursor node $1 } } }',
  ),
);
const administrations = Array.from({ length: 10_000 }, (_, index) =>
  encodeGlobalId({ type: 'Administration', administration: `${index}`, id: `${index}` }),
);
const aliases = (count, field) =>
  Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ');

/** What others do meanwhile: how many at once, as whom, and what each sends again and again. */
const cases = {
  alone: { width: 0, token: 'x', body: '' },
  'beside 1 who reads 10,000 debtors, 26 fields': { width: 1, token: 'large', body: LARGEST },
  'beside 4 who read 10,000 debtors, 26 fields': { width: 4, token: 'large', body: LARGEST },
  'beside 16 who read 10,000 debtors, 26 fields': { width: 16, token: 'large', body: LARGEST },
  'beside 4 who order and add up 10,000 debtors': {
    width: 4,
    token: 'whole',
    body: bodyOf(
      `{ debtors(administrationId: "1001", where: { name: { contains: "o" } }, orderBy: [{ field: NAME }], first: 20) {
        nodes { name remark } totals { count bookOpenAmount { sum } } groups(by: POSTAL_ADDRESS_CITY) { key totals { count } }
      } }`,
    ),
  },
  'beside 4 who send 90,000 administrations': {
    width: 4,
    body: bodyOf(`query ($i: [ID!]!) { ${aliases(9, 'nodes(ids: $i) { id }')} }`, { i: administrations }),
  },
  'beside 4 who send 90,000 bad ids': {
    width: 4,
    body: bodyOf(`query ($i: [ID!]!) { ${aliases(9, 'nodes(ids: $i) { id }')} }`, {
      i: administrations.map(() => 'x'),
    }),
  },
  'beside 4 who introspect': {
    width: 4,
    body: bodyOf(`{ ${aliases(5, '__schema { types { fields { type { fields { type { name } } } } } }')} }`),
  },
  'beside one who runs 300 lookups at once': { width: 300, token: 'greedy', body: bodyOf(LOOKUP) },
};

if (!isMainThread) {
  await neighbour(workerData);
  process.exit();
}

const gateway = await startGateway(server, LATENCY_MS);
for (const [name, others] of Object.entries(cases)) {
  const { waits, statuses } = await quietBeside(others);
  // The first tells the gateway who this is.
  waits.shift();
  waits.sort((a, b) => a - b);
  const at = (share) => (waits[Math.floor(waits.length * share)] ?? 0).toFixed(0).padStart(5);
  const told = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
  console.log(
    `${name.padEnd(46)} p50 ${at(0.5)}  p95 ${at(0.95)}  p99 ${at(0.99)}  max ${at(0.9999)} ms` +
      `  (${waits.length} lookups; the others: ${told.join(', ') || 'none'})`,
  );
}
await stopAll();

async function quietBeside(others) {
  const until = Date.now() + milliseconds;
  // In a thread of their own, so that what they do to this process is not taken for what they do to the gateway.
  const neighbours = new Worker(new URL(import.meta.url), {
    workerData: { ...others, until, origin: gateway.origin },
  });
  const done = once(neighbours, 'message');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const waits = [];
  while (Date.now() < until) {
    const start = performance.now();
    const status = await post(gateway.origin, agent, bodyOf(LOOKUP), 'quiet');
    if (status !== 200) throw new Error(`the quiet caller got ${status}`);
    waits.push(performance.now() - start);
    await sleep(5);
  }
  agent.destroy();
  const [statuses] = await done;
  return { waits, statuses };
}

/** Sends the same again and again; whoever is told to come back later does, after a moment. */
async function neighbour({ width, token, body, until, origin }) {
  const statuses = {};
  await Promise.all(
    Array.from({ length: width }, async (_, index) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      while (Date.now() < until) {
        const status = await post(origin, agent, body.replace('Bench', `Bench${index}`), token);
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (status === 503) await sleep(100);
      }
      agent.destroy();
    }),
  );
  parentPort.postMessage(statuses);
}

function post(origin, agent, body, token) {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    };
    const outgoing = request(`${origin}/graphql`, { method: 'POST', agent, headers }, (incoming) => {
      incoming.on('end', () => resolve(incoming.statusCode)).on('error', reject);
      incoming.resume();
    });
    outgoing.on('error', reject).end(body);
  });
}
