import { setTimeout } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { EventStreamParser } from '../../http/server-sent-events.ts';
import { isObject, parseJson } from '../../rest/json.ts';
import { isBrokenPipe } from '../context.ts';
import { CommandFailure, failureOf, firstErrorIn } from '../failure.ts';
import {
  broken,
  connectionFailure,
  type GatewayTarget,
  NOBODY_THERE,
  sendOperation,
  waitAfter,
} from '../gateway-request.ts';
import type { TokenSource } from '../token.ts';
import type { OutageNotes } from './outage-notes.ts';
import { OPERATION_NAME } from './query.ts';

/** A gateway that asks for more is asked again after this. */
const MAX_WAIT_MS = 300_000;
/** A stream that lasted this long was a success, even if nothing changed meanwhile. */
const HEALTHY_MS = 30_000;
/** Told again is at most what changed within the gateway's lookback, a minute by default; more need not be known. */
const MAX_RECORDS = 50_000;
/** Ends after which another gateway, or the same one, is ready at once. */
const AT_ONCE = ['SERVER_STOPPING', 'SLOW_CONSUMER'];
/** No answer of the gateway is as long; what never ends must not fill the memory. */
const MAX_CHARACTERS = 100_000_000;

interface ChangesRequest extends GatewayTarget {
  readonly query: string;
  readonly administration: string;
  /** Undefined for all. */
  readonly kinds: readonly string[] | undefined;
}

/** Where a stream starts; now, if it says neither. */
export interface StreamPosition {
  /** The cursor of the last event. */
  readonly after?: string | undefined;
  /** A moment, where there is no cursor yet. */
  readonly since?: string | undefined;
}

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
  let wasReady = false;
  while (!signal.aborted) {
    const startedAt = performance.now();
    // A stream that only tells again what was told has not come further.
    let hasNews = false;
    try {
      for await (const { line, cursor } of readStream(request, tokens.token, position, notes)) {
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
      // Whoever has a cursor has got it there: the gateway is being restarted.
      if (failures === 0 && position.after === undefined && error.code === NOBODY_THERE) throw error;
      const hasLasted = performance.now() - startedAt > HEALTHY_MS;
      const isHealthy = hasNews || hasLasted;
      failures = isHealthy ? 1 : failures + 1;
      const onWait = (file: string) =>
        notes.note(`The token is refused: waits up to a minute for another one in ${file}.`);
      if (error.code === 'UNAUTHENTICATED' && (await tokens.renew(signal, onWait))) continue;
      if (signal.aborted) return;
      if (!error.isTransient) throw error;
      // Not twice in a row: a gateway that ends each stream behind its first event would be asked without a pause.
      const isReady: boolean =
        failures === 1 && (hasLasted || !wasReady) && AT_ONCE.some((code) => code === error.code);
      wasReady = isReady;
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

/** One stream, until the gateway ends it; throws CommandFailure if it says why, or if the connection breaks. */
async function* readStream(
  request: ChangesRequest,
  token: string,
  { after, since }: StreamPosition,
  notes: OutageNotes,
): AsyncGenerator<StreamItem, void, undefined> {
  const { query, administration: administrationId, kinds, signal } = request;
  const variables = { administrationId, kinds, ...(after === undefined ? { since } : { after }) };
  const operation = { query, operationName: OPERATION_NAME, variables };
  const wanted = { type: 'text/event-stream', does: 'reports changes' };
  try {
    const body = await sendOperation({ ...request, ...wanted, operation, token });
    notes.connected();
    const parser = new EventStreamParser();
    for await (const chunk of body) {
      for (const { event, data = '', id } of parser.take(chunk)) {
        signal.throwIfAborted();
        const item = event === 'next' ? readEvent(data, id, notes) : { cursor: id };
        yield item;
        if (item.failure) throw item.failure;
        if (event === 'complete') return;
      }
      if (parser.unfinishedLength > MAX_CHARACTERS) throw broken('The answer has an event without end.');
    }
  } catch (error) {
    throw connectionFailure(error, request);
  }
  throw broken(`The connection to ${request.url.host} ended.`);
}

interface StreamItem {
  readonly line?: ChangeLine;
  /** What to go on from afterwards. */
  readonly cursor: string | undefined;
  /** Why the stream ends. */
  readonly failure?: CommandFailure;
}

function readEvent(data: string, id: string | undefined, notes: OutageNotes): StreamItem {
  const result = parseJson(data);
  if (!isObject(result)) throw broken('The answer has an event that is no JSON object.');
  const change = isObject(result.data) ? result.data.changes : undefined;
  if (isObject(change)) {
    const line = lineOf(change, result.errors);
    notes.readable();
    return { line, cursor: line.cursor };
  }
  const { message, path, extensions } = firstErrorIn(result) ?? {};
  const { cursor: given = id, ends, ...details } = isObject(extensions) ? extensions : {};
  const cursor = typeof given === 'string' ? given : undefined;
  const failure = failureOf({ ...details, message });
  // An error of a field within the event, and not of the subscription itself.
  const isOfField = Array.isArray(path) && path.length > 1;
  if (ends !== true && (isOfField || (ends === false && details.retryAfter === undefined)))
    notes.untold(failure);
  else if (ends === false) notes.unreadable(failure);
  else return { cursor, failure };
  return { cursor };
}

/** An event as it is printed. */
export type ChangeLine = Readonly<ReturnType<typeof lineOf>>;

function lineOf(change: { readonly [field: string]: unknown }, errors: unknown) {
  const { eventId, cursor, kind, administrationId, seenAt, ...own } = change;
  // The only other field is that of the record, under a name of its kind.
  const [record] = Object.values(own);
  if (
    typeof eventId !== 'string' ||
    typeof cursor !== 'string' ||
    typeof kind !== 'string' ||
    !isObject(record)
  )
    throw broken('The answer has an event without its id, cursor, kind or record.');
  // Of fields that are null because they could not be read.
  const failed = Array.isArray(errors) && { errors: errors.filter(isObject).map(errorOf) };
  return { eventId, cursor, kind, administrationId, seenAt, record, ...failed };
}

/** With the path from the record on. */
function errorOf({ message, path, extensions }: { readonly [key: string]: unknown }): object {
  const code = isObject(extensions) ? extensions.code : undefined;
  return { message, code, path: Array.isArray(path) ? path.slice(2) : undefined };
}
