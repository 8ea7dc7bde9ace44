import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import type { Route } from '../../../src/pages/route.ts';
import { createGuardedServer } from '../../../src/server/http/guarded-server.ts';
import { eventually } from '../../support/eventually.ts';
import { freshGateway } from '../../support/gateway.ts';
import { DEBTORS } from '../../support/operations.ts';
import { openConnection, postOf, type RawConnection, STALLED_BODY } from '../../support/sockets.ts';
import { times } from '../../support/times.ts';
import { withResolver } from '../../support/with-resolver.ts';

test('beyond the connections that may be open, idle ones are closed, and neither busy ones nor new ones', async () => {
  const gateway = await freshGateway({ listen: { maxConnections: 4 } });
  const { promise: until, resolve } = withResolver();
  gateway.rest.misbehave({ kind: 'stale', until });
  const busy = await openConnection(gateway.url, postOf(DEBTORS));
  await eventually(() => expect(gateway.rest.calls).toHaveLength(1));
  const idle: RawConnection[] = [];
  for (const _ of times(8, () => 0)) idle.push(await openConnection(gateway.url));
  const last = await openConnection(gateway.url, postOf('{ __typename }'));
  await eventually(() => expect(last.text).toContain('"__typename":"Query"'));
  await eventually(() => expect(idle.filter(({ socket }) => socket.destroyed).length).toBeGreaterThan(5));
  resolve();
  await eventually(() => expect(busy.text).toContain('"internalId":"300001"'));
});

test.each([
  ['bodies that do not arrive', STALLED_BODY],
  ['pages that are not read', 'GET /large HTTP/1.1\r\nHost: x\r\n\r\n'],
])('connections with %s do not lock out others of their address', async (_what, bytes) => {
  const large: Route = ({ url }) =>
    url === '/large' ? () => ({ status: 200, headers: {}, body: LARGE }) : undefined;
  const gateway = await freshGateway({ handler: { routes: [large] }, listen: { maxConnections: 4 } });
  for (const _ of times(6, () => 0)) (await openConnection(gateway.url, bytes)).socket.pause();
  // One of them may make progress once more, as the kernel takes the last that it takes.
  await eventually(async () => {
    const other = await openConnection(gateway.url);
    // Sent later, when the connection has been idle for a turn.
    expect((await gateway.query('{ __typename }')).status).toBe(200);
    other.socket.write(postOf('{ __typename }'));
    await Promise.race([other.closed, once(other.socket, 'data')]);
    expect(other.text).toContain('"__typename":"Query"');
  });
});

const HEAD = `POST /graphql HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(14_000)}`;

test('headers that do not end take memory: those that stalled longest make room', async () => {
  // Without their headers, all of them would have room.
  const timeouts = { headersTimeoutMs: 60_000, requestTimeoutMs: 60_000 };
  const gateway = await freshGateway({ listen: { connectionBytes: 100_000, ...timeouts } });
  const stalled: RawConnection[] = [];
  for (const _ of times(10, () => 0)) stalled.push(await openConnection(gateway.url, HEAD));
  await eventually(() => expect(stalled.filter(({ socket }) => socket.destroyed).length).toBe(6));
  const last = stalled.at(-1);
  last?.socket.write(`\r\n${postOf('{ __typename }').replace(/^.*\r\nhost: x\r\n/, '')}`);
  await eventually(() => expect(last?.text).toContain('"__typename":"Query"'));
});

test('headers are counted once, while they arrive and when they have', async () => {
  const server = createGuardedServer({ handle: (_request, response) => void response.end(), onFault() {} });
  onTestFinished(() => server.drain(0));
  const { port } = await server.listen(0, '127.0.0.1');
  const connection = await openConnection(`http://127.0.0.1:${port}`, HEAD);
  await eventually(() => expect(server.stats().connectionBytes).toBe(4_000 + 4_500 + HEAD.length));
  connection.socket.write('\r\n\r\n');
  await eventually(() => expect(connection.text).toContain('200 OK'));
  await eventually(() => expect(server.stats().connectionBytes).toBe(4_000));
});

const LARGE = Buffer.alloc(20_000_000, 'x');
