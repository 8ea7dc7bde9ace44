import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RedisTrouble } from '../../src/sharing/events.ts';
import type { RedisClientEvents } from '../../src/sharing/redis-client.ts';
import { RedisLink } from '../../src/sharing/redis-link.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** A link over a server that does what the test says. */
async function createLink() {
  const server = { fails: undefined as RedisTrouble | undefined, reconnects: 0, sent: [] as string[] };
  const reply = async () => {
    if (server.fails) throw server.fails;
    return 'OK';
  };
  const states: string[] = [];
  let events: RedisClientEvents | undefined;
  const link = new RedisLink({
    url: 'redis://unused',
    checkKey: 'check',
    events: { onStateChange: (state, reason) => states.push(`${state} ${reason}`) },
    async open(_url, _deadlineMs, clientEvents) {
      events = clientEvents;
      return {
        command(name) {
          server.sent.push(name);
          return reply();
        },
        subscribe: reply,
        reconnect() {
          server.reconnects += 1;
        },
        close() {},
      };
    },
  });
  link.subscribe('channel', () => {});
  await vi.advanceTimersByTimeAsync(0);
  events?.onReady();
  await vi.advanceTimersByTimeAsync(0);
  return {
    link,
    server,
    states,
    close: (reason: string) => events?.onClose(reason),
    open: () => events?.onReady(),
  };
}

const SILENT = new RedisTrouble('timeout');

test('a command that fails is the last that is sent, until a check succeeds; each change is told once', async () => {
  const { link, server, states } = await createLink();
  server.fails = SILENT;
  await expect(link.command('GET')).rejects.toThrow(SILENT);
  await expect(link.command('GET')).rejects.toThrow('lost');
  expect(server.sent).toEqual(['SET', 'GET']);
  await vi.advanceTimersByTimeAsync(100);
  server.fails = undefined;
  await vi.advanceTimersByTimeAsync(200);
  await expect(link.command('GET')).resolves.toBe('OK');
  expect(states).toEqual(['connected undefined', 'lost timeout', 'connected undefined']);
  expect(link.counters).toMatchObject({ failures: 2, timeouts: 2, skipped: 1 });
});

test('a connection that stays silent is replaced', async () => {
  const { server, states } = await createLink();
  server.fails = SILENT;
  await vi.advanceTimersByTimeAsync(3_000);
  expect(server.reconnects).toBe(1);
  expect(states).toEqual(['connected undefined', 'lost timeout']);
});

test('a loss is waited for while it may be a hiccup, and not afterwards', async () => {
  const { link, close, open } = await createLink();
  await expect(link.state.recovered(1_000)).resolves.toBe(true);
  close('ECONNRESET');
  const soon = link.state.recovered(1_000);
  open();
  await expect(soon).resolves.toBe(true);
  close('ECONNRESET');
  const late = link.state.recovered(1_000);
  await vi.advanceTimersByTimeAsync(500);
  await expect(late).resolves.toBe(false);
  await expect(link.state.recovered(1_000)).resolves.toBe(false);
});

test('without ioredis nothing is sent', async () => {
  const states: string[] = [];
  const link = new RedisLink({
    url: 'redis://unused',
    checkKey: 'check',
    events: { onStateChange: (state, reason) => states.push(`${state}: ${reason}`) },
    open: () => Promise.reject(new Error('not found')),
  });
  await vi.advanceTimersByTimeAsync(0);
  expect(states).toEqual(['lost: ioredis is not installed']);
  await expect(link.command('GET')).rejects.toThrow('lost');
});
