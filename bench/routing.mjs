// @ts-check
/**
 * How many reads two replicas answer from their caches, where nginx sends requests to them in turn, and where it sends
 * each caller's to one of them.
 *
 *   node bench/routing.mjs [--seconds 20] [--callers 100] [--records 5]
 */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { countCalls } from './measure.mjs';
import { stopAll } from './processes.mjs';
import { ADMINISTRATION_ID, debtorId } from './rest-simulator/records.mjs';
import { hasNginx, startNginx } from './restarts/nginx.mjs';
import { startReplica } from './restarts/replica.mjs';
import { startSimulator } from './servers.mjs';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    callers: { type: 'string', default: '100' },
    records: { type: 'string', default: '5' },
  },
});
const [milliseconds, callers, records] = [
  Number(values.seconds) * 1_000,
  Number(values.callers),
  Number(values.records),
];

/** Each caller reads one of its records a second, at moments of its own. */
async function load(/** @type {string} */ url) {
  const agent = new Agent({ keepAlive: true });
  const end = performance.now() + milliseconds;
  let reads = 0;
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      await sleep(Math.random() * 1_000);
      while (performance.now() < end) {
        await ask(agent, url, `Bearer bench-token-${caller}`, Math.floor(Math.random() * records));
        reads += 1;
        await sleep(500 + Math.random() * 1_000);
      }
    }),
  );
  agent.destroy();
  return reads;
}

/**
 * @param {Agent} agent
 * @param {string} url
 * @param {string} authorization
 * @param {number} record
 * @returns {Promise<void>}
 */
function ask(agent, url, authorization, record) {
  const query = `{ debtor(administrationId: "${ADMINISTRATION_ID}", by: { id: "${debtorId(record)}" }) { name } }`;
  return new Promise((resolve, reject) => {
    const headers = { authorization, 'content-type': 'application/json' };
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume().once('end', resolve);
    });
    sent.once('error', reject).end(JSON.stringify({ query }));
  });
}

if (!hasNginx) throw new Error('This needs nginx: on Debian, apt-get install nginx.');
try {
  for (const isHashed of [false, true]) {
    const { origin: rest } = await startSimulator(5, false);
    const env = { REST_URL: rest, LOG: 'off', METRICS: 'off' };
    const replicas = [await startReplica(env), await startReplica(env)];
    const nginx = await startNginx(
      replicas.map(({ port }) => port),
      { isHashed },
    );
    const before = await countCalls(rest);
    const reads = await load(nginx.url);
    const calls = (await countCalls(rest)) - before;
    const hits = (100 * (1 - calls / reads)).toFixed(0);
    console.log(
      `${isHashed ? 'by credential' : 'in turn      '}: ${reads} reads, ${calls} REST calls, ${hits} % from a cache`,
    );
    await nginx.stop();
    for (const replica of replicas) await replica.stop();
  }
} finally {
  await stopAll();
}
