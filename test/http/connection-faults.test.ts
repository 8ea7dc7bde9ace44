import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { createGuardedServer } from '../../src/server/http/guarded-server.ts';
import { openConnection, statusesIn } from '../support/sockets.ts';

type Faulty = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

const FAULTS: { readonly [what: string]: Faulty } = {
  'in the handler': () => {
    throw new Error('fault');
  },
  'in the handler, later': async () => {
    await Promise.resolve();
    throw new Error('fault');
  },
  'while a body arrives': (request) => {
    request.on('data', () => {
      throw new Error('fault');
    });
  },
  'as a response has been sent': (_request, response) => {
    response.on('finish', () => {
      throw new Error('fault');
    });
    response.end('sent');
  },
  'as a connection closes': (request, response) => {
    response.on('close', () => {
      throw new Error('fault');
    });
    request.socket.destroy();
  },
};

async function serve(faulty: Faulty) {
  const faults: unknown[] = [];
  const server = createGuardedServer({
    handle: (request, response) =>
      request.url === '/' ? void response.end('ok') : faulty(request, response),
    onFault: (error) => faults.push(error),
  });
  const { port } = await server.listen(0, '127.0.0.1');
  onTestFinished(() => server.drain(0));
  return { url: `http://127.0.0.1:${port}`, faults };
}

test.each(Object.keys(FAULTS))('a fault %s ends its connection, and nothing else', async (what) => {
  const { url, faults } = await serve(FAULTS[what] ?? (() => {}));
  const other = await openConnection(url);
  const connection = await openConnection(
    url,
    'POST /faulty HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc',
  );
  await connection.closed;
  expect(faults).toEqual([new Error('fault')]);
  other.socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  await other.closed;
  expect(statusesIn(other.text)).toEqual([200]);
});

test('a connection that Node has handed over may be reset', async () => {
  const { url, faults } = await serve(() => {});
  const connections = await Promise.all([
    openConnection(url, 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n'),
    openConnection(url, 'GET /faulty HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n'),
  ]);
  for (const { socket } of connections) socket.resetAndDestroy();
  for (const _ of [1, 2, 3]) expect((await fetch(url)).status).toBe(200);
  expect(faults).toEqual([]);
});
