import type { Redis } from 'ioredis';
import { jittered } from '../jitter.ts';

/** `lost`: commands are not sent until a check in the background has succeeded. */
export type SharingState = 'connecting' | 'connected' | 'lost';

/** Longer than a turn of the event loop, during which no reply is read. */
const COMMAND_MS = 250;
const CHECK_MS = 1_000;
const SILENCE_MS = 3_000;

interface RedisOptions {
  readonly url: string;
  /** Each check writes it, since Redis may reply although it is full or a replica. */
  readonly checkKey: string;
  readonly channel: string;
  readonly commandMs?: number | undefined;
  readonly onMessage: (message: string) => void;
  /** Called once per change. The reason is a word such as `timeout`, `ECONNREFUSED` or `OOM`, never a secret. */
  readonly onStateChange: (state: SharingState, reason?: string) => void;
}

/** After a failure, commands fail at once until a check succeeds, so an operation waits for a lost Redis once. */
export function openRedis({ url, checkKey, channel, commandMs = COMMAND_MS, ...on }: RedisOptions) {
  /** `sent` includes checks, and commands that failed or timed out. */
  const counters = { sent: 0, failed: 0, timed_out: 0, skipped: 0 };
  let state: SharingState = 'connecting';
  let redis: Redis | undefined;
  let isClosed = false;

  function change(to: SharingState, reason?: string): void {
    if (state === to || isClosed) return;
    state = to;
    on.onStateChange(to, reason);
  }

  async function send(reply: Promise<unknown>): Promise<unknown> {
    counters.sent += 1;
    try {
      return await reply;
    } catch (error) {
      const reason = getReason(error);
      counters.failed += 1;
      if (reason === 'timeout') counters.timed_out += 1;
      change('lost', reason);
      throw error;
    }
  }

  async function check(): Promise<void> {
    if (redis?.status !== 'ready') return;
    const { db } = redis.options;
    // If Redis rejects the database, ioredis uses the first one and reports no error.
    const selected = db ? redis.select(db) : undefined;
    await send(
      Promise.all([selected, redis.subscribe(channel), redis.set(checkKey, '', 'PX', 10 * CHECK_MS)]),
    );
    change('connected');
  }

  async function open(): Promise<void> {
    const { Redis } = await import('ioredis');
    if (isClosed) return;
    let reason = 'connection closed';
    redis = new Redis(url, {
      // One connection for commands and subscriptions, so that neither is lost without the other.
      protocol: 3,
      commandTimeout: commandMs,
      socketTimeout: Math.max(SILENCE_MS, commandMs),
      // A command is sent at once or not at all, and never twice: callers retry what is safe to retry.
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      // Each check shows whether Redis is ready, and a user with limited rights may not ask.
      enableReadyCheck: false,
      retryStrategy: () => jittered(500, 0.5, 1.5),
      // After a failover, the same address may lead to the new primary.
      reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    })
      .on('error', (error: unknown) => {
        reason = getReason(error);
      })
      .on('ready', () => {
        reason = 'connection closed';
        check().catch(() => {});
      })
      .on('close', () => change('lost', reason))
      .on('message', (_channel: string, message: string) => on.onMessage(message));
  }

  open().catch(() => change('lost', 'ioredis is not installed'));
  const checks = setInterval(() => check().catch(() => {}), CHECK_MS).unref();
  return {
    stats: () => ({ state, counters }),
    async command(name: string, ...args: (string | number)[]): Promise<unknown> {
      if (state === 'connected' && redis) return send(redis.call(name, ...args));
      counters.skipped += 1;
      throw new Error('Redis is lost.');
    },
    close(): void {
      isClosed = true;
      clearInterval(checks);
      redis?.disconnect();
    },
  };
}

export function getRedisAddress(url: string): string {
  const { hostname, port } = new URL(url);
  return `${hostname}:${port || 6379}`;
}

/** Returns the error's code or the first word of Redis's reply. Messages may quote commands, with passwords. */
function getReason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  if (error.name === 'ReplyError') return /^[A-Z]+/.exec(error.message)?.[0] ?? 'error reply';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return /timed out|timeout/i.test(error.message) ? 'timeout' : 'connection closed';
}
