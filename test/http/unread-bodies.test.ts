import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { sendPage } from '../../src/server/http/admin.ts';
import { createGuardedServer } from '../../src/server/http/guarded-server.ts';
import { downloadLimits, Transfers } from '../../src/server/http/transfers.ts';
import { openConnection, statusesIn } from '../support/sockets.ts';

const CHUNKED = 'GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';

/** A server whose pages wait until they are asked for. */
async function serve() {
  const downloads = new Transfers(downloadLimits(1_000_000));
  const requests: { request: IncomingMessage; response: ServerResponse; answer: () => void }[] = [];
  const server = createGuardedServer({
    handle: (request, response, connection) => {
      const page = { status: 200, headers: {}, body: Buffer.from('ok') };
      const answer = () => sendPage(response, page, connection, downloads);
      requests.push({ request, response, answer });
    },
    onFault: (error) => expect.unreachable(String(error)),
  });
  const { port } = await server.listen(0, '127.0.0.1');
  onTestFinished(() => server.drain(0));
  const received = async (count: number) => {
    await vi.waitFor(() => expect(requests).toHaveLength(count));
    return requests[count - 1] ?? expect.unreachable('no request');
  };
  return { url: `http://127.0.0.1:${port}`, received, heldBytes: () => server.stats().connectionBytes };
}

test('nothing is kept of a body that nobody reads, however small its chunks', async () => {
  const { url, received } = await serve();
  const connection = await openConnection(url, `${CHUNKED}${'1\r\nx\r\n'.repeat(90)}`);
  const { request, answer } = await received(1);
  connection.socket.write('0\r\n\r\n');
  await vi.waitFor(() => expect(request.complete).toBe(true));
  expect(request.readableLength).toBe(0);
  answer();
  await vi.waitFor(() => expect(statusesIn(connection.text)).toEqual([200]));
  connection.socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  (await received(2)).answer();
  await connection.closed;
  expect(statusesIn(connection.text)).toEqual([200, 200]);
});

test('an unread body of many small chunks is not parsed to its end', async () => {
  const { url, received } = await serve();
  const connection = await openConnection(url, `${CHUNKED}${'1\r\nx\r\n'.repeat(2_000)}`);
  const { request, response, answer } = await received(1);
  await vi.waitFor(() => expect(response.shouldKeepAlive).toBe(false));
  connection.socket.end('0\r\n\r\n');
  answer();
  await connection.closed;
  expect(request.complete).toBe(false);
  expect(connection.text).toMatch(/^HTTP\/1\.1 200 .*\r\nConnection: close\r\n/s);
});

test('a page closes the connection if its request has a body without an end', async () => {
  const { url, received } = await serve();
  const connection = await openConnection(url, CHUNKED);
  const { answer } = await received(1);
  answer();
  await once(connection.socket, 'end');
  expect(connection.text).toMatch(/^HTTP\/1\.1 200 .*\r\nConnection: close\r\n/s);
});

test('room is counted for the trailers that may follow a body in chunks', async () => {
  const { url, received, heldBytes } = await serve();
  await openConnection(url, 'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n');
  await received(1);
  const before = heldBytes();
  await openConnection(url, CHUNKED);
  await received(2);
  expect(heldBytes() - 2 * before).toBeGreaterThanOrEqual(20_000);
});
