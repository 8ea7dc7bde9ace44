import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Route } from '../../../src/pages/route.ts';
import { eventually } from '../../support/eventually.ts';
import { freshGateway } from '../../support/gateway.ts';
import { cut, openConnection, statusesIn } from '../../support/sockets.ts';

const LARGE = Buffer.alloc(20_000_000, 'x');
/** Sent in one piece. */
const MEDIUM = Buffer.alloc(400_000, 'x');

const pages: Route = ({ url }) => {
  const body = url === '/large' ? LARGE : url === '/medium' ? MEDIUM : undefined;
  return body && (() => ({ status: 200, headers: {}, body }));
};

function startWith(stalledMs: number) {
  return freshGateway({ handler: { routes: [pages] }, listen: { stalledMs } });
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

test('a page that is not read is cut', async () => {
  const gateway = await startWith(100);
  const { socket } = await openConnection(gateway.url);
  socket.pause().write(get('/large'));
  await cut(socket);
});

test('a connection is cut that reads none of many pages', async () => {
  const gateway = await startWith(100);
  const { socket } = await openConnection(gateway.url);
  socket.pause();
  // Once the kernel takes no more, an answer waits in the gateway.
  for (let count = 0; count < 40; count += 1) {
    socket.write(get('/medium'));
    await sleep(10);
  }
  await cut(socket);
});

test('a page that is read is sent whole, however large', async () => {
  const gateway = await startWith(60_000);
  const connection = await openConnection(gateway.url, get('/large'));
  await eventually(() => expect(connection.text.length).toBeGreaterThan(LARGE.length));
  expect(statusesIn(connection.text)).toEqual([200]);
});
