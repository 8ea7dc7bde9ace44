import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { debtors, WRITES } from '../../support/operations.ts';
import { openConnection, postOf, statusesIn } from '../../support/sockets.ts';
import { times } from '../../support/times.ts';
import { withResolver } from '../../support/with-resolver.ts';
import { ask, GRACE_MS, HEALTH, isRight, type Outcome, refused, startAll } from './support.ts';

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

describe('a stopping gateway', () => {
  test('runs no mutation after the response that closes its connection', async () => {
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

  test('completes a running mutation once and responds', async () => {
    const { rest, url, stop } = await startAll({ DRAIN_DELAY_MS: '1' });
    const { promise: until, resolve } = withResolver();
    rest.misbehave({ kind: 'stale', until });
    const connection = await openConnection(url, postOf(...WRITES.unmarkTaskCompleted));
    await eventually(() => expect(rest.calls).toHaveLength(1));
    const stopped = stop();
    await refused(url);
    resolve();
    await Promise.all([connection.closed, stopped]);
    expect(connection.text).toMatch(/^HTTP\/1\.1 200 .*^Connection: close.*"subject":/ims);
    expect(rest.calls).toHaveLength(1);
  });

  test('serves requests that arrive in pieces after idle connections have closed', async () => {
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

  test('loses no request on connections that are kept alive', async () => {
    const { rest, url, stop } = await startAll();
    rest.misbehave({ kind: 'delay', milliseconds: 5, times: 1e6 });
    const outcomes: Outcome[] = [];
    const connected = new Set<number>();
    const caller = async (number: number) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      onTestFinished(() => agent.destroy());
      let outcome: Outcome;
      do {
        outcome = await ask(url, agent, number);
        outcomes.push(outcome);
        connected.add(number);
        // Else the event loop, which is the gateway's too, never has the short turn in which it closes its port.
        await sleep(5);
      } while (isRight(outcome));
    };
    const callers = times(6, caller);
    await eventually(() => expect(connected.size).toBe(6));
    await stop();
    await Promise.all(callers);
    // A connection that is refused has taken nothing, so its request is safe to send elsewhere.
    const isRefused = (outcome: Outcome) => 'failed' in outcome && outcome.failed === 'ECONNREFUSED';
    expect(outcomes.filter((outcome) => !isRight(outcome) && !isRefused(outcome))).toEqual([]);
  });

  test('ends operations after the grace period', async () => {
    const { rest, stop, ask } = await startAll({
      SHUTDOWN_GRACE_MS: '100',
      REST_TIMEOUT_MS: String(GRACE_MS),
      REQUEST_TIMEOUT_MS: String(GRACE_MS),
    });
    rest.misbehave({ kind: 'hang' });
    const inFlight = ask();
    await eventually(() => expect(rest.calls).toHaveLength(1));
    await stop();
    expect(await inFlight).toHaveProperty('failed');
  });
});
