import { describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { freshGateway } from '../../support/gateway.ts';
import { DEBTORS } from '../../support/operations.ts';
import { exchange, openConnection, postOf, type RawConnection, STALLED_BODY } from '../../support/sockets.ts';
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

  test('where its body stalls, long before the time for a whole request is over', async () => {
    const gateway = await freshGateway({
      listen: { uploads: { maxBytes: 1e6, windowMs: 50, minBytes: 100 }, requestTimeoutMs: 60_000 },
    });
    expect((await exchange(gateway.url, STALLED_BODY)).text).toMatch(TIMED_OUT);
  });

  test('where its body drips: it has to arrive at a pace', async () => {
    const gateway = await freshGateway({
      listen: { uploads: { maxBytes: 1e6, windowMs: 100, minBytes: 100 }, requestTimeoutMs: 60_000 },
    });
    const connection = await openConnection(gateway.url, STALLED_BODY);
    const drip = setInterval(() => connection.socket.write(' '), 10);
    await connection.closed;
    clearInterval(drip);
    expect(connection.text).toMatch(TIMED_OUT);
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

describe('bodies that arrive are bounded together', () => {
  test('in number: those that stalled longest make room', async () => {
    // Less than twenty of them take with their headers.
    const gateway = await freshGateway({
      listen: {
        connectionBytes: 100_000,
        // None is cut for its pace, or for the time that it takes.
        uploads: { maxBytes: 1e6, windowMs: 60_000, minBytes: 1 },
        requestTimeoutMs: 60_000,
      },
    });
    const stalled: RawConnection[] = [];
    for (const _ of times(10, () => 0)) stalled.push(await openConnection(gateway.url, STALLED_BODY));
    for (const _ of times(10, () => 0)) {
      stalled.push(await openConnection(gateway.url, STALLED_BODY));
      expect((await gateway.query(DEBTORS)).status).toBe(200);
    }
    await eventually(() => expect(stalled[0]?.socket.destroyed).toBe(true));
    expect(stalled.at(-1)?.socket.destroyed).toBe(false);
  });

  test('in bytes', async () => {
    const gateway = await freshGateway({
      listen: { uploads: { maxBytes: 1_000_000, windowMs: 60_000, minBytes: 1 } },
    });
    const large = STALLED_BODY.replace('90', '900000') + ' '.repeat(400_000);
    const stalled = await Promise.all(times(3, () => openConnection(gateway.url, large)));
    const refused = () => stalled.map(({ text }) => text).filter((text) => text !== '');
    await eventually(() => expect(refused()).toHaveLength(1));
    expect(refused()[0]).toMatch(/^HTTP\/1\.1 503 [\s\S]*Retry-After: 1\r\n[\s\S]*"code":"OVERLOADED"/);
    expect((await gateway.query(DEBTORS)).status).toBe(200);
  });
});
