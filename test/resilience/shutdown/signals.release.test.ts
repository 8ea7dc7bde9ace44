import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { debtors } from '../../support/operations.ts';
import { startProcess } from '../../support/processes.ts';
import { openConnection, postOf, statusesIn } from '../../support/sockets.ts';
import { times } from '../../support/times.ts';
import { withResolver } from '../../support/with-resolver.ts';
import { GRACE_MS, HEALTH, isRight, READY, startAllAsProcess } from './support.ts';

// Processes, which alone get signals. What follows from the first one is in the other files, without a process.
describe('after the first signal, the gateway', () => {
  test('closes idle connections, completes operations and ends with status 0', async () => {
    const { rest, child, url, exit, ask } = await startAllAsProcess();
    const idle = await openConnection(url, HEALTH);
    await eventually(() => expect(statusesIn(idle.text)).toEqual([200]));
    const { promise: until, resolve } = withResolver();
    rest.misbehave({ kind: 'stale', until, times: 5 });
    const inFlight = times(5, (index) => ask(index));
    await eventually(() => expect(rest.calls).toHaveLength(5));
    child.kill('SIGHUP');
    await idle.closed;
    resolve();
    expect((await Promise.all(inFlight)).map(isRight)).toEqual(times(5, () => true));
    expect(await exit).toEqual([0, null]);
  });

  test('serves connections that the system has already established', async () => {
    const { child, exit, url } = await startAllAsProcess();
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
});

test('the gateway serves for DRAIN_DELAY_MS with /ready at 503, and a second signal ends it', async () => {
  const long = String(GRACE_MS);
  const { rest, child, url, exit, ask } = await startAllAsProcess({
    DRAIN_DELAY_MS: long,
    REST_TIMEOUT_MS: long,
    REQUEST_TIMEOUT_MS: long,
  });
  const kept = await openConnection(url, HEALTH);
  await eventually(() => expect(statusesIn(kept.text)).toEqual([200]));
  child.kill('SIGTERM');
  await eventually(async () => expect((await fetch(new URL('/ready', url))).status).toBe(503));
  const fresh = await openConnection(url, postOf(debtors()));
  kept.socket.write(READY);
  await eventually(() => expect(statusesIn(kept.text)).toEqual([200, 503]));
  await eventually(() => expect(statusesIn(fresh.text)).toEqual([200]));
  for (const { text } of [kept, fresh]) expect(text).not.toContain('Connection: close');

  rest.misbehave({ kind: 'hang' });
  const inFlight = ask(1);
  await eventually(() => expect(rest.calls).toHaveLength(2));
  // Signals that come together are one.
  const again = setInterval(() => child.kill('SIGINT'), 150);
  onTestFinished(() => clearInterval(again));
  expect(await exit).toEqual([1, null]);
  expect(await inFlight).toHaveProperty('failed');
});

test('an uncaught error ends the process, and the log contains no secret', async () => {
  // Node treats an error that is thrown as it does a promise that is rejected.
  const before = `process.on('SIGUSR2', () => { Promise.reject(new Error("s3cret")) })`;
  const { child, exit, output, errors } = await startProcess({}, { before });
  const { length } = output();
  child.kill('SIGUSR2');
  const [status] = await exit;
  expect(status).toBeGreaterThan(0);
  const logged = output().slice(length) + errors();
  expect(logged).toContain('uncaught fault');
  expect(logged).not.toMatch(/s3cret|\n\s+at |data:/);
});
