/**
 * Hours in a minute: the built gateway over a service that misbehaves at random, with callers of differing rights.
 * Ends with status 1 when an answer was lost or wrong, a row leaked, or the heap grew.
 *
 *   node bench/soak.mjs [--seconds 60] [--documents 100000] [--tokens 50000] [--seed 1] [--width 32]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startDemoService } from '../test/support/rest-service.mjs';
import { abuseFor } from './soak-abuse.mjs';
import { createRandom, startFaults } from './soak-faults.mjs';
import { startGateway } from './soak-gateway.mjs';
import { createLoad, createTally } from './soak-load.mjs';

/** Documents, their plans and reasons for refusals are kept up to 34 MB, as they are counted. */
const MAX_GROWTH = 40_000_000;
/** Until the timers of the last operations have run out. */
const SETTLE_MS = 2500;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    documents: { type: 'string', default: '100000' },
    tokens: { type: 'string', default: '50000' },
    seed: { type: 'string', default: '1' },
    width: { type: 'string', default: '32' },
  },
});
const [seconds, documents, tokens, seed, width] = ['seconds', 'documents', 'tokens', 'seed', 'width'].map(
  (name) => {
    const value = Number(values[name]);
    if (!Number.isFinite(value) || value < 0)
      throw new TypeError(`--${name} takes a number, not ${values[name]}`);
    return value;
  },
);

const rest = await startDemoService();
// One forgets at once, so that its heap shows a leak; the other remembers for a moment, so that what it remembers
// of one caller could leak to another.
const gateway = await startGateway(rest.url, 0);
const remembering = await startGateway(rest.url, 100);
const random = createRandom(seed);
const tally = createTally();
const loads = [gateway, remembering].map((each) => createLoad(each, rest, random, tally));
const run = (milliseconds) => Promise.all(loads.map((load) => load.run(milliseconds, width / 2)));

await run(2000); // until what is compiled and kept once is there
const before = await settledHeap();

const faults = startFaults(rest, random);
await run(seconds * 1000);
const { calls, injected } = faults.stop();
const afterLoad = await settledHeap();

// Honest load beside callers who try to bring it down.
const lostBefore = tally.lost;
const [abused] = await Promise.all([abuseFor(seconds * 500, gateway.port, seed), run(seconds * 500)]);
const lostBeside = tally.lost - lostBefore;
const ready = await gateway.ready();
const afterAbuse = await settledHeap();

const sentDocuments = await pushUnique(documents, (index) => ({
  query: documentOf(index),
  token: 'demo-token-company-a',
}));
const afterDocuments = await settledHeap();
const sentTokens = await pushUnique(tokens, (index) => ({
  query: '{ debtors(administrationId: "1001", first: 1) { nodes { name } } }',
  token: `unknown-${index}`,
}));
const afterTokens = await settledHeap();
const rememberedHeap = await remembering.heap();
const peak = await gateway.peak();
const status = (await gateway.stop()) || (await remembering.stop());
await rest.close();

const growth = Math.max(afterLoad, afterAbuse, afterDocuments, afterTokens) - before;
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
const rows = [
  ['operations', tally.operations],
  ['REST calls', calls],
  [
    'faults injected',
    `${sum(injected)} (${Object.entries(injected)
      .map(([kind, count]) => `${kind} ${count}`)
      .join(', ')})`,
  ],
  ...Object.entries(abused).map(([name, count]) => [`a caller ${name}`, count]),
  ['answers lost beside these', lostBeside],
  ['ready after these', ready],
  ['answers with a coded error', tally.failed],
  ['callers who left', tally.left],
  ['told to come back (503)', tally.overloaded],
  ['answers lost', tally.lost],
  ['answers wrong, other 5xx', tally.wrong],
  ['rows leaked', tally.leaked],
  ['heap before', megabytes(before)],
  ['heap after the load', megabytes(afterLoad)],
  ['heap after abuse', megabytes(afterAbuse)],
  ['most that the process took', megabytes(peak)],
  [`heap after ${sentDocuments} documents`, megabytes(afterDocuments)],
  [`heap after ${sentTokens} tokens`, megabytes(afterTokens)],
  ['heap of the one that remembers', megabytes(rememberedHeap)],
  ['status at the end', status],
];
for (const [name, value] of rows) console.log(`${name.padEnd(50)}${value}`);
for (const example of tally.examples) console.log(`\n${example}`);

const faulty = [
  tally.lost > 0 && 'answers were lost',
  tally.wrong > 0 && 'answers were wrong',
  tally.leaked > 0 && 'rows leaked',
  ready !== 200 && 'it is not ready after abuse',
  growth > MAX_GROWTH && `the heap grew by ${megabytes(growth)}`,
  rememberedHeap - before > MAX_GROWTH && 'more is remembered than may be',
  status !== 0 && `the gateway ended with status ${status}`,
].filter(Boolean);
console.log(faulty.length === 0 ? '\nAll is well.' : `\nNot well: ${faulty.join(', ')}.`);
process.exitCode = faulty.length === 0 ? 0 : 1;

/** Requests that come once, as many as fit into half the time of the load. */
async function pushUnique(count, make) {
  const until = performance.now() + seconds * 500;
  let sent = 0;
  const worker = async () => {
    while (sent < count && performance.now() < until && gateway.exitCode() === null) {
      sent += 1;
      const { query, token } = make(sent);
      const answer = await gateway.post(JSON.stringify({ query }), { authorization: `Bearer ${token}` });
      if (answer.failed !== undefined) tally.lost += 1;
      rest.calls.length = 0;
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return sent;
}

/** Every fifth is not valid, and every fifth is no GraphQL. */
function documentOf(index) {
  if (index % 5 === 0) return `{ unknown${index} }`;
  if (index % 5 === 1) return `{ broken${index} {`;
  const fields = Array.from({ length: 40 }, (_, field) => `alias${index}_${field}: __typename`);
  return `query q${index} { ${fields.join(' ')} }`;
}

async function settledHeap() {
  await sleep(SETTLE_MS);
  return gateway.heap();
}

function sum(counts) {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
