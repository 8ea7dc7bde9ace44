import { LinkState, RedisTrouble, type SharingCounters, type SharingEvents } from './events.ts';
import { openRedis, type RedisClient } from './redis-client.ts';

const DEADLINE_MS = 50;
/** How often the connection is checked, so that it is seldom an operation that finds Redis lost. */
const CHECK_MS = 1_000;
const MIN_RECHECK_MS = 100;
/** After so many the connection is replaced: it may be dead, or lead to a server that is not the primary any more. */
const MAX_FAILED_CHECKS = 3;

interface RedisLinkOptions {
  readonly url: string;
  /** Written by each check, since Redis may answer and yet be full or a replica. */
  readonly checkKey: string;
  readonly events?: SharingEvents | undefined;
  readonly deadlineMs?: number | undefined;
  readonly open?: typeof openRedis;
}

/**
 * Commands to Redis, each with a deadline. The first that fails makes the link `lost`: commands then fail at once,
 * without being sent, until a check in the background succeeds. So an operation waits for a lost Redis once at most.
 */
export class RedisLink {
  readonly state: LinkState;
  readonly #checkKey: string;
  readonly #listeners = new Map<string, (message: string) => void>();
  readonly counters = { commands: 0, failures: 0, timeouts: 0, skipped: 0 } satisfies SharingCounters;
  #client: RedisClient | undefined;
  /** The one that is open; checks of an earlier one have no say. */
  #connection: { isSubscribed: boolean; failedChecks: number } | undefined;
  #recheckMs = MIN_RECHECK_MS;
  #timer: NodeJS.Timeout | undefined;

  constructor({ url, checkKey, events, deadlineMs = DEADLINE_MS, open = openRedis }: RedisLinkOptions) {
    this.#checkKey = checkKey;
    this.state = new LinkState(events);
    open(url, deadlineMs, {
      onReady: () => {
        this.#connection = { isSubscribed: false, failedChecks: 0 };
        void this.#check();
      },
      onClose: (reason) => {
        this.#connection = undefined;
        clearTimeout(this.#timer);
        this.#lose(reason);
      },
      onMessage: (channel, message) => this.#listeners.get(channel)?.(message),
    }).then(
      (client) => {
        this.#client = client;
        if (this.state.isClosed) client.close();
      },
      () => this.#lose('ioredis is not installed'),
    );
  }

  /** To be called before the first connection, so synchronously after construction. */
  subscribe(channel: string, listener: (message: string) => void): void {
    this.#listeners.set(channel, listener);
  }

  async command(name: string, ...args: (string | number)[]): Promise<unknown> {
    if (this.state.current !== 'connected' || this.#client === undefined) {
      this.counters.skipped += 1;
      throw new RedisTrouble('lost');
    }
    this.counters.commands += 1;
    try {
      return await this.#client.command(name, ...args);
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  /** Runs a Lua script on one key. It is sent whole each time, since it is short and seldom sent. */
  run(script: string, key: string, ...args: (string | number)[]): Promise<unknown> {
    return this.command('EVAL', script, 1, key, ...args);
  }

  close(): void {
    this.state.close();
    clearTimeout(this.#timer);
    this.#client?.close();
  }

  async #check(): Promise<void> {
    const client = this.#client;
    const connection = this.#connection;
    if (client === undefined || connection === undefined || this.state.isClosed) return;
    try {
      this.counters.commands += 1;
      if (!connection.isSubscribed) await client.subscribe([...this.#listeners.keys()]);
      await client.command('SET', this.#checkKey, '', 'PX', 10 * CHECK_MS);
      if (connection !== this.#connection) return;
      connection.isSubscribed = true;
      connection.failedChecks = 0;
      // Only after a while without trouble, lest a Redis that stalls now and then is taken for sound each time.
      if (this.state.current === 'connected') this.#recheckMs = MIN_RECHECK_MS;
      this.state.change('connected');
      this.#checkIn(CHECK_MS);
    } catch (error) {
      if (connection !== this.#connection) return;
      connection.failedChecks += 1;
      this.#fail(error);
      if (connection.failedChecks < MAX_FAILED_CHECKS) return;
      this.#connection = undefined;
      client.reconnect();
    }
  }

  #fail(error: unknown): void {
    const reason = error instanceof RedisTrouble ? error.message : 'unknown error';
    this.counters.failures += 1;
    if (reason === 'timeout') this.counters.timeouts += 1;
    this.#lose(reason);
  }

  #lose(reason: string): void {
    this.state.change('lost', reason);
    if (this.#connection === undefined || this.state.isClosed) return;
    this.#checkIn(this.#recheckMs);
    this.#recheckMs = Math.min(2 * this.#recheckMs, CHECK_MS);
  }

  #checkIn(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#check(), milliseconds).unref();
  }
}
