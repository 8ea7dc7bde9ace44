import { connect } from 'node:net';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { createRandom } from './soak-faults.mjs';

/** Each of these goes on beside honest load until it is stopped, and must change nothing for that. */
const LARGE = `{ debtors(administrationId: "1001", first: 2000) { nodes { ${names(100)} } } }`;
const SLOW = '{ declarationLines(administrationId: "1001", first: 500) { nodes { internalId amount } } }';
const LISTS = `{ debtors(administrationId: "1001", first: 300) { nodes { administration { debtors(first: 300) { nodes { administration { debtors(first: 300) { nodes { name } } } } } } } } }`;

/** How often each is begun, and what it does to a connection of its own. */
const abuses = {
  'pipelines and breaks': {
    everyMs: 50,
    run(socket, random) {
      socket.write(postOf(SLOW) + postOf('{ __typename }').repeat(200));
      setTimeout(() => socket.destroy(), random.below(300));
    },
  },
  'pipelines and reads nothing': {
    everyMs: 500,
    run(socket) {
      socket.pause();
      socket.write(postOf(LARGE).repeat(20));
    },
  },
  'reads by the byte': {
    everyMs: 500,
    run(socket) {
      socket.pause();
      socket.write(postOf(LARGE));
      const sip = setInterval(() => socket.read(1), 1000);
      socket.on('close', () => clearInterval(sip));
    },
  },
  'drips a body': {
    everyMs: 20,
    run(socket) {
      socket.write(`${headOf(900)}{"query":"`);
      const drip = setInterval(() => socket.write(' '), 1000);
      socket.on('close', () => clearInterval(drip));
    },
  },
  'drips headers': {
    everyMs: 50,
    run: (socket) => socket.write('POST /graphql HTTP/1.1\r\nHost: x\r\nX-A: '),
  },
  'asks for lists inside lists': { everyMs: 50, run: (socket) => socket.end(postOf(LISTS)) },
  'sends two million ids': {
    everyMs: 1000,
    run(socket) {
      const query = `query ($i: [ID!]!) { ${aliases(199, 'nodes(ids: $i) { id }')} }`;
      socket.end(postOf(query, { i: Array.from({ length: 10_000 }, () => 'x') }));
    },
  },
  'sends a document that validates for long': {
    everyMs: 100,
    run: (socket) => socket.end(postOf(`{ ${'node(id: 0) { id } '.repeat(700)} }`)),
  },
  'runs a document in all its combinations': {
    everyMs: 20,
    run(socket, random) {
      const flags = ['a', 'b', 'c', 'd', 'e', 'f'];
      const fields = flags.flatMap((flag) =>
        Array.from(
          { length: 6 },
          (_, index) =>
            `${flag}${index}: debtors(administrationId: "${flag}${index}") @include(if: $${flag}) { nodes { name } }`,
        ),
      );
      const variables = Object.fromEntries(flags.map((flag) => [flag, random.chance(0.5)]));
      const query = `query Q${random.below(20)}(${flags.map((flag) => `$${flag}: Boolean!`).join(' ')}) { ${fields.join(' ')} }`;
      socket.end(postOf(query, variables));
    },
  },
};

/** Abuses a server from a thread of its own, as somebody with few rights; gives how often it did what. */
export async function abuseFor(milliseconds, port, seed) {
  const worker = new Worker(new URL(import.meta.url), { workerData: { milliseconds, port, seed } });
  return new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
}

function abuse({ milliseconds, port, seed }) {
  const random = createRandom(seed);
  const counts = {};
  const timers = Object.entries(abuses).map(([name, { everyMs, run }]) =>
    setInterval(() => {
      counts[name] = (counts[name] ?? 0) + 1;
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      if (!name.includes('reads')) socket.resume();
      run(socket, random);
    }, everyMs),
  );
  setTimeout(() => {
    for (const timer of timers) clearInterval(timer);
    parentPort.postMessage(counts);
    // With all its connections.
    setTimeout(() => process.exit(), 100);
  }, milliseconds);
}

if (!isMainThread && workerData) abuse(workerData);

function names(count) {
  return aliases(count, 'name');
}

function aliases(count, field) {
  return Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ');
}

function headOf(length) {
  return (
    'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
    `Authorization: Bearer demo-token-company-b\r\nContent-Length: ${length}\r\n\r\n`
  );
}

function postOf(query, variables) {
  const body = JSON.stringify({ query: query.replaceAll('"1001"', '"2001"'), variables });
  return headOf(Buffer.byteLength(body)) + body;
}
