// The longest that an answer of a hostile REST service holds up the event loop:
// `node --max-old-space-size=512 bench/hostile-service.mjs [part of a name]`.
// Prints for each answer the longest stretch of the least of three runs, what the caller got, and the peak of memory.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { cases } from './hostile-service/answers.mjs';

process.env.NODE_ENV = 'production';
const { createGateway, readConfig } = await import('../dist/index.js');

const RUNS = 3;
const wanted = process.argv[2] ?? '';
const service = new Worker(new URL('hostile-service/server.mjs', import.meta.url), {
  resourceLimits: { maxOldGenerationSizeMb: 4096 },
});
const [port] = await once(service, 'message');

const operations = {
  debtors:
    '{ debtors(administrationId: "1001", first: 100) { nodes { id remark updatedAt labels { name } } } }',
  viewer: '{ viewer { scopes administrations { id } } }',
  messages:
    'mutation { updateMessages(input: { administrationId: "1001", messages: [{ id: "1", read: true }] }) ' +
    '{ count errors { recordId messages } } }',
  token: 'mutation { createClientCredentialsToken { token { accessToken } } }',
};
const basic = `Basic ${Buffer.from('id:secret').toString('base64')}`;
const config = readConfig({ CACHE_TTL_MS: '0' });

async function run(operation) {
  const gateway = createGateway({ ...config, restUrl: new URL(`http://127.0.0.1:${port}`), log: () => {} });
  const headers = {
    authorization: 'Bearer token',
    'content-type': 'application/json',
    'x-client-authorization': basic,
  };
  const body = JSON.stringify({ query: operations[operation] });
  let longest = 0;
  let memory = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    memory = Math.max(memory, process.memoryUsage.rss());
  }, 1);
  const start = performance.now();
  const response = await gateway.fetch('http://localhost/graphql', { method: 'POST', headers, body });
  const text = await response.text();
  const took = performance.now() - start;
  await new Promise((resolve) => setTimeout(resolve, 3));
  clearInterval(timer);
  await gateway.dispose();
  const outcome = /"code":"([A-Z_]+)"/.exec(text.slice(0, 3000))?.[1] ?? `${text.length} bytes`;
  return { longest, took, memory, outcome };
}

for (const [name, [operation]] of Object.entries(cases)) {
  if (!name.includes(wanted)) continue;
  service.postMessage(name);
  await once(service, 'message');
  let best;
  for (let count = 0; count < RUNS; count += 1) {
    const result = await run(operation);
    if (best === undefined || result.longest < best.longest) best = result;
  }
  const { longest, took, memory, outcome } = best;
  console.log(
    `${name.padEnd(46)} ${longest.toFixed(0).padStart(5)} ms of ${took.toFixed(0).padStart(5)}  ${(memory / 1e6).toFixed(0).padStart(5)} MB  ${outcome}`,
  );
}
await service.terminate();
