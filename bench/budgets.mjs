/**
 * Fills each memory budget as a caller without a valid credential can, and compares what is counted with what the heap
 * holds after a collection: `node bench/budgets.mjs [heap in MB …]`.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const HOOK = `process.on('message', () => {
  for (let count = 0; count < 3; count += 1) gc();
  process.send(process.memoryUsage());
}); process.channel.unref();`;

async function startGateway(heap, env = {}) {
  const main = new URL('../dist/main.js', import.meta.url);
  const flags = ['--expose-gc', `--max-old-space-size=${heap}`];
  const child = fork(main, {
    env: { PATH: process.env.PATH, PORT: '0', LOG: 'off', EMBEDDED_CHANGES_MS: '0', ...env },
    execArgv: [...flags, '--import', `data:text/javascript,${encodeURIComponent(HOOK)}`],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  child.on('exit', (status, signal) => {
    if (signal !== 'SIGKILL') console.log(`the gateway ended: ${status ?? signal}`);
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    output += chunk;
  });
  while (!output.includes('is ready at')) await once(child.stdout, 'data');
  const port = Number(/is ready at \S+:(\d+)/.exec(output)[1]);
  const memory = async () => {
    child.send('measure');
    const [{ heapUsed, external, rss }] = await once(child, 'message');
    return { heap: heapUsed, outside: external, rss };
  };
  return { child, port, memory, stop: () => child.kill('SIGKILL') };
}

/** What the gateway counts, by budget and by cache. */
async function counted(port) {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const found = {};
  for (const [, name, value] of text.matchAll(
    /^receivables_(?:memory|cache)_bytes\{(?:budget|cache)="(\w+)"\} (\S+)/gm,
  ))
    found[name] = Number(value);
  const [, open] = /^receivables_connections (\d+)/m.exec(text) ?? [];
  return { ...found, open: Number(open) };
}

function open(port, bytes, { reads = false } = {}) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {}).once('close', () => resolve(socket));
    if (reads) socket.resume();
    else socket.pause();
    socket.once('connect', () => {
      const flushed = socket.write(bytes, () => resolve(socket));
      if (!flushed) setTimeout(resolve, 2_000, socket);
    });
  });
}

async function openMany(port, count, bytesOf, options) {
  const sockets = [];
  for (let start = 0; start < count; start += 50) {
    const some = Array.from({ length: Math.min(50, count - start) }, (_, index) =>
      open(port, bytesOf(start + index), options),
    );
    sockets.push(...(await Promise.all(some)));
  }
  return sockets;
}

const headers = (count, length) =>
  Array.from({ length: count }, (_, index) => `h${index}:${'v'.repeat(length)}\r\n`).join('');
