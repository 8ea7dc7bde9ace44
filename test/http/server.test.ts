import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import type { Plugin } from 'graphql-yoga';
import { request } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startLibrary } from '../library/support.ts';
import { eventually } from '../support/eventually.ts';
import { freshGateway, useGateway } from '../support/gateway.ts';
import { debtors } from '../support/operations.ts';
import { listen } from '../support/resources.ts';
import { exchange, openConnection, postOf, statusesIn } from '../support/sockets.ts';
import { times } from '../support/times.ts';
import { withResolver } from '../support/with-resolver.ts';

const gateway = await useGateway();
const BODY = '{"query":"{ __typename }"}';
const LENGTH = `Content-Length: ${BODY.length}`;

function post(headers: readonly string[], body = BODY, target = '/graphql', version = '1.1'): string {
  const head = [`POST ${target} HTTP/${version}`, 'Content-Type: application/json', ...headers];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

const send = (bytes: string) => exchange(gateway.url, bytes);
const get = (target: string) => send(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
const connectionsIn = (text: string) =>
  Array.from(text.matchAll(/^Connection: (\S+)/gim), ([, value]) => value);

test('a request target can be an absolute URL, with a query or for a page', async () => {
  for (const target of ['http://gateway.example/graphql', 'HTTPS://gateway.example:443/graphql'])
    expect(await send(post(['Host: x', LENGTH, 'Connection: close'], BODY, target))).toMatchObject({
      status: 200,
      text: expect.stringContaining('"__typename":"Query"'),
    });
  expect(await get('http://x/graphql?query=%7B__typename%7D')).toMatchObject({ status: 200 });
  expect(await get('http://x/health?y')).toMatchObject({ status: 200 });
  expect(await get('http://x')).toMatchObject({ status: 404 });
  for (const target of ['*', 'ftp://x/graphql', 'graphql'])
    expect([400, 404]).toContain((await get(target)).status);
});

test.each(['a b', '[', 'http://x', 'x:port', 'x:999999', 'a@b', 'x/../y', 'x#y', '%00', '[::1', ''])(
  'a malformed Host is rejected: %j',
  async (host) => {
    const { status, text } = await send(post([`Host: ${host}`, LENGTH, 'Connection: close']));
    expect([status, text]).toEqual([400, expect.stringContaining('"code":"BAD_REQUEST"')]);
  },
);

test.each(['localhost', 'a-b.example:443', '[::1]:4000'])('a Host can be %s', async (host) => {
  expect(await send(post([`Host: ${host}`, LENGTH, 'Connection: close']))).toMatchObject({ status: 200 });
});

test('an HTTP/1.0 request needs no Host, and gets no 100 Continue', async () => {
  expect(await send('GET /health HTTP/1.0\r\n\r\n')).toMatchObject({ status: 200 });
  expect(await send('GET /health HTTP/1.0\r\nHost: a b\r\n\r\n')).toMatchObject({ status: 400 });
  const { text } = await send(post([LENGTH, 'Expect: 100-continue'], BODY, '/graphql', '1.0'));
  expect(statusesIn(text)).toEqual([200]);
  expect(await send('GET /health HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatchObject({ status: 400 });
});

describe('a client with an Expect header', () => {
  test('gets 100 Continue once, and keeps its connection', async () => {
    const connection = await openConnection(gateway.url, post(['Host: x', 'Expect: 100-Continue', LENGTH]));
    await eventually(() => expect(statusesIn(connection.text)).toEqual([100, 200]));
    connection.socket.write(post(['Host: x', 'Connection: close', LENGTH]));
    await connection.closed;
    expect(statusesIn(connection.text)).toEqual([100, 200, 200]);
  });

  test('gets 417 for an unknown expectation', async () => {
    const other = await send(post(['Host: x', LENGTH, 'Expect: nonsense', 'Connection: close']));
    expect(other.status).toBe(417);
  });
});

test.each([
  [413, 'PAYLOAD_TOO_LARGE', 'application/json', 'Content-Length: 512001'],
  [415, 'UNSUPPORTED_MEDIA_TYPE', 'text/plain', 'Content-Length: 10000000000'],
  [415, 'UNSUPPORTED_MEDIA_TYPE', 'text/plain', 'Transfer-Encoding: chunked'],
])('a body that is rejected with %i is not awaited', async (status, code, type, length) => {
  const head = ['POST /graphql HTTP/1.1', 'Host: x', `Content-Type: ${type}`, length];
  const connection = await openConnection(gateway.url, `${head.join('\r\n')}\r\n\r\n`);
  await eventually(() => expect(connection.text).toContain(`"code":"${code}"`));
  expect(statusesIn(connection.text)).toEqual([status]);
});

describe('a client that is rejected while it sends', () => {
  const LONG = 8_000_000;
  const CHUNK = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
  const CHUNKED = post(['Host: x', 'Transfer-Encoding: chunked'], '');

  test.each([
    ['with a length', post(['Host: x', `Content-Length: ${LONG}`], 'x'.repeat(LONG)), 413],
    ['in chunks', `${CHUNKED}${CHUNK.repeat(120)}0\r\n\r\n`, 413],
    ['with close', post(['Host: x', 'Connection: close', `Content-Length: ${LONG}`], 'x'.repeat(LONG)), 413],
    ['for another path', post(['Host: x', `Content-Length: ${LONG}`], 'x'.repeat(LONG), '/unknown'), 404],
    ['with malformed chunks', `${CHUNKED}nonsense\r\n${CHUNK.repeat(120)}`, 400],
    ['with headers that are too large', `GET / HTTP/1.1\r\nX: ${'x'.repeat(LONG)}`, 431],
  ])('can send everything before it reads: %s', async (_what, bytes, status) => {
    const connection = await openConnection(gateway.url);
    const errors: unknown[] = [];
    const { socket } = connection;
    socket.on('error', (error) => errors.push(error)).pause();
    await new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
    socket.resume();
    await eventually(() => expect(statusesIn(connection.text)).toEqual([status]));
    expect(errors).toEqual([]);
  });

  test('can send its next request on the same connection', async () => {
    gateway.rest.calls.length = 0;
    const bytes = `${CHUNKED}${CHUNK.repeat(30)}0\r\n\r\n${postOf(debtors())}`;
    const connection = await openConnection(gateway.url, bytes);
    await eventually(() => expect(statusesIn(connection.text)).toEqual([413, 200]));
    expect(gateway.rest.calls).toHaveLength(1);
  });

  test.each(['x', CHUNK])('is disconnected when its request exceeds the timeout: %#', async (bytes) => {
    const limits = { requestTimeout: 200, headersTimeout: 200, connectionsCheckingInterval: 50 };
    const { url } = await freshGateway({ listen: { limits } });
    const connection = await openConnection(url);
    connection.socket.allowHalfOpen = true;
    const head = bytes === CHUNK ? CHUNKED : post(['Host: x', `Content-Length: ${LONG}`], '');
    connection.socket.write(head + bytes.repeat(10));
    const trickle = setInterval(() => connection.socket.write(bytes), 20);
    await connection.closed;
    clearInterval(trickle);
    expect(statusesIn(connection.text)[0]).toBe(413);
  });

  test('can read the rejection, also 40 of them at once with fetch and undici', async () => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, duplex: 'half' } as const;
    const text = 'x'.repeat(2_000_000);
    const inChunks = () => new Blob([text]).stream();
    const uploads = times(10, () => [
      fetch(gateway.url, { ...init, body: text }).then((response) => response.text()),
      fetch(gateway.url, { ...init, body: inChunks() }).then((response) => response.text()),
      request(gateway.url, { ...init, body: text }).then(({ body }) => body.text()),
      request(gateway.url, { ...init, body: Readable.from([text, text]) }).then(({ body }) => body.text()),
    ]).flat();
    for (const refusal of await Promise.all(uploads)) expect(refusal).toContain('PAYLOAD_TOO_LARGE');
  });
});

test('the response to `Upgrade` closes its connection, since Node reads nothing after it', async () => {
  const { text } = await send(post(['Host: x', LENGTH, 'Connection: Upgrade', 'Upgrade: h2c']));
  expect([statusesIn(text), connectionsIn(text)]).toEqual([[200], ['close']]);
});

test('the gateway cancels a stream of a plugin when its client disconnects', async () => {
  const { promise: cancelled, resolve } = withResolver();
  const start = (stream: ReadableStreamDefaultController) => stream.enqueue(Buffer.from('x'));
  const useStream: Plugin = {
    onRequest: ({ endResponse }) =>
      endResponse(new Response(new ReadableStream({ start, cancel: () => resolve() }))),
  };
  const { url } = await freshGateway({ gateway: { plugins: [useStream] } });
  const connection = await openConnection(url, 'GET /graphql HTTP/1.1\r\nHost: x\r\n\r\n');
  await eventually(() => expect(connection.text).toMatch(/x\r\n$/));
  connection.socket.destroy();
  await cancelled;
});

describe('a malformed request', () => {
  test.each([
    ['no request', 'nonsense\r\n\r\n', 400, 'BAD_REQUEST'],
    ['large headers', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
    ['half of the headers', 'GET / HTTP/1.1\r\nHost: x\r\nX-A: ', 408, 'REQUEST_TIMEOUT'],
    ['half of the body', post(['Host: x', 'Content-Length: 90']), 408, 'REQUEST_TIMEOUT'],
  ])('gets an error with a code, and its connection is closed: %s', async (_what, bytes, status, code) => {
    const limits = { headersTimeout: 50, requestTimeout: 50, connectionsCheckingInterval: 50 };
    const { url } = await freshGateway({ listen: { limits } });
    const { text } = await exchange(url, bytes);
    const [head = '', body = ''] = text.split('\r\n\r\n');
    const [, requestId] = /^X-Request-Id: ([\w-]+)$/im.exec(head) ?? [];
    expect([statusesIn(text), connectionsIn(head)]).toEqual([[status], ['close']]);
    expect(head).toMatch(/^Content-Type: application\/json; charset=utf-8\r?$/im);
    expect(JSON.parse(body)).toMatchObject({ errors: [{ extensions: { code, requestId } }] });
  });

  test('gets no response while another request waits for its own', async () => {
    gateway.rest.misbehave({ kind: 'delay', milliseconds: 50 });
    const { text } = await exchange(gateway.url, `${postOf(debtors())}nonsense\r\n\r\n`);
    expect(text).toBe('');
  });
});

describe('a client that requests a WebSocket learns how to subscribe', () => {
  const handshake = (upgrade: string) =>
    `GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: ${upgrade}\r\nSec-WebSocket-Version: 13\r\n` +
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n';
  const MESSAGE =
    'WebSockets are not supported. Subscribe over HTTP: send `Accept: text/event-stream`, or ' +
    '`Accept: multipart/mixed;subscriptionSpec=1.0`.';

  test.each(['WebSocket', 'h2c, websocket'])('from our server (%s)', async (upgrade) => {
    const { status, text } = await send(handshake(upgrade));
    expect([status, connectionsIn(text)]).toEqual([400, ['close']]);
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n')))).toMatchObject({
      errors: [{ message: MESSAGE, extensions: { code: 'BAD_REQUEST' } }],
    });
  });

  test('from another server with the library', async () => {
    const library = await startLibrary();
    onTestFinished(library.close);
    const port = await listen(createServer(library.gateway));
    const connection = await openConnection(`http://127.0.0.1:${port}`, handshake('websocket'));
    await eventually(() => expect(connection.text).toContain(MESSAGE));
    expect(statusesIn(connection.text)).toEqual([400]);
  });
});

test('/health and /ready need no credential and no REST call, and are not cached', async () => {
  for (const [path, body] of [
    ['/health', 'ok\n'],
    ['/ready', '{"status":"ready","restService":"REST_URL"}'],
  ] as const) {
    const response = await fetch(new URL(path, gateway.url));
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect((await response.text()).trim()).toBe(body.trim());
  }
  expect(gateway.rest.calls).toEqual([]);
});
