import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Leaver, type StartGroup, StartQueue, type Turns } from '../../src/limits/start-queue.ts';
import { createSchemaText } from '../../src/pages/static-page.ts';
import { createMetricsPage } from '../../src/pages/status.ts';
import { schema } from '../../src/schema/index.ts';
import { uploadLimits } from '../../src/server/http/transfers.ts';
import { NO_TELEMETRY, type SentResponse } from '../../src/telemetry/telemetry.ts';
import { BEARER, startGateway, type TestOptions } from '../support/gateway.ts';
import { openConnection, postOf, STALLED_BODY, statusesIn } from '../support/sockets.ts';
import { times } from '../support/times.ts';

const BODY = JSON.stringify({ query: '{ __typename }' });
const LIST = JSON.stringify({ query: '{ debtors(administrationId: "1001", first: 1) { nodes { name } } }' });

async function gatewayWith(
  handler: NonNullable<TestOptions['handler']>,
  listen: NonNullable<TestOptions['listen']> = {},
) {
  const gateway = await startGateway({ handler, listen });
  onTestFinished(() => gateway.close());
  return gateway;
}

/** Lets whoever enters go on when told so. */
function gate() {
  const waiting: { readonly owner: string; readonly group: StartGroup; readonly letIn: () => void }[] = [];
  let arrive: () => void;
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const queue = {
    waiting,
    arrived,
    /** How many have left. */
    left: 0,
    isFull: false,
    onConnection: () => {},
    enter: (owner: string, group: StartGroup, client: Leaver) =>
      new Promise<void>((letIn) => {
        client.onLeave = () => {
          queue.left += 1;
          letIn();
        };
        waiting.push({ owner, group, letIn });
        arrive();
      }),
  };
  return queue;
}

test.each([
  ['too many operations', { maxOperations: 0 }, BODY, 503],
  ['a body that is not read', {}, BODY, 415],
])('a refusal waits for its turn, as operations do: %s', async (_what, options, body, status) => {
  const startQueue = gate();
  const { url } = await gatewayWith({ ...options, startQueue });
  let isAnswered = false;
  const type = status === 415 ? 'text/plain' : 'application/json';
  const answer = fetch(url, { method: 'POST', headers: { 'content-type': type }, body }).then((response) => {
    isAnswered = true;
    return response;
  });
  await startQueue.arrived;
  expect(startQueue.waiting.map(({ owner }) => owner)).toEqual(['127.0.0.1']);
  expect(isAnswered).toBe(false);
  startQueue.waiting[0]?.letIn();
  expect((await answer).status).toBe(status);
});

test.each([
  ['an operation', '/graphql?query={__typename}'],
  ['a page', '/schema.graphql'],
  ['a refusal', '/nowhere'],
])('%s whose client leaves waits no longer, and is kept no longer', async (_what, path) => {
  const startQueue = gate();
  const ended: (string | undefined)[] = [];
  const telemetry = {
    ...NO_TELEMETRY,
    end: (_request: unknown, { cutBy }: SentResponse) => ended.push(cutBy),
  };
  const { url } = await gatewayWith({ startQueue, telemetry, routes: [createSchemaText(schema)] });
  const client = new AbortController();
  const answer = fetch(new URL(path, url), { signal: client.signal });
  await startQueue.arrived;
  client.abort();
  await expect(answer).rejects.toThrow();
  await expect.poll(() => ended).toEqual(['CLIENT_CLOSED_REQUEST']);
  expect(startQueue.waiting.length).toBe(1);
});

const TOO_LARGE = STALLED_BODY.replace('90', '9000000');
const CHUNKED_NOTHING = 'POST /x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
const MANY_HEADERS = `GET /health HTTP/1.1\r\n${'a: b\r\n'.repeat(101)}\r\n`;

