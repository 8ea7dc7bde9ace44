import { expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { freshGateway } from '../../support/gateway.ts';
import { DEBTORS } from '../../support/operations.ts';
import { openConnection, postOf, type RawConnection } from '../../support/sockets.ts';
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
