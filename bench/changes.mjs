// @ts-check
/**
 * What 1,000 subscribers of 50 credentials cost while 100 records a second change: CPU and memory of the gateway, and
 * how long a change takes from the answer of the REST service that first shows it to the client. Each credential has an
 * administration of its own, so that each change is told to 20 subscribers.
 *
 *   node bench/changes.mjs [--seconds 30] [--subscribers 1000] [--credentials 50] [--changes 100] [--poll 1000]
 */
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cpuMsOf } from './measure.mjs';
import { startServer, stopAll } from './processes.mjs';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    subscribers: { type: 'string', default: '1000' },
    credentials: { type: 'string', default: '50' },
    changes: { type: 'string', default: '100' },
    poll: { type: 'string', default: '1000' },
  },
});
const { credentials, changes, poll } = values;
const seconds = Number(values.seconds);
const subscribers = Number(values.subscribers);

const service = await startServer({
  name: 'the REST service',
  args: [pathOf('changes/service.mjs'), '--administrations', credentials, '--changes', changes],
});
const gateway = await startServer({
  name: 'the gateway',
  args: ['--max-semi-space-size=64', pathOf('../dist/main.js')],
  env: {
    REST_URL: service.origin,
    PORT: '0',
    LOG: 'off',
    METRICS: 'on',
    CHANGES_POLL_MS: poll,
    MAX_SUBSCRIPTIONS: String(3 * subscribers),
  },
});

const idle = memoryOf(gateway.pid);
/** @type {number[]} */
let delays = [];
let ended = 0;
const opened = [];
for (let index = 0; index < subscribers; index += 1) {
  opened.push(subscribe(index % Number(credentials)));
  // As many at once as the gateway takes of one address that it does not know yet.
  if (index % 20 === 19) await Promise.all(opened.splice(0));
}
await Promise.all(opened);
const connected = memoryOf(gateway.pid);
await sleep(3_000);

delays = [];
const before = { cpu: cpuMsOf(gateway.pid), at: performance.now(), ...(await countsOf()) };
await sleep(seconds * 1_000);
const elapsed = (performance.now() - before.at) / 1_000;
const after = { cpu: cpuMsOf(gateway.pid), ...(await countsOf()) };
const told = delays.sort((one, other) => one - other);
const at = (/** @type {number} */ share) => told[Math.floor((told.length - 1) * share)];
const cpu = (after.cpu - before.cpu) / 1_000;

console.log(
  `${subscribers} subscribers of ${credentials} credentials, a poll every ${poll} ms: ` +
    `${((after.made - before.made) / elapsed).toFixed(0)} changes a second, ` +
    `${((after.calls - before.calls) / elapsed).toFixed(0)} REST calls a second, ` +
    `${(told.length / elapsed).toFixed(0)} events a second, ${ended} streams ended`,
);
console.log(
  `CPU ${((100 * cpu) / elapsed).toFixed(0)} % of a core, ${((1e6 * cpu) / told.length).toFixed(0)} µs for each event; ` +
    `resident ${idle} MB idle, ${connected} MB with all connected, ${memoryOf(gateway.pid)} MB in the end`,
);
console.log(
  `from the REST answer to the client: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`,
);
stopAll();
process.exit();

/**
 * @param {number} credential
 * @returns {Promise<void>}
 */
function subscribe(credential) {
  const query = `subscription { changes(administrationId: "${credential}", kinds: [DEBTOR_CHANGED]) {
    eventId cursor ... on DebtorChanged { debtor { internalId name updatedAt } } } }`;
  return new Promise((resolve, reject) => {
    const sent = request(`${gateway.origin}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        authorization: `Bearer bench-token-${credential}`,
      },
    });
    sent.once('response', (response) => {
      if (response.statusCode !== 200) return reject(new Error(`status ${response.statusCode}`));
      response.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
        resolve();
        const now = Date.now();
        for (const [, shown] of text.matchAll(/"name":"(\d+)"/g)) delays.push(now - Number(shown));
      });
      response.once('close', () => {
        ended += 1;
      });
    });
    sent.once('error', reject);
    sent.end(JSON.stringify({ query }));
  });
}

/** @returns {Promise<{ calls: number, made: number }>} */
async function countsOf() {
  const response = await fetch(`${service.origin}/counts`);
  return JSON.parse(await response.text());
}

/** @param {number} pid */
function memoryOf(pid) {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1_000);
}

/** @param {string} path */
function pathOf(path) {
  return fileURLToPath(new URL(path, import.meta.url));
}
