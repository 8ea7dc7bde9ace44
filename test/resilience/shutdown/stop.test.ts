import { Agent } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { postOf } from '../../support/sockets.ts';
import { times } from '../../support/times.ts';
import { withResolver } from '../../support/with-resolver.ts';
import { ask, GRACE_MS, isRight, keptConnection, type Outcome, READY, refused, startAll } from './support.ts';

describe('a gateway that stops', () => {
  test('refuses connections, and answers once more on a kept one: /ready says that it stops', async () => {
    const { rest, url, stop, ask } = await startAll();
    const kept = await keptConnection(url);
    const { promise: until, resolve } = withResolver();
    rest.misbehave({ kind: 'stale', until });
    const inFlight = ask();
    await eventually(() => expect(rest.calls).toHaveLength(1));
    // It has begun to arrive, so that the connection is not idle.
    kept.socket.write(READY.slice(0, 4));
    const stopped = stop();
    await refused(url);
    kept.socket.write(READY.slice(4));
    expect(await kept.rest()).toMatch(/^HTTP\/1\.1 503 .*\r\nConnection: close\r\n.*stopping/is);
    resolve();
    expect(isRight(await inFlight)).toBe(true);
    await stopped;
  });

  test.each([0, 5, 50])(
    'loses nothing of kept connections, with answers that take %i ms',
    async (latency) => {
      const { rest, url, stop } = await startAll();
      rest.misbehave({ kind: 'delay', milliseconds: latency, times: 1e6 });
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
    },
  );

  test('closes a connection after the long answer that was under way on it', async () => {
    const { url, stop } = await startAll();
    const names = times(150, (index) => `a${index}: name`).join(' ');
    const query = `{ debtors(administrationId: "1001", first: 2000) { nodes { ${names} } } }`;
    const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('latin1');
    socket.write(postOf(query));
    await new Promise((resolve) => socket.once('data', resolve));
    socket.pause();
    const stopped = stop();
    await refused(url);
    let length = 0;
    socket.on('data', (chunk) => {
      length += chunk.length;
    });
    socket.resume();
    await stopped;
    expect(length).toBeGreaterThan(2_000_000);
  });

  test('waits no longer than the grace period', async () => {
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
