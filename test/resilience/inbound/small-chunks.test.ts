import { expect, test } from 'vitest';
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
  ['few chunks of one byte', 900, 1, 200],
  ['many chunks of one byte', 20_000, 1, 400],
  ['many chunks of a line each', 200_000, 80, 200],
  ['one chunk', 900_000, 900_000, 200],
])('a body in %s', async (_what, length, chunkLength, status) => {
  const gateway = await freshGateway();
  const answer = await exchange(gateway.url, chunked(length, chunkLength));
  expect(answer.status).toBe(status);
  if (status === 400) expect(answer.text).toContain('send it with `Content-Length`');
});
