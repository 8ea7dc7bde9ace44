// @ts-check
/**
 * Hours in a minute: the built gateway over a service that misbehaves at random, with callers of differing rights.
 * Ends with status 1 when an answer was lost or wrong, a row leaked, or the heap grew.
 *
 *   npm run soak -- [--seconds 60]
 */
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startDemoService } from '../../test/support/rest-service.mjs';
import { post } from '../post.mjs';
import { startServer } from '../processes.mjs';
import { startFaults } from './faults.mjs';
import { createLoad, createTally } from './load.mjs';

/** Parsed documents and their plans are kept up to this. */
const MAX_GROWTH = 40_000_000;
const CALLERS = 32;
/** Waits until the timers of the last operations have run out. */
const SETTLE_MS = 2500;

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' } } });
const milliseconds = Number(values.seconds) * 1000;

const rest = await startDemoService();
// One forgets at once, so that its heap shows a leak; the other remembers for a moment, so that what it remembers
// of one caller could leak to another.
const gateways = await Promise.all([start(0), start(100)]);
const [gateway, remembering] = gateways;
const tally = createTally();
const loads = gateways.map((each) => createLoad(each, rest, tally));
const run = (/** @type {number} */ length) => Promise.all(loads.map((load) => load(length, CALLERS / 2)));

await run(2000); // until what is compiled and kept once is there
/** @type {Record<string, number>} */
const heap = { before: await gateway.settledHeap() };
const stopFaults = startFaults(rest);
await run(milliseconds);
const calls = stopFaults();
heap.afterLoad = await gateway.settledHeap();
const documents = await pushUnique((index) => ({ query: documentOf(index), token: 'demo-token-company-a' }));
heap.afterDocuments = await gateway.settledHeap();
const tokens = await pushUnique((index) => ({
  query: '{ debtors(administrationId: "1001", first: 1) { nodes { name } } }',
  token: `unknown-${index}`,
}));
heap.afterTokens = await gateway.settledHeap();
heap.remembering = await remembering.settledHeap();
const statuses = await Promise.all(gateways.map(({ stop }) => stop('SIGTERM')));
await rest.close();

const growth = Math.max(...Object.values(heap)) - (heap.before ?? 0);
console.log({ ...tally, calls, documents, tokens, heap, statuses });
const faults = [
  tally.lost > 0 && 'answers were lost',
  tally.wrong > 0 && 'answers were wrong',
  tally.leaked > 0 && 'rows leaked',
  growth > MAX_GROWTH && `the heap grew by ${Math.round(growth / 1e6)} MB`,
  statuses.some((status) => status !== 0) && 'a gateway did not end well',
].filter(Boolean);
console.log(faults.length === 0 ? '\nAll is well.' : `\nNot well: ${faults.join(', ')}.`);
process.exitCode = faults.length === 0 ? 0 : 1;

/**
 * The built gateway, with short timeouts so that faults end soon.
 * @param {number} cacheTtlMs
 */
async function start(cacheTtlMs) {
  const probe = new URL('../probe.mjs', import.meta.url).href;
  const main = join(import.meta.dirname, '../../dist/main.js');
  const { ask, origin, stop } = await startServer({
    name: 'the gateway',
    args: ['--expose-gc', '--max-old-space-size=512', '--import', probe, main],
    env: {
      LOG: 'off',
      PORT: '0',
      REST_URL: rest.url,
      REST_TIMEOUT_MS: '500',
      REQUEST_TIMEOUT_MS: '2000',
      CACHE_TTL_MS: String(cacheTtlMs),
    },
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  return {
    stop,
    async settledHeap() {
      await sleep(SETTLE_MS);
      return Number(await ask('heap'));
    },
    /**
     * A kept connection may close under a request: that is sent once more.
     * @param {string} body
     * @param {Record<string, string>} headers
     * @param {{ signal?: AbortSignal }} [leaves]
     */
    async post(body, headers, leaves) {
      const options = { agent, headers, ...leaves };
      const answer = await post(`${origin}/graphql`, body, options);
      return answer.failed && answer.reused ? post(`${origin}/graphql`, body, options) : answer;
    },
  };
}

/**
 * Requests that come once, for half the time of the load.
 * @param {(index: number) => { query: string, token: string }} make
 */
async function pushUnique(make) {
  const until = performance.now() + milliseconds / 2;
  let sent = 0;
  const caller = async () => {
    while (performance.now() < until) {
      sent += 1;
      const { query, token } = make(sent);
      const answer = await gateway.post(JSON.stringify({ query }), { authorization: `Bearer ${token}` });
      if (answer.failed !== undefined) tally.lost += 1;
      rest.calls.length = 0;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return sent;
}

/**
 * Returns a document: every fifth is invalid, and every fifth is not GraphQL.
 * @param {number} index
 */
function documentOf(index) {
  if (index % 5 === 0) return `{ unknown${index} }`;
  if (index % 5 === 1) return `{ broken${index} {`;
  const fields = Array.from({ length: 40 }, (_, field) => `alias${index}_${field}: __typename`);
  return `query q${index} { ${fields.join(' ')} }`;
}
