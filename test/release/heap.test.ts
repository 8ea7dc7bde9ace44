import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { BEARER, postTo } from '../support/gateway.ts';
import { CALLER, startLargeService } from '../support/large-service.ts';
import { startProcess } from '../support/processes.ts';
import { startRest } from '../support/resources.ts';
import { times } from '../support/times.ts';

// These tests need their own processes: the heap of a worker holds what other tests have left.

async function post(url: string, query: string, authorization = BEARER.authorization): Promise<number> {
  const response = await postTo(url, query, { authorization });
  await response.text();
  return response.status;
}

const TELL_HEAP = `
  process.on('message', () => { gc(); gc(); process.send(process.memoryUsage().heapUsed); });
  process.channel.unref();
`;
/** A single request may leave this much: far less than it holds while it runs. */
const BYTES_PER_REQUEST = 10_000;
const REQUESTS = 100;

const debtors = (first: number) =>
  `{ debtors(administrationId: "1001", first: ${first}) { nodes { name } } }`;
/** Requests of which each comes once: its document, its token, and how many fill the caches. */
const KINDS: [
  kind: string,
  document: (index: number) => string,
  token: (index: number) => string,
  fill: number,
][] = [
  [
    'documents',
    (n) => `query q${n} { ${times(60, (f) => `alias_${n}_of_field_${f}: __typename`)} }`,
    () => 'x',
    300,
  ],
  [
    'large documents',
    (n) => `{ a${n}: __typename } #${`${n}`.repeat(60_000).slice(0, 60_000)}`,
    () => 'x',
    200,
  ],
  ['documents that cannot be parsed', (n) => `{ broken${n} {`, () => 'x', REQUESTS],
  ['documents that are not valid', (n) => `{ unknown${n} }`, () => 'x', REQUESTS],
  ['tokens', () => debtors(1), (n) => `t${n}`, REQUESTS],
];

test('documents and tokens that are used once leave no memory in use', async () => {
  const rest = await startRest();
  const { url, child } = await startProcess(
    { REST_URL: rest.url },
    { before: TELL_HEAP, flags: ['--expose-gc'] },
  );
  const heap = async () => {
    child.send('heap');
    const [bytes] = await once(child, 'message');
    return Number(bytes);
  };
  for (const [kind, document, token, fill] of KINDS) {
    let sent = 0;
    const send = async (count: number) => {
      const end = sent + count;
      const sender = async () => {
        while (sent < end) {
          sent += 1;
          expect(await post(url, document(sent), `Bearer ${token(sent)}`)).toBeLessThan(500);
        }
      };
      await Promise.all(times(16, sender));
    };
    await send(fill);
    const bound = (await heap()) + REQUESTS * BYTES_PER_REQUEST;
    await send(REQUESTS);
    await eventually(async () => expect(await heap(), kind).toBeLessThan(bound));
  }
});

/** Each request holds a megabyte that no budget knows of, until it is answered. */
const HOLD_UNCOUNTED = `
  import { Server } from 'node:http';
  const { emit } = Server.prototype;
  Server.prototype.emit = function (name, request, response) {
    if (name === 'request') {
      const uncounted = Array.from({ length: 1000 }, () => new Array(125).fill(0.5));
      response.once('close', () => uncounted.length);
    }
    return emit.apply(this, arguments);
  };
`;

test('the gateway rejects operations when the heap is nearly full, also of uncounted memory', async () => {
  const service = await startLargeService();
  onTestFinished(() => service.close());
  const { url, output } = await startProcess(
    {
      REST_URL: service.url,
      REST_TIMEOUT_MS: '60000',
      LOG: 'errors',
      LOG_FORMAT: 'json',
      MAX_OPERATIONS: '10000',
    },
    { before: HOLD_UNCOUNTED, flags: ['--max-old-space-size=256'] },
  );
  const ask = (administration: string) =>
    post(url, `{ debtors(administrationId: "${administration}") { nodes { name } } }`, `Bearer ${CALLER}`);
  // A credential that the service has accepted may have more operations at once.
  expect(await ask('wide-1')).toBe(200);
  const release = service.hold();
  const answers: Promise<number>[] = [];
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  while (!isOver) {
    const answer = ask(`slow-${answers.length}`);
    // While the service is silent, only a refusal ends one.
    answer.then(end, end);
    answers.push(answer);
    // Nothing could be done about a heap that grows by all of them in one turn of the event loop.
    await sleep(10);
  }
  release();
  expect(new Set(await Promise.all(answers))).toEqual(new Set([200, 503]));
  expect(output()).toContain('heap nearly full');
  await eventually(async () => expect(await ask('wide-1')).toBe(200));
});
