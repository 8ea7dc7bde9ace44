import { Agent } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { postOf } from '../../support/sockets.ts';
import { times } from '../../support/times.ts';
import { withResolver } from '../../support/with-resolver.ts';
import { ask, GRACE_MS, isRight, keptConnection, type Outcome, refused, startAll } from './support.ts';

describe('the first signal', () => {
  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'closes idle connections, lets operations finish, and then ends with status 0: %s',
    async (signal) => {
      const { rest, child, url, exit, ask } = await startAll();
      const idle = await keptConnection(url);
      const { promise: until, resolve } = withResolver();
      rest.misbehave({ kind: 'stale', until, times: 5 });
      const inFlight = times(5, (index) => ask(index));
      await eventually(() => expect(rest.calls).toHaveLength(5));
      child.kill(signal);
      await idle.rest();
      resolve();
      expect((await Promise.all(inFlight)).map(isRight)).toEqual(times(5, () => true));
      expect(await exit).toEqual([0, null]);
    },
  );

  test('refuses connections, and answers once more on a kept one: /ready says that it stops', async () => {
    const { rest, child, url, exit, ask } = await startAll();
    const kept = await keptConnection(url);
    const { promise: until, resolve } = withResolver();
    rest.misbehave({ kind: 'stale', until });
    const inFlight = ask();
    await eventually(() => expect(rest.calls).toHaveLength(1));
    child.kill('SIGTERM');
    // Asked again after each answer, so that the connection is never idle for long, and nothing is pipelined.
    const askReady = () => setTimeout(() => kept.socket.write('GET /ready HTTP/1.1\r\nHost: x\r\n\r\n'), 20);
    kept.socket.on('data', askReady);
    askReady();
    const answers = await kept.rest();
    expect(answers).toMatch(/HTTP\/1\.1 503 .*\r\nConnection: close\r\n.*stopping/s);
    await refused(url);
    resolve();
    expect(isRight(await inFlight)).toBe(true);
    expect(await exit).toEqual([0, null]);
  });

  test.each([0, 5, 50])(
    'loses nothing of kept connections, with answers that take %i ms',
    async (latency) => {
      const { rest, child, exit, url } = await startAll();
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
        } while (isRight(outcome));
      };
      const callers = times(20, caller);
      await eventually(() => expect(connected.size).toBe(20));
      child.kill('SIGTERM');
      expect(await exit).toEqual([0, null]);
      await Promise.all(callers);
      // A connection that is refused has taken nothing, so its request is safe to send elsewhere.
      const isRefused = (outcome: Outcome) => 'failed' in outcome && outcome.failed === 'ECONNREFUSED';
      expect(outcomes.filter((outcome) => !isRight(outcome) && !isRefused(outcome))).toEqual([]);
    },
  );

  test('accepts the connections that the system has established already', async () => {
    const { child, exit, url } = await startAll();
    child.kill('SIGSTOP');
    // Few: the process has a fifth of a second to accept them, one in each turn of its event loop.
    const sockets = times(5, () => connect(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8'));
    const answers = sockets.map(
      (socket) =>
        new Promise<string>((resolve) => {
          let text = '';
          socket.on('data', (chunk) => {
            text += chunk;
          });
          socket.on('error', ({ message }) => resolve(message)).on('close', () => resolve(text));
          socket.on('connect', () => socket.write('GET /health HTTP/1.1\r\nHost: x\r\n\r\n'));
        }),
    );
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
    child.kill('SIGTERM');
    child.kill('SIGCONT');
    expect(await exit).toEqual([0, null]);
    for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('closes a connection after the long answer that was under way on it', async () => {
    const { child, exit, url } = await startAll();
    const names = times(150, (index) => `a${index}: name`).join(' ');
    const query = `{ debtors(administrationId: "1001", first: 2000) { nodes { ${names} } } }`;
    const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('latin1');
    socket.write(postOf(query));
    await new Promise((resolve) => socket.once('data', resolve));
    socket.pause();
    child.kill('SIGTERM');
    await refused(url);
    let length = 0;
    socket.on('data', (chunk) => {
      length += chunk.length;
    });
    socket.resume();
    expect(await exit).toEqual([0, null]);
    expect(length).toBeGreaterThan(2_000_000);
  });

  test('waits no longer than the grace period', async () => {
    const { rest, child, exit, ask } = await startAll({
      SHUTDOWN_GRACE_MS: '100',
      REST_TIMEOUT_MS: String(GRACE_MS),
      REQUEST_TIMEOUT_MS: String(GRACE_MS),
    });
    rest.misbehave({ kind: 'hang' });
    const inFlight = ask();
    await eventually(() => expect(rest.calls).toHaveLength(1));
    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
    expect(await inFlight).toHaveProperty('failed');
  });
});

test('signals that come together are one', async () => {
  const { child, exit } = await startAll();
  for (let count = 0; count < 3; count += 1) child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
});

test('the second signal ends it with status 1, whatever is under way', async () => {
  const { rest, child, url, exit, ask } = await startAll({
    REST_TIMEOUT_MS: String(GRACE_MS),
    REQUEST_TIMEOUT_MS: String(GRACE_MS),
  });
  rest.misbehave({ kind: 'hang' });
  const inFlight = ask();
  await eventually(() => expect(rest.calls).toHaveLength(1));
  child.kill('SIGINT');
  await refused(url);
  // Signals that come together are one.
  const again = setInterval(() => child.kill('SIGINT'), 150);
  onTestFinished(() => clearInterval(again));
  expect(await exit).toEqual([1, null]);
  expect(await inFlight).toHaveProperty('failed');
});
