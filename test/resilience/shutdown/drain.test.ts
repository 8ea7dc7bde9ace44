import type { ChildProcess } from 'node:child_process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { debtors, WRITES } from '../../support/operations.ts';
import { startProcess } from '../../support/processes.ts';
import { openConnection, postOf, statusesIn } from '../../support/sockets.ts';
import { times } from '../../support/times.ts';
import { withResolver } from '../../support/with-resolver.ts';
import { GRACE_MS, refused, startAll } from './support.ts';

/** Longer than any test takes. */
const LONG_DELAY = { DRAIN_DELAY_MS: String(GRACE_MS) };
const HEALTH = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n';
const READY = 'GET /ready HTTP/1.1\r\nHost: x\r\n\r\n';

/** What each answer on a connection says of it. */
const connectionsIn = (text: string) => text.match(/^Connection: \S+/gm);

describe('during DRAIN_DELAY_MS', () => {
  test('/ready is 503, and new and kept connections are served as before', async () => {
    const { child, url } = await startAll(LONG_DELAY);
    const kept = await openConnection(url, HEALTH);
    await eventually(() => expect(statusesIn(kept.text)).toEqual([200]));
    child.kill('SIGTERM');
    await eventually(async () => expect((await fetch(new URL('/ready', url))).status).toBe(503));
    const fresh = await openConnection(url, postOf(debtors()));
    kept.socket.write(READY);
    await eventually(() => expect(statusesIn(kept.text)).toEqual([200, 503]));
    await eventually(() => expect(statusesIn(fresh.text)).toEqual([200]));
    for (const { text } of [kept, fresh]) {
      expect(connectionsIn(text)).not.toContain('Connection: close');
    }
  });

  test('an operation that began is answered after it', async () => {
    const { rest, child, url, exit } = await startAll({ DRAIN_DELAY_MS: '1' });
    const { promise: until, resolve } = withResolver();
    rest.misbehave({ kind: 'stale', until });
    const connection = await openConnection(url, postOf(debtors()));
    await eventually(() => expect(rest.calls).toHaveLength(1));
    child.kill('SIGTERM');
    await refused(url);
    resolve();
    expect(await exit).toEqual([0, null]);
    await connection.closed;
    expect(connection.text).toMatch(/^HTTP\/1\.1 200 .*^Connection: close.*"300001"/ms);
  });

  test('a second signal ends the process at once, with status 1', async () => {
    const { child, url, exit } = await startAll(LONG_DELAY);
    child.kill('SIGTERM');
    await eventually(async () => expect((await fetch(new URL('/ready', url))).status).toBe(503));
    // Signals that come together are one.
    const again = setInterval(() => child.kill('SIGTERM'), 150);
    onTestFinished(() => clearInterval(again));
    expect(await exit).toEqual([1, null]);
  });
});

/** Starts to drain; `settle` waits until all that was sent before it has been read. */
async function startDraining({ child, url }: { child: ChildProcess; url: string }) {
  const settlers = await Promise.all(times(2, () => openConnection(url, HEALTH.slice(0, 4))));
  child.kill('SIGTERM');
  await refused(url);
  return async () => {
    const settler = settlers.pop();
    settler?.socket.write(HEALTH.slice(4));
    await settler?.closed;
  };
}

describe('while it drains', () => {
  test('a request that is pipelined behind one in flight is not run, and has to be sent again', async () => {
    const { rest, ...gateway } = await startAll();
    const { promise: until, resolve } = withResolver();
    rest.misbehave({ kind: 'stale', until });
    const connection = await openConnection(gateway.url, postOf(debtors()));
    await eventually(() => expect(rest.calls).toHaveLength(1));
    const settle = await startDraining(gateway);
    connection.socket.write(postOf(debtors(1)) + READY);
    await settle();
    resolve();
    await connection.closed;
    expect(statusesIn(connection.text)).toEqual([200]);
    expect(connectionsIn(connection.text)).toEqual(['Connection: close']);
    expect(rest.calls).toHaveLength(1);
    await settle();
    expect(await gateway.exit).toEqual([0, null]);
  });

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
    expect(await gateway.exit).toEqual([0, null]);
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
    expect(connection.text).toMatch(/^HTTP\/1\.1 200 .*^Connection: close.*"subject":/ms);
    expect(rest.calls).toHaveLength(1);
    await Promise.all([settle(), settle()]);
    expect(await gateway.exit).toEqual([0, null]);
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
    gateway.child.kill('SIGTERM');
    await idle.closed;
    for (const { connection, rest } of pieces) connection.socket.write(rest);
    for (const { connection } of pieces) {
      await connection.closed;
      expect(connection.text).toMatch(/^HTTP\/1\.1 200 .*^Connection: close.*"300001"/ms);
    }
    expect(await gateway.exit).toEqual([0, null]);
  });
});

test('it ends with status 0 though closing hangs and a timer is left', async () => {
  const before = `
    import { createRequire } from 'node:module';
    const { Pool } = createRequire(${JSON.stringify(import.meta.url)})('undici');
    Pool.prototype.destroy = () => new Promise(() => {});
    setInterval(() => {}, ${GRACE_MS});
  `;
  const { child, exit } = await startProcess({}, { before, isUnbundled: true });
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
});
