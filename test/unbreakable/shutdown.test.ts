import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startDemoService } from '../../src/demo/service.ts';
import { BEARER } from '../support/gateway.ts';
import { startProcess } from './processes.ts';
import { debtors, eventually, postOf, timed, times } from './support.ts';

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

/** Until new connections are refused. */
function refused(url: string): Promise<void> {
  return eventually(async () => {
    const health = fetch(new URL('/health', url));
    await expect(health).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  });
}

/** A connection on which one request has been answered. */
async function keptConnection(url: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8');
  onTestFinished(() => void socket.destroy());
  socket.write('GET /health HTTP/1.1\r\nHost: x\r\n\r\n');
  await new Promise((resolve) => socket.once('data', resolve));
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  return { socket, rest: () => closed.then(() => text) };
}

describe('the first signal', () => {
  test('lets operations finish, closes idle connections, and ends with status 0 soon after', async () => {
    const { rest, child, url, exit, ask } = await startAll();
    const idle = await keptConnection(url);
    rest.misbehave({ kind: 'delay', milliseconds: 600, times: 5 });
    const inFlight = times(5, (index) => ask(index));
    await eventually(() => expect(rest.calls).toHaveLength(5));
    child.kill('SIGTERM');
    const { milliseconds } = await timed(async () => {
      await idle.rest();
      expect((await Promise.all(inFlight)).map(isRight)).toEqual(times(5, () => true));
      expect(await exit).toEqual([0, null]);
    });
    // Sooner than kept connections would time out.
    expect(milliseconds).toBeLessThan(4000);
  });

  test('refuses connections, and answers a kept one a last time: it is not ready', async () => {
    const { rest, child, url, exit, ask } = await startAll();
    const kept = await keptConnection(url);
    rest.misbehave({ kind: 'delay', milliseconds: 600 });
    const inFlight = ask();
    await eventually(() => expect(rest.calls).toHaveLength(1));
    child.kill('SIGTERM');
    // Asked without a pause, so that the connection is never idle for long.
    const asking = setInterval(() => kept.socket.write('GET /ready HTTP/1.1\r\nHost: x\r\n\r\n'), 20);
    const answers = await kept.rest();
    clearInterval(asking);
    expect(answers).toMatch(/HTTP\/1\.1 503 .*\r\nConnection: close\r\n.*stopping/s);
    await refused(url);
    expect(isRight(await inFlight)).toBe(true);
    expect(await exit).toEqual([0, null]);
  });

  test.each([0, 60])('loses nothing of kept connections, with answers that take %i ms', async (latency) => {
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
  });

  test('accepts the connections that the system has established already', async () => {
    const { child, exit, url } = await startAll();
    child.kill('SIGSTOP');
    const sockets = times(20, () => connect(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8'));
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

  test('closes a connection whose long answer was under way, once that has been read', async () => {
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
  await refused(url);
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
