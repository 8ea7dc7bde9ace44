import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openRedis } from '../../src/sharing/redis-client.ts';
import { eventually } from '../support/eventually.ts';

/** A server that does with each connection what the test says. */
async function serve(onConnection: (socket: Socket) => void): Promise<string> {
  const server = createServer(onConnection);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return `redis://127.0.0.1:${typeof address === 'object' ? address?.port : undefined}`;
}

test('a server that closes every connection is tried again, with pauses', async () => {
  let connections = 0;
  const url = await serve((socket) => {
    connections += 1;
    socket.destroy();
  });
  const client = await openRedis(url, 50, {
    onReady() {},
    onClose() {},
    onMessage() {},
  });
  onTestFinished(() => client.close());
  await eventually(() => expect(connections).toBeGreaterThan(1));
  await setTimeout(300);
  // Without pauses it would be hundreds.
  expect(connections).toBeLessThan(10);
});

/** A server of Redis 6 that confirms subscriptions, and answers other commands, in this way. */
function serveAnswers(subscription: string, answer: string): Promise<string> {
  return serve((socket) => {
    socket.on('error', () => {});
    socket.setEncoding('latin1').on('data', (text: string) => {
      for (const [, name = ''] of text.matchAll(/\*\d+\r\n\$\d+\r\n(\w+)/g)) {
        const answers = { hello: '%1\r\n$5\r\nproto\r\n:3\r\n', subscribe: subscription, SET: answer };
        socket.write(new Map(Object.entries(answers)).get(name) ?? '+OK\r\n');
      }
    });
  });
}

test.each([
  ['null', '_\r\n'],
  ['a push of null', '>1\r\n_\r\n'],
  ['a message of null', '>3\r\n$7\r\nmessage\r\n_\r\n_\r\n'],
  ['arrays without an end', '*30000000\r\n'.repeat(20)],
])('a server that sends %s is left, and tried again', async (_what, surplus) => {
  const closed: string[] = [];
  const client = await openRedis(await serveAnswers('', `+OK\r\n${surplus}`), 10_000, {
    onReady: () => void client.command('SET', 'key', '').catch(() => {}),
    onClose: (reason) => void closed.push(reason),
    onMessage() {},
  });
  onTestFinished(() => client.close());
  await eventually(() => expect(closed.slice(0, 2)).toEqual(['unexpected reply', 'unexpected reply']));
});

const confirmed = (channel: string, count: number) =>
  `>3\r\n$9\r\nsubscribe\r\n$1\r\n${channel}\r\n:${count}\r\n`;

test.each([
  ['both channels', `${confirmed('a', 1)}${confirmed('b', 2)}`, 'subscribed'],
  ['an error', '-NOPERM no\r\n', 'NOPERM'],
  ['a number', ':1\r\n', 'unexpected reply'],
  ['numbers', '*1\r\n:1\r\n', 'unexpected reply'],
  ['an empty text', '$0\r\n\r\n', 'unexpected reply'],
])('a subscription that is answered by %s', async (_what, subscription, expected) => {
  const outcomes: string[] = [];
  const client = await openRedis(await serveAnswers(subscription, ''), 10_000, {
    onReady: () =>
      void client.subscribe(['a', 'b']).then(
        () => outcomes.push('subscribed'),
        ({ message }) => outcomes.push(message),
      ),
    onClose() {},
    onMessage() {},
  });
  onTestFinished(() => client.close());
  await eventually(() => expect(outcomes).toEqual([expected]));
});
