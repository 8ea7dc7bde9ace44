import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { Connection } from '../../src/server/http/connection.ts';
import { Connections } from '../../src/server/http/connections.ts';
import { stopClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { openConnection, statusesIn } from '../support/sockets.ts';

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const IDLE_MS = 1_000;

/** Connections of a server that answers at once, and are closing. */
async function startClosing(count: number) {
  const connections = new Connections({
    connectionBytes: 10_000_000,
    handle: (_request, response) => void response.end('ok'),
    onFault: (error) => {
      throw error;
    },
  });
  const server = createServer((request, response) =>
    Connection.of(request.socket)?.receive(request, response),
  );
  server.on('connection', (socket) => connections.open(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    connections.destroyAll();
  });
  const { port } = server.address() as AddressInfo;
  const opened = await Promise.all(
    Array.from({ length: count }, () => openConnection(`http://127.0.0.1:${port}`)),
  );
  await eventually(() => expect(connections.opened).toBe(count));
  connections.closeAfterResponses();
  return { connections, opened };
}

test('idle connections are kept while requests come on others, and then closed', async () => {
  const clock = stopClock();
  const { connections, opened } = await startClosing(3);
  const [first, second, third] = opened;
  clock.advance(IDLE_MS - 1);
  first?.socket.write(GET);
  await first?.closed;
  clock.advance(IDLE_MS - 1);
  await connections.closeIdle(IDLE_MS);
  second?.socket.write(GET);
  await second?.closed;
  expect([first, second].map((one) => statusesIn(one?.text ?? ''))).toEqual([[200], [200]]);
  clock.advance(IDLE_MS);
  await connections.closeIdle(IDLE_MS);
  await third?.closed;
  expect(third?.text).toBe('');
});

test('a request that has arrived, and was not read yet, is answered before an idle connection is closed', async () => {
  const clock = stopClock();
  const { connections, opened } = await startClosing(1);
  const [only] = opened;
  clock.advance(IDLE_MS);
  // The server has no turn between the two.
  only?.socket.write(GET);
  await connections.closeIdle(IDLE_MS);
  await only?.closed;
  expect(statusesIn(only?.text ?? '')).toEqual([200]);
});