const POST = 'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
const posted = (body, headers = '') =>
  `${POST}${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const TYPES =
  'types { name description fields { name description args { name description } type { name } } }';
const introspection = JSON.stringify({
  query: `{ ${[1, 2, 3, 4, 5].map((index) => `a${index}: __schema { ${TYPES} }`).join(' ')} }`,
});
const operation = (unused) =>
  posted(
    JSON.stringify({
      query: '{ debtors(administrationId: "1001", first: 1) { nodes { id } } }',
      variables: { unused },
    }),
    'Authorization: Bearer nobody\r\n',
  );
const listOf = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const waiting = (unused) => ({
  budget: 'operations',
  count: 150,
  bytes: () => operation(unused),
  isHanging: true,
});

/** What fills each budget, how often, and what counts it. */
const SCENARIOS = {
  'idle connections': { budget: 'connections', count: 6_000, bytes: () => '' },
  'connections with 15 kB of headers that do not end': {
    budget: 'connections',
    count: 6_000,
    bytes: () => `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(15_000)}`,
  },
  'requests with few headers whose body does not come': {
    budget: 'connections',
    count: 3_000,
    bytes: () => `${POST}${headers(10, 20)}Content-Length: 90\r\n\r\n{`,
  },
  'requests with 95 headers whose body does not come': {
    budget: 'connections',
    count: 3_000,
    bytes: () => `${POST}${headers(95, 1)}Content-Length: 90\r\n\r\n{`,
  },
  'requests with 15 kB of headers whose body does not come': {
    budget: 'connections',
    count: 3_000,
    bytes: () => `${POST}${headers(95, 150)}Content-Length: 90\r\n\r\n{`,
  },
  'bodies of 900 kB that do not end': {
    budget: 'uploads',
    count: 150,
    bytes: () => `${POST}Content-Length: 990000\r\n\r\n${' '.repeat(900_000)}`,
  },
  'bodies of 900 chunks of one byte that do not end': {
    budget: 'uploads',
    count: 4_000,
    bytes: () => `${POST}Transfer-Encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(900)}`,
  },
  'introspections that are not read': {
    budget: 'downloads',
    count: 100,
    bytes: () => posted(introspection),
    again: 8,
  },
  'pages that are not read': {
    budget: 'downloads',
    count: 4_000,
    bytes: () => 'GET /docs HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\n\r\n',
  },
  'operations that wait, with 49,000 empty objects as variables': waiting(listOf(49_000, () => ({}))),
  'operations that wait, with 49,000 empty lists as variables': waiting(listOf(49_000, () => [])),
  'operations that wait, with 30,000 objects of other keys': waiting(
    listOf(30_000, (index) => ({ [`k${index}`]: 0 })),
  ),
  'operations that wait, with one object of 49,000 keys': waiting(
    Object.fromEntries(listOf(49_000, (index) => [`k${index}`, 0])),
  ),
  'operations that wait, with 90,000 numbers': waiting(listOf(90_000, (index) => index + 0.5)),
  'operations that wait, with a text of 900 kB': waiting('x'.repeat(900_000)),
  'new documents': {
    budget: 'document',
    count: 3_000,
    bytes: (index) =>
      posted(
        JSON.stringify({ query: `query q${index} { ${'a: __typename '.repeat(100)} }` }),
        'Connection: close\r\n',
      ),
    reads: true,
  },
};

const MB = (bytes) => (bytes / 1e6).toFixed(1).padStart(8);

async function measure(name, heap) {
  const { budget, count, bytes, isHanging, again = 0, ...options } = SCENARIOS[name];
  const hanging = createServer(() => {}).listen(0, '127.0.0.1');
  await once(hanging, 'listening');
  const env = isHanging
    ? {
        REST_URL: `http://127.0.0.1:${hanging.address().port}`,
        REST_TIMEOUT_MS: '60000',
        REQUEST_TIMEOUT_MS: '60000',
      }
    : {};
  const gateway = await startGateway(heap, env);
  try {
    await fetch(`http://127.0.0.1:${gateway.port}/metrics`);
    const before = await gateway.memory();
    const countedBefore = await counted(gateway.port);
    const sockets = await openMany(gateway.port, count, bytes, options);
    for (let round = 0; round < again; round += 1) {
      for (const socket of sockets) socket.write(bytes());
      await sleep(3_000);
    }
    await sleep(1_200);
    const after = await gateway.memory();
    const { open, ...held } = await counted(gateway.port);
    const total = after.heap + after.outside - before.heap - before.outside;
    const sum =
      ['connections', 'uploads', 'downloads', 'operations'].reduce(
        (all, name) => all + held[name] - countedBefore[name],
        0,
      ) +
      (budget in { document: 1 }
        ? held.document + held.plan - countedBefore.document - countedBefore.plan
        : 0);
    console.log(
      `${String(heap).padStart(4)} MB | ${MB(held[budget])} in ${budget.padEnd(11)} | ${MB(sum)} counted | ${MB(total)} held | ${(sum / total).toFixed(2)} | heap ${MB(after.heap)} rss ${MB(after.rss)} | ${String(open).padStart(5)} open | ${name}`,
    );
    for (const socket of sockets) socket.destroy();
  } finally {
    gateway.stop();
    hanging.closeAllConnections();
    hanging.close();
  }
}

const heaps = process.argv
  .slice(2)
  .map(Number)
  .filter((heap) => heap > 0);
const only = process.argv.slice(2).find((text) => !(Number(text) > 0));
for (const heap of heaps.length > 0 ? heaps : [256, 512])
  for (const name of Object.keys(SCENARIOS)) if (!only || name.includes(only)) await measure(name, heap);
process.exit();
