import type { Dispatcher } from 'undici';
import { EventStreamParser } from '../../http/server-sent-events.ts';
import { isObject, parseJson } from '../../rest/json.ts';
import { type CommandFailure, failureOf, firstErrorIn } from '../failure.ts';
import { broken, connectionFailure, sendOperation } from '../gateway-request.ts';
import { OPERATION_NAME } from './query.ts';

export interface ChangesRequest {
  /** The endpoint of the gateway. */
  readonly url: URL;
  readonly query: string;
  readonly administration: string;
  /** Undefined for all. */
  readonly kinds: readonly string[] | undefined;
  readonly dispatcher: Dispatcher;
  readonly signal: AbortSignal;
}

/** Where a stream starts; now, if it says neither. */
export interface StreamPosition {
  /** The cursor of the last event. */
  readonly after?: string | undefined;
  /** A moment, where there is no cursor yet. */
  readonly since?: string | undefined;
}

/** An event as it is printed. */
export type ChangeLine = Readonly<ReturnType<typeof lineOf>>;

/** What a stream tells. */
interface StreamItem {
  readonly isStart?: boolean;
  readonly line?: ChangeLine;
  /** Why the gateway could not tell a change: its record is not as the schema promises. */
  readonly untold?: CommandFailure;
  /** Why the service could not be read; the stream goes on. */
  readonly notice?: CommandFailure;
  /** What to go on from afterwards. */
  readonly cursor?: string | undefined;
}

/** No answer of the gateway is as long; what never ends must not fill the memory. */
const MAX_CHARACTERS = 100_000_000;

const EVENT_STREAM = { type: 'text/event-stream', does: 'reports changes' };

/** One stream, until the gateway ends it; throws CommandFailure if it says why, or if the connection breaks. */
export async function* readChangeStream(
  request: ChangesRequest,
  token: string,
  { after, since }: StreamPosition,
): AsyncGenerator<StreamItem, void, undefined> {
  const { query, administration: administrationId, kinds } = request;
  const start = after === undefined ? { since } : { after };
  const operation = {
    query,
    operationName: OPERATION_NAME,
    variables: { administrationId, kinds, ...start },
  };
  try {
    const body = await sendOperation({ ...request, ...EVENT_STREAM, operation, token });
    yield { isStart: true };
    const parser = new EventStreamParser();
    for await (const chunk of body) {
      for (const { event, data = '', id: cursor } of parser.take(chunk)) {
        if (event === 'next') yield* itemsOf(data, cursor);
        else yield { cursor };
        if (event === 'complete') return;
      }
      if (parser.unfinishedLength > MAX_CHARACTERS) throw broken('The answer has an event without end.');
    }
  } catch (error) {
    throw connectionFailure(error, request);
  }
  throw broken(`The connection to ${request.url.host} ended.`);
}

function* itemsOf(data: string, id: string | undefined): Generator<StreamItem, void, undefined> {
  const result = parseJson(data);
  if (!isObject(result)) throw broken('The answer has an event that is no JSON object.');
  const { data: told } = result;
  const change = isObject(told) ? told.changes : undefined;
  if (isObject(change)) {
    const line = lineOf(change, result.errors);
    return yield { line, cursor: line.cursor };
  }
  const { message, path, extensions } = firstErrorIn(result) ?? {};
  const { cursor: given = id, ends, ...details } = isObject(extensions) ? extensions : {};
  const cursor = typeof given === 'string' ? given : undefined;
  const failure = failureOf({ ...details, message });
  // An error of a field within the event, and not of the subscription itself.
  const isOfField = Array.isArray(path) && path.length > 1;
  if (ends !== true && (isOfField || (ends === false && details.retryAfter === undefined)))
    return yield { untold: failure, cursor };
  if (ends === false) return yield { notice: failure, cursor };
  yield { cursor };
  throw failure;
}

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
