import { expect, onTestFinished, test } from 'vitest';
import { createGuardedServer } from '../../../src/server/http/guarded-server.ts';
import { freshGateway } from '../../support/gateway.ts';
import { exchange } from '../../support/sockets.ts';

const HEAD =
  'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n';

/** An operation of this length, in chunks of this length. */
function chunked(length: number, chunkLength: number): string {
  const body = JSON.stringify({ query: '{ __typename }' }).padEnd(length, ' ');
  let chunks = '';
  for (let start = 0; start < length; start += chunkLength) {
    const chunk = body.slice(start, start + chunkLength);
    chunks += `${chunk.length.toString(16)}\r\n${chunk}\r\n`;
  }
  return `${HEAD}Connection: close\r\n\r\n${chunks}0\r\n\r\n`;
}

test.each([
  ['few chunks of one byte', 90, 1, 200],
  ['many chunks of one byte', 20_000, 1, 400],
  ['many chunks of a line each', 200_000, 80, 400],
  ['many chunks of some lines each', 200_000, 600, 200],
  ['one chunk', 900_000, 900_000, 200],
])('a body in %s', async (_what, length, chunkLength, status) => {
  const gateway = await freshGateway();
  const answer = await exchange(gateway.url, chunked(length, chunkLength));
  expect(answer.status).toBe(status);
  if (status === 400) expect(answer.text).toContain('send it with `Content-Length`');
});

test('Node’s parser stops within the packet at the chunk that is one too many, and is used again', async () => {
  const counts: number[] = [];
  const server = createGuardedServer({
    handle(request, response) {
      const index = counts.push(0) - 1;
      request.on('data', () => {
        counts[index] = (counts[index] ?? 0) + 1;
      });
      setImmediate(() => response.end('ok'));
    },
    onFault: (error) => expect.unreachable(String(error)),
  });
  const { port } = await server.listen(0, '127.0.0.1');
  onTestFinished(() => server.drain(0));
  const send = (chunks: number) =>
    exchange(
      `http://127.0.0.1:${port}`,
      `${HEAD}Connection: close\r\n\r\n${'1\r\nx\r\n'.repeat(chunks)}0\r\n\r\n`,
    );
  for (const chunks of [10_000, 50, 10_000, 50]) await send(chunks);
  expect(counts).toEqual([101, 50, 101, 50]);
});
