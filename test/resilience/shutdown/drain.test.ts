import { describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { debtors, WRITES } from '../../support/operations.ts';
import { openConnection, postOf, statusesIn } from '../../support/sockets.ts';
import { times } from '../../support/times.ts';
import { withResolver } from '../../support/with-resolver.ts';
import { HEALTH, refused, startAll } from './support.ts';

test('an operation that began is answered after DRAIN_DELAY_MS', async () => {
  const { rest, url, stop } = await startAll({ DRAIN_DELAY_MS: '1' });
  const { promise: until, resolve } = withResolver();
  rest.misbehave({ kind: 'stale', until });
  const connection = await openConnection(url, postOf(debtors()));
  await eventually(() => expect(rest.calls).toHaveLength(1));
  const stopped = stop();
  await refused(url);
  resolve();
  await stopped;
  await connection.closed;
  expect(connection.text).toMatch(/^HTTP\/1\.1 200 .*^Connection: close.*"300001"/ims);
});

/** Starts to drain; `settle` waits until all that was sent before it has been read. */
async function startDraining({ stop, url }: { stop: () => Promise<void>; url: string }) {
  const settlers = await Promise.all(times(2, () => openConnection(url, HEALTH.slice(0, 4))));
  void stop();
  await refused(url);
  return async () => {
    const settler = settlers.pop();
    settler?.socket.write(HEALTH.slice(4));
    await settler?.closed;
  };
}

describe('while it drains', () => {
  test('a mutation is not run that comes after the answer that closes its connection', async () => {
    const { rest, ...gateway } = await startAll();
    const large = postOf(
      `{ debtors(administrationId: "1001", first: 2000) { nodes { ${times(150, (index) => `a${index}: name`).join(' ')} } } }`,
    );
    const connection = await openConnection(gateway.url, large.slice(0, 4));
    const settle = await startDraining(gateway);
    connection.socket.once('data', () => connection.socket.pause());
    connection.socket.write(large.slice(4));
    await eventually(() => expect(connection.text).toContain('Connection: close'));
    connection.socket.write(postOf(...WRITES.unmarkTaskCompleted));
    await settle();
    connection.socket.resume();
    await connection.closed;
    await settle();
    await gateway.stop();
    expect(statusesIn(connection.text)).toEqual([200]);
    expect(connection.text.length).toBeGreaterThan(2_000_000);
    expect(rest.calls.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('a mutation under way is made once, and answered', async () => {
    const { rest, ...gateway } = await startAll();
    const { promise: until, resolve } = withResolver();
    rest.misbehave({ kind: 'stale', until });
    const connection = await openConnection(gateway.url, postOf(...WRITES.unmarkTaskCompleted));
    await eventually(() => expect(rest.calls).toHaveLength(1));
    const settle = await startDraining(gateway);
    resolve();
    await connection.closed;
    expect(connection.text).toMatch(/^HTTP\/1\.1 200 .*^Connection: close.*"subject":/ims);
    expect(rest.calls).toHaveLength(1);
    await Promise.all([settle(), settle()]);
    await gateway.stop();
  });

  test('requests are answered that arrive in pieces for longer than idle connections are kept', async () => {
    const gateway = await startAll();
    const bytes = postOf(debtors());
    const idle = await openConnection(gateway.url);
    // One stops within its headers, the other within its body.
    const pieces = await Promise.all(
      [20, bytes.length - 5].map(async (length) => {
        const connection = await openConnection(gateway.url, bytes.slice(0, length));
        return { connection, rest: bytes.slice(length) };
      }),
    );
    const stopped = gateway.stop();
    await idle.closed;
    for (const { connection, rest } of pieces) connection.socket.write(rest);
    for (const { connection } of pieces) {
      await connection.closed;
      expect(connection.text).toMatch(/^HTTP\/1\.1 200 .*^Connection: close.*"300001"/ims);
    }
    await stopped;
  });
});
