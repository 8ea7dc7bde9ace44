import { expect, onTestFinished, test } from 'vitest';
import { createGuardedServer } from '../../src/server/http/guarded-server.ts';
import { stopClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { openConnection, statusesIn } from '../support/sockets.ts';
import { times } from '../support/times.ts';

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const IDLE_MS = 1_000;
/** Longer than it takes until idle connections are looked for again. */
const SWEEP_MS = 150;

const passed = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Connections of a server that answers at once, and is being drained. */
async function startDraining(count: number) {
  const server = createGuardedServer({
    handle: (_request, response) => void response.end('ok'),
    onFault: (error) => expect.unreachable(String(error)),
  });
  const { port } = await server.listen(0, '127.0.0.1');
  const url = `http://127.0.0.1:${port}`;
  const opened = await Promise.all(times(count, () => openConnection(url)));
  await eventually(() => expect(server.stats().connections).toBe(count));
  const drained = server.drain(60_000);
  onTestFinished(() => {
    for (const { socket } of opened) socket.destroy();
    return drained;
  });
  await passed(SWEEP_MS);
  return opened;
}

test('idle connections are kept while requests come on others, and then closed', async () => {
  const clock = stopClock();
  const [first, second, third] = await startDraining(3);
  clock.advance(IDLE_MS - 1);
  first?.socket.write(GET);
  await first?.closed;
  clock.advance(IDLE_MS - 1);
  await passed(SWEEP_MS);
  second?.socket.write(GET);
  await second?.closed;
  expect([first, second].map((one) => statusesIn(one?.text ?? ''))).toEqual([[200], [200]]);
  clock.advance(IDLE_MS);
  await third?.closed;
  expect(third?.text).toBe('');
});

test('a request that has arrived, and was not read yet, is answered before an idle connection is closed', async () => {
  const clock = stopClock();
  const [only] = await startDraining(1);
  // Timers come next, before what has arrived is read.
  await new Promise(setImmediate);
  clock.advance(IDLE_MS);
  only?.socket.write(GET);
  // The server has no turn until it looks for idle connections.
  const until = process.hrtime.bigint() + BigInt(SWEEP_MS * 1_000_000);
  while (process.hrtime.bigint() < until);
  await only?.closed;
  expect(statusesIn(only?.text ?? '')).toEqual([200]);
});
