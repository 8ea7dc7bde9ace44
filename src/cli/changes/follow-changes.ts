import { setTimeout } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { isBrokenPipe } from '../context.ts';
import { CommandFailure } from '../failure.ts';
import { broken, NOBODY_THERE, waitAfter } from '../gateway-request.ts';
import type { TokenSource } from '../token.ts';
import type { OutageNotes } from './outage-notes.ts';
import {
  type ChangeLine,
  type ChangesRequest,
  readChangeStream,
  type StreamPosition,
} from './read-changes.ts';

/** A gateway that asks for more is asked again after this. */
const MAX_WAIT_MS = 300_000;
/** A stream that lasted this long was a success, even if nothing changed meanwhile. */
const HEALTHY_MS = 30_000;
/** Told again is at most what changed within the gateway's lookback, a minute by default; more need not be known. */
const MAX_RECORDS = 50_000;
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
  const { tokens, notes, write, onCursor, firstWaitMs } = options;
  const told = new LRUCache<string, string>({ max: MAX_RECORDS });
  let position = options.start;
  let failures = 0;
  while (!signal.aborted) {
    const startedAt = performance.now();
    // A stream that only tells again what was told has not come further.
    let hasNews = false;
    try {
      for await (const item of readChangeStream(request, tokens.token, position)) {
        if (signal.aborted) return;
        const { isStart, line, untold, notice, cursor } = item;
        if (isStart) notes.connected();
        if (untold) notes.untold(untold);
        if (notice) notes.unreadable(notice);
        if (line) notes.readable();
        if (line && isNew(told, line)) {
          hasNews = true;
          await write(line);
        }
        if (!cursor) continue;
        const isFirst = position.after === undefined;
        position = { after: cursor };
        const noted = onCursor(cursor);
        // A process that is killed goes on from an earlier one, but not from none.
        if (isFirst) await noted;
      }
      throw broken('The gateway ended the stream.', 'SERVER_STOPPING');
    } catch (error) {
      // Also of a command that is being stopped: its reader may have gone with what it had not read.
      if (isBrokenPipe(error)) throw error;
      if (signal.aborted) return;
      if (!(error instanceof CommandFailure)) throw error;
      if (failures === 0 && error.code === NOBODY_THERE) throw error;
      const isHealthy = hasNews || performance.now() - startedAt > HEALTHY_MS;
      failures = isHealthy ? 1 : failures + 1;
      const onWait = (file: string) =>
        notes.note(`The token is refused: waits up to a minute for another one in ${file}.`);
      if (error.code === 'UNAUTHENTICATED' && (await tokens.renew(signal, onWait))) continue;
      if (signal.aborted) return;
      if (!error.isTransient) throw error;
      const isReady = failures === 1 && AT_ONCE.some((code) => code === error.code);
      const waitMs = Math.max(isReady ? 0 : waitAfter(failures, firstWaitMs), error.retryAfterMs);
      notes.disconnected(error);
      await setTimeout(Math.min(waitMs, MAX_WAIT_MS), undefined, { signal }).catch(() => {});
    }
  }
}

/**
 * A stream that goes on after a cursor begins with what changed shortly before it. An event is known only if it is the
 * last of its record: one that changed and changed back has the same event as before.
 */
function isNew(told: LRUCache<string, string>, { eventId, kind, record }: ChangeLine): boolean {
  const key = `${kind} ${String(record.id)}`;
  const isKnown = told.get(key) === eventId;
  told.set(key, eventId);
  return !isKnown;
}