describe('what gets no handler waits for its turn to be refused', () => {
  test.each([
    ['what is not HTTP', '\x01', 400],
    ['a head that comes too slowly', 'G', 408],
    ['a body that comes too slowly', STALLED_BODY, 408],
    ['too many headers', MANY_HEADERS, 431],
    ['a tunnel', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', 405],
  ])('%s; what comes behind it is ignored', async (_what, bytes, status) => {
    const startQueue = gate();
    const { url } = await gatewayWith({ startQueue }, { headersTimeoutMs: 50, requestTimeoutMs: 100 });
    const connection = await openConnection(url, bytes);
    await startQueue.arrived;
    connection.socket.write(postOf('{ __typename }'));
    // Once another is waiting, the gateway has read what was sent before.
    const other = await openConnection(url, '\x01');
    await expect.poll(() => startQueue.waiting.length).toBe(2);
    expect(connection.text).toBe('');
    for (const { letIn, ...entry } of startQueue.waiting) {
      expect(entry).toEqual({ owner: '127.0.0.1', group: 'addresses' });
      letIn();
    }
    await Promise.all([connection.closed, other.closed]);
    expect(statusesIn(connection.text)).toEqual([status]);
  });

  test('also while the gateway drains, and closes connections that are idle', async () => {
    const startQueue = gate();
    const { url, drain } = await gatewayWith({ startQueue });
    const waiting = await openConnection(url, '\x01');
    await startQueue.arrived;
    const idle = await openConnection(url, '');
    const draining = drain();
    await idle.closed;
    for (const { letIn } of startQueue.waiting) letIn();
    await draining;
    expect(statusesIn(waiting.text)).toEqual([400]);
  });

  test.each<[string, string, (socket: Socket) => void, number]>([
    ['the end of a body that is too large', TOO_LARGE, (socket) => socket.end(), 413],
    ['a body of nothing that is no HTTP', CHUNKED_NOTHING, (socket) => socket.write('z\r\n'), 404],
  ])('but %s changes nothing: the request has its answer', async (_what, bytes, send, status) => {
    const startQueue = gate();
    const { url } = await gatewayWith({ startQueue });
    const connection = await openConnection(url, bytes);
    await startQueue.arrived;
    send(connection.socket);
    const other = await openConnection(url, '\x01');
    await expect.poll(() => startQueue.waiting.length).toBe(2);
    for (const { letIn } of startQueue.waiting) letIn();
    await Promise.all([connection.closed, other.closed]);
    expect(statusesIn(connection.text)).toEqual([status]);
  });

  test('unless its client leaves', async () => {
    const startQueue = gate();
    const { url } = await gatewayWith({ startQueue });
    const connection = await openConnection(url, '\x01');
    await startQueue.arrived;
    connection.socket.destroy();
    await expect.poll(() => startQueue.left).toBe(1);
  });
});

test('the body of an operation that is admitted is parsed when it starts', async () => {
  const startQueue = gate();
  const { post } = await gatewayWith({ startQueue });
  const answer = post('{');
  await startQueue.arrived;
  startQueue.waiting.shift()?.letIn();
  // Then it is a refusal, which waits as well.
  await expect.poll(() => startQueue.waiting.length).toBe(1);
  startQueue.waiting.shift()?.letIn();
  expect((await answer).status).toBe(400);
});

test('bodies that wait for their turn count as uploads: beyond those, the one that came first is refused', async () => {
  const startQueue = gate();
  const { post } = await gatewayWith({ startQueue }, { uploads: uploadLimits(100_000) });
  const first = post(BODY.padEnd(60_000));
  await startQueue.arrived;
  const second = post(BODY.padEnd(60_000));
  await expect.poll(() => startQueue.waiting.length).toBe(2);
  for (const { letIn } of startQueue.waiting.splice(0)) letIn();
  await expect.poll(() => startQueue.waiting.length).toBe(1);
  for (const { letIn } of startQueue.waiting.splice(0)) letIn();
  const answers = await Promise.all([first, second]);
  expect(answers.map(({ status }) => status)).toEqual([503, 200]);
});

test('an operation that is refused holds its body no longer', async () => {
  const startQueue = gate();
  const { post } = await gatewayWith({ startQueue, maxOperations: 0 }, { uploads: uploadLimits(100_000) });
  const answers = [post(BODY.padEnd(60_000)), post(BODY.padEnd(60_000))];
  await expect.poll(() => startQueue.waiting.length).toBe(2);
  for (const { letIn } of startQueue.waiting.splice(0)) letIn();
  for (const answer of answers)
    expect(await (await answer).json()).toMatchObject({
      errors: [{ message: 'Too many operations are under way.' }],
    });
});

test.each([
  ['a page', '/schema.graphql', 'addresses'],
  ['a probe, whose turns are its own', '/health', 'probes'],
])('%s waits for its turn, as operations do', async (_what, path, group) => {
  const startQueue = gate();
  const { url } = await gatewayWith({ startQueue, routes: [createSchemaText(schema)] });
  const answer = fetch(new URL(path, url));
  await startQueue.arrived;
  expect(startQueue.waiting).toMatchObject([{ owner: '127.0.0.1', group }]);
  startQueue.waiting[0]?.letIn();
  expect((await answer).status).toBe(200);
});

test('an operation takes turns with others as its address, until its credential is accepted', async () => {
  const startQueue = gate();
  const { post } = await gatewayWith({ startQueue });
  const answers = [];
  for (const turn of [0, 1]) {
    answers.push(post(LIST, BEARER));
    await expect.poll(() => startQueue.waiting.length).toBe(turn + 1);
    startQueue.waiting[turn]?.letIn();
    expect((await answers[turn])?.status).toBe(200);
  }
  expect(startQueue.waiting).toMatchObject([
    { owner: '127.0.0.1', group: 'addresses' },
    { owner: expect.not.stringContaining('127.0.0.1'), group: 'credentials' },
  ]);
});

describe('while others wait, a request waits before anything is done for it', () => {
  /** A gateway whose queue is full, and the operations that Yoga was handed. */
  async function fullGateway() {
    const startQueue = Object.assign(gate(), { isFull: true });
    const handed: string[] = [];
    const plugins = [{ onRequest: ({ url }: { readonly url: URL }) => void handed.push(url.pathname) }];
    const gateway = await startGateway({ handler: { startQueue }, gateway: { plugins } });
    onTestFinished(() => gateway.close());
    return { ...gateway, startQueue, handed };
  }

  test('in the turns of probes, of addresses, or of credentials that were accepted', async () => {
    const { url, post, startQueue, handed } = await fullGateway();
    /** The group that it waits in at first and then, and what Yoga had been handed by then; and its status. */
    async function pass(asking: Promise<Response>) {
      const waits = [];
      for (const _ of ['for Yoga', 'for what it leads to']) {
        await expect.poll(() => startQueue.waiting.length).toBe(1);
        for (const { group, letIn } of startQueue.waiting.splice(0)) {
          waits.push(group, handed.length);
          letIn();
        }
      }
      return [...waits, (await asking).status];
    }
    expect(await pass(fetch(new URL('/health', url)))).toEqual(['probes', 0, 'probes', 0, 200]);
    expect(await pass(fetch(new URL('/nowhere', url)))).toEqual(['addresses', 0, 'addresses', 0, 404]);
    expect(await pass(post(LIST, BEARER))).toEqual(['addresses', 0, 'addresses', 1, 200]);
    expect(await pass(post(LIST, BEARER))).toEqual(['credentials', 1, 'credentials', 2, 200]);
  });

  test.each([
    ['once', undefined, 10],
    ['again after a plugin that waits: others have had its turn', () => turn(), 20],
  ])('%s', async (_often, onRequest, expected) => {
    let now = 0;
    // Whatever starts takes the whole turn.
    const queue = new StartQueue(() => (now += 5));
    let waits = 0;
    const startQueue: Turns = {
      enter: (owner, group, client) => {
        const turns = queue.enter(owner, group, client);
        if (turns) waits += 1;
        return turns;
      },
      get isFull() {
        return queue.isFull;
      },
      onConnection: () => {},
    };
    const plugins = [{ onRequest }];
    const gateway = await startGateway({ handler: { startQueue }, gateway: { plugins } });
    onTestFinished(() => gateway.close());
    let isBusy = true;
    const beBusy = async (owner: string) => {
      while (isBusy) {
        await queue.enter(owner, 'credentials', { onLeave: undefined });
        await turn();
      }
    };
    const busy = times(50, (index) => beBusy(`busy ${index}`));
    const answers = await Promise.all(times(10, () => gateway.post(LIST, BEARER)));
    isBusy = false;
    await Promise.all(busy);
    expect(answers.map(({ status }) => status)).toEqual(times(10, () => 200));
    expect(waits).toBe(expected);
  });

  test('unless its client leaves: then nothing is', async () => {
    const { url, startQueue, handed } = await fullGateway();
    const connection = await openConnection(url, postOf('{ __typename }'));
    await startQueue.arrived;
    connection.socket.destroy();
    await expect.poll(() => startQueue.left).toBe(1);
    await turn();
    expect(handed).toEqual([]);
  });
});

test('metrics are collected once a second, however often they are asked for', async () => {
  let now = 0;
  let collected = 0;
  const collect = () => {
    collected += 1;
    return [];
  };
  const { url } = await gatewayWith({ routes: [createMetricsPage(collect, () => now)] });
  const ask = () => fetch(new URL('/metrics', url));
  const answers = await Promise.all([ask(), ask(), ask()]);
  now = 999;
  await ask();
  expect([collected, answers.map(({ status }) => status)]).toEqual([1, [200, 200, 200]]);
  now = 1_000;
  await ask();
  expect(collected).toBe(2);
});
