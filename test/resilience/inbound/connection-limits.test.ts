import { expect, test } from 'vitest';
import type { Route } from '../../../src/pages/route.ts';
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
  const other = await openConnection(gateway.url);
  // Sent later, when the connection has been idle for a turn.
  expect((await gateway.query('{ __typename }')).status).toBe(200);
  other.socket.write(postOf('{ __typename }'));
  await eventually(() => expect(other.text).toContain('"__typename":"Query"'));
});

const LARGE = Buffer.alloc(20_000_000, 'x');
