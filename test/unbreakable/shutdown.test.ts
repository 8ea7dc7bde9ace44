import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startDemoService } from '../../src/demo/service.ts';
import { BEARER } from '../support/gateway.ts';
import { startProcess } from './processes.ts';
import { debtors, eventually, timed, times } from './support.ts';

const GRACE = 8000;

async function startAll(env: Readonly<Record<string, string>> = {}) {
  const rest = await startDemoService();
  onTestFinished(() => rest.close());
  const gateway = await startProcess({ REST_URL: rest.url, SHUTDOWN_GRACE_MS: String(GRACE), ...env });
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  return { rest, ...gateway, ask: (number = 0) => ask(gateway.url, agent, number) };
}

type Outcome = { status: number; text: string } | { failed: string; reused: boolean };

function ask(url: string, agent: Agent, number: number): Promise<Outcome> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', ...BEARER };
    const outgoing = request(url, { method: 'POST', agent, headers }, (incoming) => {
      let text = '';
      const fail = () => resolve({ failed: 'half an answer', reused: false });
      incoming.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, text })).on('error', fail);
    });
    outgoing.on('error', (error) => {
      const failed = 'code' in error ? String(error.code) : error.name;
      resolve({ failed, reused: outgoing.reusedSocket });
    });
    outgoing.end(JSON.stringify({ query: debtors(number) }));
  });
}

const isRight = (outcome: Outcome) =>
  'status' in outcome && outcome.status === 200 && outcome.text.includes('"internalId":"300001"');

/** Who comes too late is told to come back, and will reach another. */
const isTold = (outcome: Outcome) =>
  'status' in outcome && outcome.status === 503 && outcome.text.includes('"code":"OVERLOADED"');

describe('the first signal', () => {
  test('lets operations finish, closes idle connections, and ends with status 0 soon after', async () => {
    const { rest, child, url, exit, ask } = await startAll();
    const idle = connect(Number(new URL(url).port), '127.0.0.1');
    idle.resume().write('GET /health HTTP/1.1\r\nHost: x\r\n\r\n');
    const idleClosed = new Promise((resolve) => idle.once('close', resolve));
    await new Promise((resolve) => idle.once('data', resolve));

    rest.misbehave({ kind: 'delay', milliseconds: 600, times: 5 });
    const inFlight = times(5, (index) => ask(index));
    await eventually(() => expect(rest.calls).toHaveLength(5));
    child.kill('SIGTERM');
    const { milliseconds } = await timed(async () => {
      await idleClosed;
      expect((await Promise.all(inFlight)).map(isRight)).toEqual(times(5, () => true));
      expect(await exit).toEqual([0, null]);
    });
    // Sooner than kept connections would time out.
    expect(milliseconds).toBeLessThan(4000);
  });

  test('makes it unready at once', async () => {
    const { rest, child, url, exit, ask } = await startAll();
    rest.misbehave({ kind: 'delay', milliseconds: 600 });
    const inFlight = ask();
    await eventually(() => expect(rest.calls).toHaveLength(1));
    child.kill('SIGTERM');
    await eventually(async () => {
      expect((await fetch(new URL('/ready', url))).status).toBe(503);
    });
    expect(isRight(await inFlight)).toBe(true);
    expect(await exit).toEqual([0, null]);
  });

  test('loses nothing under load', async () => {
    const { child, exit, ask } = await startAll();
    const outcomes: Outcome[] = [];
    const isOpen = (outcome: Outcome) => 'status' in outcome && outcome.status === 200;
    const caller = async (number: number) => {
      let outcome: Outcome;
      do {
        outcome = await ask(number);
        outcomes.push(outcome);
      } while (isOpen(outcome));
    };
    const callers = times(10, caller);
    await eventually(() => expect(outcomes.length).toBeGreaterThan(50));
    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
    await Promise.all(callers);
    // A kept connection may close while a request is on its way; every client sends that again elsewhere.
    const wrong = outcomes.filter(
      (outcome) =>
        !isRight(outcome) &&
        !isTold(outcome) &&
        !('failed' in outcome && (outcome.failed === 'ECONNREFUSED' || outcome.reused)),
    );
    expect(wrong).toEqual([]);
  });

  test('waits no longer than the grace period', async () => {
    const { rest, child, exit, ask } = await startAll({ SHUTDOWN_GRACE_MS: '300' });
    rest.misbehave({ kind: 'hang' });
    const inFlight = ask();
    await eventually(() => expect(rest.calls).toHaveLength(1));
    child.kill('SIGTERM');
    const { milliseconds } = await timed(() => exit);
    expect(await exit).toEqual([0, null]);
    expect(milliseconds).toBeLessThan(5000);
    expect(await inFlight).toHaveProperty('failed');
  });
});

test('the second signal ends it at once', async () => {
  const { rest, child, url, exit, ask } = await startAll();
  rest.misbehave({ kind: 'hang' });
  const inFlight = ask();
  await eventually(() => expect(rest.calls).toHaveLength(1));
  child.kill('SIGINT');
  await eventually(async () => expect((await fetch(new URL('/ready', url))).status).toBe(503));
  child.kill('SIGINT');
  const { milliseconds } = await timed(() => exit);
  expect(await exit).toEqual([1, null]);
  expect(milliseconds).toBeLessThan(GRACE / 2);
  expect(await inFlight).toHaveProperty('failed');
});

describe('a fault that nobody foresaw', () => {
  test.each([
    ['an error', 'throw new Error("s3cret")'],
    ['a text', 'throw "s3cret"'],
    ['null', 'throw null'],
    ['a rejected promise', 'Promise.reject(new Error("s3cret"))'],
  ])('ends the process, and shows neither stack nor secret: %s', async (_what, fault) => {
    const { child, exit, printed } = await startProcess({}, `process.on('SIGUSR2', () => { ${fault} })`);
    const before = printed().length;
    child.kill('SIGUSR2');
    const [status] = await exit;
    expect(status).toBeGreaterThan(0);
    const told = printed().slice(before);
    expect(told).toContain('uncaught fault');
    expect(told).not.toMatch(/s3cret|\n\s+at |data:|\.js:\d/);
  });
});
