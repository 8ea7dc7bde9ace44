import { execFileSync } from 'node:child_process';
import cluster, { type Worker } from 'node:cluster';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listenFor } from '../../src/server/workers/dispatcher.ts';
import { Primary, type PrimaryOptions } from '../../src/server/workers/primary.ts';
import { eventually } from '../support/eventually.ts';
import { program, testWith } from '../support/requirements.ts';
import { times } from '../support/times.ts';

/** Longer than any test takes. */
const LONG_MS = 60_000;

/** A primary in this process, whose workers are processes that start in a moment: they can be killed and stopped. */
async function startPrimary(options: Partial<PrimaryOptions> = {}) {
  const exec = fileURLToPath(new URL('tiny-worker.mjs', import.meta.url));
  cluster.setupPrimary({ exec, args: [], execArgv: [] });
  const forked: Worker[] = [];
  const onFork = (worker: Worker) => void forked.push(worker);
  cluster.on('fork', onFork);
  const logged: { message: string; pid?: unknown; reason?: unknown }[] = [];
  const told: string[] = [];
  const failures: string[] = [];
  const primary = new Primary({
    workers: 2,
    log: (_level, message, details = {}) => void logged.push({ message, ...details }),
    forward: (lines) => void told.push(...lines.split('\n')),
    env: {},
    stopMs: LONG_MS,
    replaceSpreadMs: 1_234,
    metrics: () => [],
    onFailure: (reason) => void failures.push(reason),
    ...options,
  });
  onTestFinished(() => {
    primary.kill();
    cluster.off('fork', onFork);
  });
  const messages = () => logged.map(({ message }) => message);
  const ready = () => logged.flatMap(({ message, pid }) => (message === 'worker ready' ? Number(pid) : []));
  await primary.start();
  return { primary, forked, logged, told, failures, messages, ready };
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Which worker answers a connection of its own; 'closed' if none does. */
function askPort(port: number): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    connect(port, '127.0.0.1')
      .setEncoding('utf8')
      .on('data', (chunk) => {
        text += chunk;
      })
      .on('error', () => {})
      .on('close', () => resolve(text || 'closed'));
  });
}

test('workers that are killed are replaced, also if all of them are at once', async () => {
  const { logged, failures, ready } = await startPrimary();
  const [victim = 0] = ready();
  process.kill(victim, 'SIGKILL');
  await eventually(() =>
    expect(logged).toContainEqual({ message: 'worker ended', pid: victim, reason: 'SIGKILL' }),
  );
  await eventually(() => expect(ready()).toHaveLength(3));
  expect(failures).toEqual([]);
  for (const pid of ready().slice(1)) process.kill(pid, 'SIGKILL');
  await eventually(() => expect(ready()).toHaveLength(5));
  expect(failures).toEqual([]);
});

describe('a worker that is stuck', () => {
  test('gets no more connections, and lets none hang when it is killed', async () => {
    const { primary, ready } = await startPrimary();
    const listener = await listenFor(0, '127.0.0.1', (socket) => primary.handOut(socket));
    onTestFinished(() => listener.close());
    const [stuck = 0, other] = ready();
    process.kill(stuck, 'SIGSTOP');
    const answers: string[] = [];
    const asked = times(10, () => askPort(listener.port).then((answer) => answers.push(answer)));
    await eventually(() => expect(answers).toEqual(times(9, () => String(other))));
    process.kill(stuck, 'SIGKILL');
    await Promise.all(asked);
    expect(answers.slice(9)).toEqual(['closed']);
  });

  test('does not keep the others from stopping', async () => {
    const { primary, logged, ready } = await startPrimary({ stopMs: 50 });
    const [stuck = 0] = ready();
    process.kill(stuck, 'SIGSTOP');
    await primary.stop();
    expect(logged).toContainEqual({ message: 'worker does not stop, and is killed', pid: stuck });
    expect(ready().map(isAlive)).toEqual([false, false]);
  });
});

testWith(program('prlimit', 'util-linux'))(
  'a worker that could open no more files takes connections again, and stops',
  async () => {
    const { primary, messages, ready } = await startPrimary({ workers: 1 });
    const listener = await listenFor(0, '127.0.0.1', (socket) => primary.handOut(socket));
    onTestFinished(() => listener.close());
    const [worker = 0] = ready();
    const limit = (files: string) => execFileSync('prlimit', [`--pid=${worker}`, `--nofile=${files}:`]);
    limit('3');
    expect(await Promise.all(times(3, () => askPort(listener.port)))).toEqual(times(3, () => 'closed'));
    limit('100');
    expect(await askPort(listener.port)).toBe(String(worker));
    await primary.stop();
    expect(messages()).not.toContain('worker does not stop, and is killed');
  },
);

