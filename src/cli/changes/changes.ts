import { LRUCache } from 'lru-cache';
import { EventStreamParser } from '../../http/server-sent-events.ts';
import { isObject, parseJson } from '../../rest/json.ts';
import { parseCommand } from '../arguments.ts';
import { type CommandContext, isBrokenPipe, print, writeText } from '../context.ts';
import { broken, CommandFailure, failureOf, firstErrorIn, reasonOf, UsageError } from '../failure.ts';
import { type GatewayClient, openGateway, readGatewayUrl } from '../gateway.ts';
import { changesQuery, OPERATION_NAME } from './query.ts';
import { openStateFile } from './state-file.ts';

/** The gateway reads each list once before it answers. Then it sends a byte every 12 s at least. */
const TIMEOUTS = { headersTimeout: 120_000, bodyTimeout: 40_000 };
/** Told again is at most what changed within the gateway's lookback, a minute by default; more need not be known. */
const MAX_RECORDS = 50_000;

/** Prints changes as they happen, over as many streams as it takes, until it is stopped; returns the exit status. */
export async function runChanges(args: readonly string[], context: CommandContext): Promise<number> {
  const { env, stdout } = context;
  const options = parseCommand('changes', args).values;
  const { administration, quiet = false } = options;
  const named = options.kinds?.split(',').map((kind) => kind.trim());
  const kinds = named && [...new Set(named)].sort();
  const query = changesQuery(kinds, options.fields);
  if (options['print-query']) return print(`${query}\n`, context);
  if (!administration) throw new UsageError('changes needs --administration with an id');
  const url = readGatewayUrl(options.url, env);
  const state =
    options.state === undefined ? undefined : openStateFile(options.state, { administration, kinds });
  // Each write is told of its own error.
  stdout.on('error', () => {});
  const gateway = await openGateway(url, quiet, TIMEOUTS, context);
  const { notes, signal } = gateway;
  if (state?.start) notes.note(`Goes on after the last change of ${options.state}.`);
  // Empty where a script has no such moment or cursor yet.
  const since = options.since || undefined;
  let after = state?.start ?? (options.after || undefined);
  let written = 0;
  const isNew = newsFilter();

  async function followStream(comesFurther: () => void): Promise<void> {
    const start = after === undefined ? { since } : { after };
    const variables = { administrationId: administration, kinds, ...start };
    const body = await gateway.send({ query, operationName: OPERATION_NAME, variables }, 'text/event-stream');
    notes.note('Connected.');
    const parser = new EventStreamParser();
    for await (const chunk of body) {
      for (const { event, data = '', id } of parser.take(chunk)) {
        signal.throwIfAborted();
        const told = event === 'next' ? readEvent(data, notes) : undefined;
        // A stream that only tells again what was told has not come further.
        if (told && !(told instanceof CommandFailure) && isNew(told)) {
          const text = `${JSON.stringify(told)}\n`;
          await writeText(stdout, text);
          written += text.length;
          comesFurther();
        }
        after = id ?? after;
        if (id) state?.save(id, written);
        if (told instanceof CommandFailure) throw told;
        if (event === 'complete') throw broken('The gateway ended the stream.');
      }
    }
    throw broken(`The connection to ${url.host} ended.`);
  }

  try {
    // A file that cannot be written is told before anything is asked for.
    state?.save(after, written);
    await gateway.retry(followStream);
    return 0;
  } catch (error) {
    // A reader such as `head` closes the pipe when it has enough, and needs no words.
    if (isBrokenPipe(error)) state?.readerGone();
    if (isBrokenPipe(error) || signal.aborted) return 0;
    const { code, status = 1 } = error instanceof CommandFailure ? error : {};
    const isExpired = code === 'CHANGES_EXPIRED' && state;
    notes.say(`${reasonOf(error)}${isExpired ? ` Delete ${options.state} to start again.` : ''}`);
    return status;
  } finally {
    await gateway.close();
  }
}

/**
 * A stream that goes on after a cursor begins with what changed shortly before it. An event is known only if it is the
 * last of its record: one that changed and changed back has the same event as before.
 */
function newsFilter() {
  const told = new LRUCache<string, string>({ max: MAX_RECORDS });
  return ({ eventId, kind, record }: ChangeLine): boolean => {
    const key = `${kind} ${String(record.id)}`;
    const isKnown = told.get(key) === eventId;
    told.set(key, eventId);
    return !isKnown;
  };
}

/** A line to print, or why the stream ends. Which cursor to go on from is told beside it. */
function readEvent(data: string, notes: GatewayClient['notes']): ChangeLine | CommandFailure | undefined {
  const result = parseJson(data);
  if (!isObject(result)) throw broken('The answer has an event that is no JSON object.');
  const change = isObject(result.data) ? result.data.changes : undefined;
  if (isObject(change)) return lineOf(change, result.errors);
  const { message, path, extensions } = firstErrorIn(result) ?? {};
  const { ends, ...details } = isObject(extensions) ? extensions : {};
  const failure = failureOf({ ...details, message });
  // An error of a field within the event, and not of the subscription itself.
  const isOfField = Array.isArray(path) && path.length > 1;
  if (ends !== true && (isOfField || (ends === false && details.retryAfter === undefined)))
    notes.say(`A change is left out, since its record cannot be read: ${failure.message}`);
  else if (ends === false) notes.note(`${failure.message} The gateway tries again.`);
  else return failure;
  return undefined;
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
