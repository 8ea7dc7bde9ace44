import type { Redis } from 'ioredis';
import { jittered } from '../limits/jitter.ts';

/** `lost`: commands are not sent until a check in the background has succeeded. */
export type SharingState = 'connecting' | 'connected' | 'lost';

export interface SharingEvents {
  /** Called once per change. The reason is a word such as `timeout`, `ECONNREFUSED` or `OOM`, never a secret. */
  onStateChange?(state: SharingState, reason: string | undefined): void;
}

/** Commands sent, checks among them; of those, how many failed or had no reply in time; and commands not sent. */
export type SharingCounters = RedisLink['counters'];

/** More than a turn of the event loop takes, since a reply is not read before it has ended. */
const COMMAND_MS = 250;
const CHECK_MS = 1_000;
const RECHECK_MS = 100;
/** After so long a silence another connection is opened. */
const SILENCE_MS = 3_000;
const RECONNECT_MS = 500;

interface RedisLinkOptions {
  readonly url: string;
  /** Written by each check, since Redis may answer and yet be full or a replica. */
  readonly checkKey: string;
  readonly channel: string;
  readonly commandMs?: number | undefined;
  readonly onMessage: (message: string) => void;
  readonly onStateChange: (state: SharingState, reason?: string) => void;
}

/**
 * Commands to Redis. The first that fails makes it `lost`: commands then fail at once, until a check succeeds. So an
 * operation waits for a lost Redis once at most. ioredis, an optional dependency, connects again and resubscribes.
 */
export class RedisLink {
  state: SharingState = 'connecting';
  readonly counters = { commands: 0, failures: 0, timeouts: 0, skipped: 0 };
  readonly #options: RedisLinkOptions;
  #redis: Redis | undefined;
  #isSubscribed = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RedisLinkOptions) {
    this.#options = options;
    this.#open(options).catch(() => this.#change('lost', 'ioredis is not installed'));
  }

  async #open({ url, commandMs = COMMAND_MS, onMessage }: RedisLinkOptions): Promise<void> {
    const { Redis } = await import('ioredis');
    if (this.#isClosed) return;
    const redis = new Redis(url, {
      // One connection for commands and subscriptions, so that neither is lost without the other.
      protocol: 3,
      commandTimeout: commandMs,
      socketTimeout: Math.max(SILENCE_MS, commandMs),
      // A command is sent at once or not at all, and never twice: callers repeat what may be repeated.
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      // Each check finds out whether Redis is ready, and a user with limited rights may not ask.
      enableReadyCheck: false,
      retryStrategy: () => jittered(RECONNECT_MS, 0.5, 1.5),
      // After a failover, the same address may lead to the new primary.
      reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    });
    this.#redis = redis;
    let reason = 'connection closed';
    redis.on('error', (error: unknown) => {
      reason = reasonOf(error);
    });
    redis.on('ready', () => void this.#check(redis));
    redis.on('close', () => this.#change('lost', reason));
    redis.on('message', (_channel: string, message: string) => onMessage(message));
  }

  async command(name: string, ...args: (string | number)[]): Promise<unknown> {
    if (this.state === 'connected' && this.#redis) return this.#send(this.#redis.call(name, ...args));
    this.counters.skipped += 1;
    throw new Error('Redis is lost.');
  }

  /** Runs a Lua script on one key. It is sent whole each time, since it is short and seldom sent. */
  run(script: string, key: string, ...args: (string | number)[]): Promise<unknown> {
    return this.command('EVAL', script, 1, key, ...args);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#redis?.disconnect();
  }

  async #check(redis: Redis): Promise<void> {
    clearTimeout(this.#timer);
    const { channel, checkKey } = this.#options;
    try {
      if (!this.#isSubscribed) await this.#send(redis.subscribe(channel));
      this.#isSubscribed = true;
      await this.#send(redis.set(checkKey, '', 'PX', 10 * CHECK_MS));
      this.#change('connected');
    } catch {}
    if (redis.status !== 'ready' || this.#isClosed) return;
    const pause = this.state === 'connected' ? CHECK_MS : RECHECK_MS;
    this.#timer = setTimeout(() => void this.#check(redis), pause).unref();
  }

  async #send(reply: Promise<unknown>): Promise<unknown> {
    this.counters.commands += 1;
    try {
      return await reply;
    } catch (error) {
      const reason = reasonOf(error);
      this.counters.failures += 1;
      if (reason === 'timeout') this.counters.timeouts += 1;
      this.#change('lost', reason);
      throw error;
    }
  }

  #change(state: SharingState, reason?: string): void {
    if (this.state === state || this.#isClosed) return;
    this.state = state;
    this.#options.onStateChange(state, reason);
  }
}

/** The code of the error, or the first word of Redis's reply. Messages may quote commands, and with them passwords. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  if (error.name === 'ReplyError') return /^[A-Z]+/.exec(error.message)?.[0] ?? 'error reply';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return /timed out|timeout/i.test(error.message) ? 'timeout' : 'connection closed';
}
