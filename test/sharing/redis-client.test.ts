import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openRedis } from '../../src/sharing/redis-client.ts';
import { eventually } from '../support/eventually.ts';

test('a server that closes every connection is tried again, with pauses', async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const client = await openRedis(`redis://127.0.0.1:${port}`, 50, {
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
