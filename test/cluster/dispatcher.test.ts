import { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { forwardLines } from '../../src/server/workers/child-process.ts';
import { Dispatcher } from '../../src/server/workers/dispatcher.ts';

function start() {
  const sent: [worker: object, socket: Socket][] = [];
  const sending = new Map<object, () => void>();
  const dispatcher = new Dispatcher<object>((worker, socket) => {
    sent.push([worker, socket]);
    return new Promise<void>((resolve) => void sending.set(worker, resolve));
  });
  /** The worker has taken the connection that was sent to it, or has ended. */
  const settle = async (worker: object) => {
    sending.get(worker)?.();
    await new Promise(setImmediate);
  };
  return { dispatcher, sent, settle };
}

describe('connections', () => {
  const [a, b] = [{ name: 'a' }, { name: 'b' }];
  const sockets = () => [new Socket(), new Socket(), new Socket(), new Socket()] as const;

  test('wait for a worker, and go to those that are free in turn', async () => {
    const [first, second, third, fourth] = sockets();
    const { dispatcher, sent, settle } = start();
    dispatcher.add(first);
    expect(sent).toEqual([]);
    dispatcher.join(a);
    dispatcher.join(b);
    for (const socket of [second, third, fourth]) dispatcher.add(socket);
    expect(sent).toEqual([
      [a, first],
      [b, second],
    ]);
    await settle(b);
    await settle(a);
    expect(sent.slice(2)).toEqual([
      [b, third],
      [a, fourth],
    ]);
  });

  test('go to others while one is stuck, or has ended', async () => {
    const [first, second, third, fourth] = sockets();
    const { dispatcher, sent, settle } = start();
    dispatcher.join(a);
    dispatcher.join(b);
    for (const socket of [first, second, third]) dispatcher.add(socket);
    await settle(b);
    await settle(b);
    void dispatcher.leave(a);
    await settle(a);
    dispatcher.add(fourth);
    expect(sent.map(([worker]) => worker)).toEqual([a, b, b, b]);
  });

  test('are closed where a worker ends that has not taken them, and left to it where it has', async () => {
    const { dispatcher, settle } = start();
    const [taken, lost, other] = [new Socket(), new Socket(), new Socket()];
    dispatcher.join(a);
    dispatcher.add(taken);
    expect(taken.destroyed).toBe(false);
    await settle(a);
    dispatcher.add(lost);
    dispatcher.add(other);
    void dispatcher.leave(a);
    await settle(a);
    expect([lost.destroyed, other.destroyed]).toEqual([true, false]);
  });

  test('are taken before the worker that leaves is told to stop, and it gets no more', async () => {
    const [first, second] = sockets();
    const { dispatcher, sent, settle } = start();
    let left = '';
    dispatcher.join(a);
    dispatcher.add(first);
    void dispatcher.leave(a).then(() => {
      left += 'a';
    });
    await new Promise(setImmediate);
    expect(left).toBe('');
    await settle(a);
    expect(left).toBe('a');
    dispatcher.add(second);
    expect(sent).toEqual([[a, first]]);
    dispatcher.join(b);
    await settle(b);
    await dispatcher.leave(b);
  });

  test('are all handed out before all workers stop, and closed if nobody takes them', async () => {
    const [first, second] = sockets();
    const { dispatcher } = start();
    await dispatcher.empty(60_000);
    dispatcher.add(first);
    const emptied = dispatcher.empty(60_000);
    dispatcher.join(a);
    await emptied;
    dispatcher.add(second);
    await dispatcher.empty(1);
    expect(second.destroyed).toBe(true);
  });
});

test('lines of a worker are passed on whole, however they arrive', async () => {
  const stream = new PassThrough();
  const forwarded: [string, number][] = [];
  forwardLines(stream, (lines, count) => void forwarded.push([lines, count]));
  const parts = ['on', 'e\ntwo\nth', 'ree\n', 'é'.slice(0, 1), 'nd'];
  for (const part of parts) {
    stream.write(part);
    await new Promise(setImmediate);
  }
  stream.end();
  await new Promise((resolve) => stream.once('end', resolve));
  expect(forwarded).toEqual([
    ['one\ntwo', 2],
    ['three', 1],
    ['énd', 1],
  ]);
});
