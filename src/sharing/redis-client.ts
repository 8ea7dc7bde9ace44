import type { Duplex } from 'node:stream';
import { RedisTrouble } from './events.ts';
import { ReplyGuard } from './reply-guard.ts';

export type RedisClient = Awaited<ReturnType<typeof openRedis>>;

export interface RedisClientEvents {
  /** A connection is established and authenticated; it has no subscriptions yet. */
  onReady(): void;
  onClose(reason: string): void;
  onMessage(channel: string, message: string): void;
}

/** For the commands of the handshake. */
const HANDSHAKE_MS = 2_000;
const MAX_RECONNECT_MS = 2_000;

/** Connects in the background, and again whenever the connection is lost. ioredis is an optional dependency. */
export async function openRedis(url: string, deadlineMs: number, events: RedisClientEvents) {
  const { Command, Redis } = await import('ioredis');
  const redis = new Redis(url, {
    lazyConnect: true,
    // One connection for commands and subscriptions, so that neither is lost without the other.
    protocol: 3,
    connectTimeout: HANDSHAKE_MS,
    commandTimeout: HANDSHAKE_MS,
    // A command is sent at once or not at all, and never twice: callers repeat what may be repeated.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // Subscriptions and the check for a server that is still loading are the caller's.
    autoResubscribe: false,
    enableReadyCheck: false,
    retryStrategy: (attempts) => Math.min(50 * 2 ** attempts, MAX_RECONNECT_MS) * (0.5 + Math.random() / 2),
  });
  // Before anything has been read.
  redis.on('connect', () => guardReplies(redis.stream));
  let lastError = 'connection closed';
  redis.on('error', (error: unknown) => {
    lastError = reasonOf(error);
  });
  redis.on('ready', () => {
    lastError = 'connection closed';
    events.onReady();
  });
  redis.on('close', () => events.onClose(lastError));
  redis.on('message', (channel: string, message: string) => events.onMessage(channel, message));
  // The error is the one that `close` reports.
  redis.connect().catch(() => {});

  return {
    /** Rejects with RedisTrouble, after the deadline at the latest. */
    command: (name: string, ...args: (string | number)[]) =>
      withDeadline(redis.call(name, ...args), deadlineMs),
    async subscribe(channels: readonly string[]): Promise<unknown> {
      const command = new Command('subscribe', [...channels]);
      redis.sendCommand(command);
      // By this name ioredis would take any reply for a list of channels, and throw where none can catch it.
      command.name = 'sent';
      const count = await withDeadline(command.promise, deadlineMs);
      if (count !== channels.length) throw new RedisTrouble('unexpected reply');
      return count;
    },
    /** Replaces the connection, which may be broken without the operating system's knowing. */
    reconnect: () => redis.disconnect(true),
    close: () => redis.disconnect(),
  };
}

/** Stands before what ioredis does with the bytes that arrive. */
function guardReplies(stream: Duplex): void {
  const guard = new ReplyGuard();
  const readers = stream.listeners('data');
  stream.removeAllListeners('data');
  stream.on('data', (chunk: Buffer) => {
    if (!guard.accepts(chunk)) stream.destroy(new RedisTrouble('unexpected reply'));
    else for (const read of readers) read.call(stream, chunk);
  });
}

/** Replies that arrived during a long turn of the event loop are read before the deadline counts. */
function withDeadline(reply: Promise<unknown>, deadlineMs: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const expire = () => reject(new RedisTrouble('timeout'));
    const timer = setTimeout(() => setImmediate(() => setImmediate(expire)), deadlineMs);
    reply
      .finally(() => clearTimeout(timer))
      .then(resolve, (error) => reject(new RedisTrouble(reasonOf(error))));
  });
}

/** The code of the error, or the first word of Redis's reply. Messages may quote commands, and with them passwords. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  if (error instanceof RedisTrouble) return error.message;
  if (error.name === 'ReplyError') return /^[A-Z]+/.exec(error.message)?.[0] ?? 'error reply';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.message === 'Command timed out' ? 'timeout' : 'connection closed';
}
