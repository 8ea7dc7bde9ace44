import { setTimeout } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Environment } from '../../config/index.ts';
import { isBrokenPipe } from '../context.ts';
import { CommandFailure } from '../failure.ts';
import { waitAfter } from '../gateway-request.ts';
import type { Terminal } from '../terminal.ts';
import { readToken } from '../token.ts';
import type { OutageNotes } from './outage-notes.ts';
import {
  type ChangeLine,
  type ChangesRequest,
  readChangeStream,
  type StreamItem,
  type StreamPosition,
} from './read-changes.ts';

/** A gateway that asks for more is asked again after this. */
const MAX_WAIT_MS = 300_000;
/** A stream that lasted this long was a success, even if nothing changed meanwhile. */
const HEALTHY_MS = 30_000;
/** Ends after which another gateway, or the same one, is ready at once. */
const AT_ONCE = ['SERVER_STOPPING', 'SLOW_CONSUMER'];

interface FollowOptions {
  readonly tokens: TokenSource;
  readonly start: StreamPosition;
  /** Settled when the line is written. */
  readonly write: (line: ChangeLine) => Promise<unknown>;
  /** All up to this cursor is written. Settled when that is noted. */
  readonly onCursor: (cursor: string) => Promise<void> | undefined;
  readonly notes: OutageNotes;
  readonly firstWaitMs?: number;
}

/** Writes all changes, over as many streams as it takes, until it is aborted; throws what no further stream can mend. */
export async function followChanges(request: ChangesRequest, options: FollowOptions): Promise<void> {
  const { signal } = request;
  const { tokens, notes, firstWaitMs } = options;
  const reader = new ChangeReader(options);
  let failures = 0;
  while (!signal.aborted) {
    const startedAt = performance.now();
    const { changes } = reader;
    try {
      for await (const item of readChangeStream(request, tokens.token, reader.position)) {
        if (signal.aborted) return;
        await reader.take(item);
      }
      throw new CommandFailure('The gateway ended the stream.', {
        code: 'SERVER_STOPPING',
        isTransient: true,
      });
    } catch (error) {
      // Also of a command that is being stopped: its reader may have gone with what it had not read.
      if (isBrokenPipe(error)) throw error;
      if (signal.aborted) return;
      if (!(error instanceof CommandFailure)) throw error;
      const isHealthy = reader.changes > changes || performance.now() - startedAt > HEALTHY_MS;
      failures = isHealthy ? 1 : failures + 1;
      if (
        error.code === 'UNAUTHENTICATED' &&
        (await tokens.renew(signal, (file) => notes.waitsForToken(file)))
      )
        continue;
      if (signal.aborted) return;
      if (!error.isTransient) throw error;
      const isReady = failures === 1 && AT_ONCE.some((code) => code === error.code);
      const waitMs = Math.max(isReady ? 0 : waitAfter(failures, firstWaitMs), error.retryAfterMs);
      notes.disconnected(error);
      await setTimeout(Math.min(waitMs, MAX_WAIT_MS), undefined, { signal }).catch(() => {});
    }
  }
}

/** Takes in what streams tell, one behind the other, and knows where the next one starts. */
class ChangeReader {
  readonly #options: FollowOptions;
  readonly #told = new ToldEvents();
  position: StreamPosition;
  /** Told so far, without those that were told again: a stream that brings nothing else has not come further. */
  changes = 0;

  constructor(options: FollowOptions) {
    this.#options = options;
    this.position = options.start;
  }

  async take(item: StreamItem): Promise<void> {
    const { notes, write } = this.#options;
    switch (item.type) {
      case 'connected':
        notes.connected();
        break;
      case 'change':
        notes.readable();
        if (this.#told.isNew(item.line)) {
          this.changes += 1;
          await write(item.line);
        }
        break;
      case 'untold':
        notes.untold(item.failure);
        break;
      case 'notice':
        notes.unreadable(item.failure);
        break;
    }
    if (item.cursor) await this.#goTo(item.cursor);
  }

  /** Only the first one is waited for: a process that is killed goes on from an earlier one, but not from none. */
  #goTo(cursor: string): Promise<void> | undefined {
    const isFirst = this.position.after === undefined;
    this.position = { after: cursor };
    const noted = this.#options.onCursor(cursor);
    return isFirst ? noted : undefined;
  }
}

/** Told again is at most what changed within the gateway's lookback, a minute by default; more need not be known. */
const MAX_RECORDS = 50_000;

/**
 * Knows what was told, since a stream that goes on after a cursor begins with what changed shortly before it. An event is
 * known only if it is the last of its record: one that changed and changed back has the same event as before.
 */
class ToldEvents {
  readonly #last = new LRUCache<string, string>({ max: MAX_RECORDS });

  isNew({ eventId, kind, record }: ChangeLine): boolean {
    const key = `${kind} ${String(record.id)}`;
    const isNew = this.#last.get(key) !== eventId;
    this.#last.set(key, eventId);
    return isNew;
  }
}

/** How long another token may take to come into its file, and how often it is looked at. */
const MAX_TOKEN_WAIT_MS = 60_000;
const INTERVAL_MS = 1_000;

/** Where the token comes from, and perhaps another one when it is refused. */
export class TokenSource {
  readonly #env: Environment;
  readonly #host: string;
  readonly #terminal: Terminal | undefined;
  token: string;

  private constructor(env: Environment, host: string, terminal: Terminal | undefined, token: string) {
    this.#env = env;
    this.#host = host;
    this.#terminal = terminal;
    this.token = token;
  }

  static async open(env: Environment, host: string, terminal: Terminal | undefined): Promise<TokenSource> {
    return new TokenSource(env, host, terminal, await readToken(env, host, terminal));
  }

  /** Whether there is another one now: typed anew, or found in the file, which is waited for. */
  async renew(signal: AbortSignal, onWait: (path: string) => void): Promise<boolean> {
    if (this.#env.RECEIVABLES_TOKEN) return false;
    const { RECEIVABLES_TOKEN_FILE: file } = this.#env;
    const giveUpAt = performance.now() + MAX_TOKEN_WAIT_MS;
    for (let isFirst = true; ; isFirst = false) {
      const token = await this.#read();
      if (token !== undefined && (token !== this.token || !file)) {
        this.token = token;
        return true;
      }
      if (isFirst && file) onWait(file);
      if (signal.aborted || performance.now() > giveUpAt) return false;
      await setTimeout(INTERVAL_MS, undefined, { signal }).catch(() => {});
    }
  }

  /** Undefined while a file is not there, or only half written. */
  async #read(): Promise<string | undefined> {
    try {
      return await readToken(this.#env, this.#host, this.#terminal);
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      return undefined;
    }
  }
}
