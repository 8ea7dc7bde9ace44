import { describe, expect, test } from 'vitest';
import { memoryLimits } from '../../../src/limits/memory-limits.ts';
import { eventually } from '../../support/eventually.ts';
import { freshGateway } from '../../support/gateway.ts';
import { DEBTORS } from '../../support/operations.ts';
import { exchange, openConnection, postOf, STALLED_BODY } from '../../support/sockets.ts';
import { times } from '../../support/times.ts';

const TIMED_OUT = /^HTTP\/1\.1 408 [\s\S]*"code":"REQUEST_TIMEOUT","requestId":"[\w-]+"/;

describe('a request that takes too long to arrive is refused with 408', () => {
  test.each([
    ['headers', 'POST /graphql HTTP/1.1\r\nHost: x\r\nX-A: '],
    ['a body', STALLED_BODY],
  ])('where it stops in %s', async (_what, bytes) => {
    const gateway = await freshGateway({ listen: { headersTimeoutMs: 50, requestTimeoutMs: 100 } });
    expect((await exchange(gateway.url, bytes)).text).toMatch(TIMED_OUT);
  });
});

test('a body that arrives in pieces is answered', async () => {
  const gateway = await freshGateway();
  const request = postOf(DEBTORS);
  const connection = await openConnection(gateway.url, request.slice(0, -60));
  for (let index = 60; index > 0; index -= 20) {
    // An answer to another request says that the piece before has been read.
    await gateway.query('{ __typename }');
    connection.socket.write(request.slice(-index).slice(0, 20));
  }
  await eventually(() => expect(connection.text).toContain('"internalId":"300001"'));
});

test('bodies that arrive are bounded together', async () => {
  const memory = { ...memoryLimits(), operationBytes: 4_000_000 };
  const gateway = await freshGateway({ gateway: { memory } });
  const large = STALLED_BODY.replace('90', '500000') + ' '.repeat(400_000);
  const stalled = await Promise.all(times(5, () => openConnection(gateway.url, large)));
  const refused = () => stalled.map(({ text }) => text).filter((text) => text !== '');
  // One address may hold a quarter.
  await eventually(() => expect(refused().length).toBeGreaterThan(0));
  expect(refused()[0]).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: 1\r\n[\s\S]*"code":"OVERLOADED"/);
  for (const { socket } of stalled) socket.destroy();
  await eventually(async () => expect((await gateway.query(DEBTORS)).status).toBe(200));
});
