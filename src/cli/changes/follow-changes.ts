import { setTimeout } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { EventStreamParser } from '../../http/server-sent-events.ts';
import { isObject, parseJson } from '../../rest/json.ts';
import { isBrokenPipe } from '../context.ts';
import { broken, CommandFailure, failureOf, firstErrorIn } from '../failure.ts';
import {
  connectionFailure,
  NOBODY_THERE,
  type SentOperation,
  sendOperation,
  waitAfter,
} from '../gateway-request.ts';
import type { GatewaySession } from '../gateway-session.ts';
import { OPERATION_NAME } from './query.ts';

/** A gateway that asks for more is asked again after this. */
const MAX_WAIT_MS = 300_000;
/** A stream that lasted this long was a success, even if nothing changed meanwhile. */
const HEALTHY_MS = 30_000;
/** Told again is at most what changed within the gateway's lookback, a minute by default; more need not be known. */
const MAX_RECORDS = 50_000;

interface FollowOptions {
  readonly query: string;
  /** The administration, and the kinds unless all are meant. */
  readonly variables: { readonly [name: string]: unknown };
  /** Behind the cursor of an event, or else at a moment; now, if it says neither. */
  readonly start: { readonly after: string } | { readonly since: string | undefined };
  /** Settled when the line is written. */
  readonly write: (line: ChangeLine) => Promise<unknown>;
  /** All up to this cursor is written. */
  readonly onCursor: (cursor: string) => void;
}

/** Writes all changes, over as many streams as it takes, until it is aborted; throws what no further stream can mend. */
export async function followChanges(gateway: GatewaySession, options: FollowOptions): Promise<void> {
  const { signal, notes, firstWaitMs } = gateway;
  const { write, onCursor } = options;
  const told = new LRUCache<string, string>({ max: MAX_RECORDS });
  let position = options.start;
  let failures = 0;
  while (!signal.aborted) {
    const startedAt = performance.now();
    // A stream that only tells again what was told has not come further.
    let hasNews = false;
    try {
      const variables = { ...options.variables, ...position };
      const operation = { query: options.query, operationName: OPERATION_NAME, variables };
      for await (const { line, cursor } of readStream(gateway, operation)) {
        if (line && isNew(told, line)) {
          hasNews = true;
          await write(line);
        }
        if (!cursor) continue;
        position = { after: cursor };
        onCursor(cursor);
      }
      throw broken('The gateway ended the stream.');
    } catch (error) {
      // Also of a command that is being stopped: its reader may have gone with what it had not read.
      if (isBrokenPipe(error)) throw error;
      if (signal.aborted) return;
      if (!(error instanceof CommandFailure)) throw error;
      // Whoever has a cursor has got it there: the gateway is being restarted.
      if (failures === 0 && !('after' in position) && error.code === NOBODY_THERE) throw error;
      failures = hasNews || performance.now() - startedAt > HEALTHY_MS ? 1 : failures + 1;
      if (error.code === 'UNAUTHENTICATED' && (await gateway.renewToken())) continue;
      if (signal.aborted) return;
      if (!error.isTransient) throw error;
      notes.once(error, 'Connects again.');
      const waitMs = Math.min(Math.max(waitAfter(failures, firstWaitMs), error.retryAfterMs), MAX_WAIT_MS);
      await setTimeout(waitMs, undefined, { signal }).catch(() => {});
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

interface StreamItem {
  readonly line?: ChangeLine;
  /** What to go on from afterwards. */
  readonly cursor: string | undefined;
  /** Why the stream ends. */
  readonly failure?: CommandFailure;
}

/** One stream, until the gateway ends it; throws CommandFailure if it says why, or if the connection breaks. */
async function* readStream(
  gateway: GatewaySession,
  operation: SentOperation,
): AsyncGenerator<StreamItem, void, undefined> {
  const { signal, notes } = gateway;
  try {
    const body = await sendOperation({ ...gateway, type: 'text/event-stream', operation });
    notes.recovered();
    notes.note('Connected.');
    const parser = new EventStreamParser();
    for await (const chunk of body) {
      for (const { event, data = '', id } of parser.take(chunk)) {
        signal.throwIfAborted();
        const item = event === 'next' ? readEvent(data, id, notes) : { cursor: id };
        yield item;
        if (item.failure) throw item.failure;
        if (event === 'complete') return;
      }
    }
  } catch (error) {
    throw connectionFailure(error, gateway);
  }
  throw broken(`The connection to ${gateway.url.host} ended.`);
}

function readEvent(data: string, id: string | undefined, notes: GatewaySession['notes']): StreamItem {
  const result = parseJson(data);
  if (!isObject(result)) throw broken('The answer has an event that is no JSON object.');
  const change = isObject(result.data) ? result.data.changes : undefined;
  if (isObject(change)) {
    const line = lineOf(change, result.errors);
    notes.recovered();
    return { line, cursor: line.cursor };
  }
  const { message, path, extensions } = firstErrorIn(result) ?? {};
  const { cursor: given = id, ends, ...details } = isObject(extensions) ? extensions : {};
  const cursor = typeof given === 'string' ? given : undefined;
  const failure = failureOf({ ...details, message });
  // An error of a field within the event, and not of the subscription itself.
  const isOfField = Array.isArray(path) && path.length > 1;
  if (ends !== true && (isOfField || (ends === false && details.retryAfter === undefined)))
    notes.say(`A change is left out, since its record cannot be read: ${failure.message}`);
  else if (ends === false) notes.once(failure, 'The gateway tries again.');
  else return { cursor, failure };
  return { cursor };
}

/** An event as it is printed. */
type ChangeLine = Readonly<ReturnType<typeof lineOf>>;

function lineOf(change: { readonly [field: string]: unknown }, errors: unknown) {
  const { eventId, cursor, kind, administrationId, seenAt, ...own } = change;
  // The only other field is that of the record, under a name of its kind.
  const [record] = Object.values(own);
  if (typeof eventId !== 'string' || typeof cursor !== 'string' || !isObject(record))
    throw broken('The answer has an event without its id, cursor or record.');
  // Of fields that are null because they could not be read, with the path from the record on.
  const failed = (Array.isArray(errors) ? errors.filter(isObject) : []).map(
    ({ message, path, extensions }) => ({
      message,
      code: isObject(extensions) ? extensions.code : undefined,
      path: Array.isArray(path) ? path.slice(2) : undefined,
    }),
  );
  const event = { eventId, cursor, kind, administrationId, seenAt, record };
  return failed.length > 0 ? { ...event, errors: failed } : event;
}