describe('workers are replaced', () => {
  test('one by one, and told over which time their streams may end', async () => {
    const { primary, messages, told, ready } = await startPrimary();
    await primary.replaceAll();
    const [first, second, third, fourth] = ready();
    expect(messages()).toEqual([
      'worker ready',
      'worker ready',
      'replacing workers',
      'worker ready',
      'worker ready',
      'workers replaced',
    ]);
    await eventually(() =>
      expect(told.toSorted()).toEqual([`${first} stop 1234`, `${second} stop 1234`].toSorted()),
    );
    expect([first, second, third, fourth].map((pid = 0) => isAlive(pid))).toEqual([false, false, true, true]);
  });

  test('not at all if a new one does not start', async () => {
    const env: Record<string, string> = {};
    const { primary, forked, messages, ready } = await startPrimary({ env });
    env.NEVER_READY = '1';
    const replacing = primary.replaceAll();
    await eventually(() => expect(forked).toHaveLength(3));
    forked[2]?.process.kill('SIGKILL');
    await replacing;
    expect(messages()).toContain('the replacement does not start, so the other workers stay');
    expect(ready().map(isAlive)).toEqual([true, true]);
    expect(forked).toHaveLength(3);
  });

  test('until all have to stop: what is in flight on an old one finishes', async () => {
    const { primary, forked, messages, told } = await startPrimary({ env: { BUSY: '1' } });
    const replacing = primary.replaceAll();
    await eventually(() => expect(told).toHaveLength(1));
    const [old, other, successor] = forked;
    expect(told).toEqual([`${old?.process.pid} stop 1234`]);
    let isStopped = false;
    const stopped = primary.stop().then(() => {
      isStopped = true;
    });
    await eventually(() => expect(told).toHaveLength(3));
    expect(told.slice(1).toSorted()).toEqual(
      [other, successor].map((worker) => `${worker?.process.pid} stop 0`).toSorted(),
    );
    for (const worker of [other, successor]) worker?.send({ type: 'done' });
    await eventually(() => expect(Object.keys(cluster.workers ?? {})).toEqual([String(old?.id)]));
    expect(isStopped).toBe(false);
    old?.send({ type: 'done' });
    await Promise.all([stopped, replacing]);
    expect(messages()).not.toContain('worker does not stop, and is killed');
    expect(messages()).not.toContain('workers replaced');
  });

  test('until all have to stop: one that is starting then is killed', async () => {
    const env: Record<string, string> = {};
    const { primary, forked } = await startPrimary({ env });
    env.NEVER_READY = '1';
    const replacing = primary.replaceAll();
    await eventually(() => expect(forked).toHaveLength(3));
    await Promise.all([primary.stop(), replacing]);
    expect(forked.map(({ process: { signalCode } }) => signalCode)).toEqual([null, null, 'SIGKILL']);
  });

  test('never while all leave the rotation; one that ends then is, and leaves it too', async () => {
    const { primary, forked, messages, told, ready } = await startPrimary();
    const [first = 0, second = 0] = ready();
    primary.leaveRotation(500);
    await eventually(() =>
      expect(told.toSorted()).toEqual([first, second].map((pid) => `${pid} leaveRotation 500`).toSorted()),
    );
    await primary.replaceAll();
    expect(messages()).not.toContain('replacing workers');
    expect(forked).toHaveLength(2);
    process.kill(first, 'SIGKILL');
    await eventually(() => expect(told).toContain(`${ready()[2]} leaveRotation 0`));
  });
});

describe('a write is answered', () => {
  test('when all other workers have dropped what they had', async () => {
    const { forked, told } = await startPrimary({ workers: 3 });
    const [writer, ...others] = forked.map(({ process: { pid } }) => pid);
    forked[0]?.send({ type: 'write' });
    await eventually(() => expect(told).toContain(`${writer} written`));
    await eventually(() =>
      expect(told.toSorted()).toEqual(
        [`${writer} written`, ...others.map((pid) => `${pid} drop credential`)].toSorted(),
      ),
    );
  });

  test('though one of them is stuck, or ends', async () => {
    const { forked, told } = await startPrimary();
    const [writer, stuck] = forked.map(({ process: { pid = 0 } }) => pid);
    process.kill(stuck ?? 0, 'SIGSTOP');
    forked[0]?.send({ type: 'write' });
    await eventually(() => expect(told).toEqual([`${writer} written`]));
    forked[0]?.send({ type: 'write' });
    process.kill(stuck ?? 0, 'SIGKILL');
    await eventually(() => expect(told).toEqual([`${writer} written`, `${writer} written`]));
  });

  test('though one is stuck for long: little is kept for it, and then it drops everything', async () => {
    const { primary, forked, told } = await startPrimary();
    const [writer, stuck = 0] = forked.map(({ process: { pid } }) => pid);
    process.kill(stuck, 'SIGSTOP');
    for (const _ of times(1_500, () => 0)) forked[0]?.send({ type: 'write' });
    await eventually(() => expect(told.filter((line) => line === `${writer} written`)).toHaveLength(1_500));
    await primary.collect();
    process.kill(stuck, 'SIGCONT');
    await eventually(() => expect(told).toContain(`${stuck} dropAll`));
    expect(told.filter((line) => line.startsWith(String(stuck)))).toEqual([
      ...times(1_000, () => `${stuck} drop credential`),
      `${stuck} dropAll`,
    ]);
  });

  test('though one is starting: it has nothing to drop', async () => {
    const env: Record<string, string> = {};
    const { primary, forked, told } = await startPrimary({ env, workers: 1 });
    env.NEVER_READY = '1';
    void primary.replaceAll();
    await eventually(() => expect(told).toEqual([`${forked[1]?.process.pid} starting`]));
    const [writer, starting] = forked;
    writer?.send({ type: 'write' });
    await eventually(() => expect(told).toContain(`${writer?.process.pid} written`));
    // What it was told before comes first.
    starting?.send({ call: 1, name: 'metrics', args: [] });
    const { pid } = starting?.process ?? {};
    await eventually(() => expect(told).toContain(`${pid} metrics`));
    expect(told).not.toContain(`${pid} drop credential`);
  });
});
