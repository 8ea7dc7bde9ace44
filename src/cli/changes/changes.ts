import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import { EventStreamParser } from '../../http/server-sent-events.ts';
import { isObject, parseJson } from '../../rest/json.ts';
import type { Runner } from '../arguments.ts';
import { CommandFailure, describeFailure, inputError, UsageError } from '../failure.ts';
import { getErrors, openGateway, readGatewayUrl, retryableFailure, toFailure } from '../gateway.ts';
import { type CommandNotes, isBrokenPipe, print, writeText } from '../terminal.ts';
import { changesQuery } from './query.ts';

/** The gateway reads each list once before it responds, and then sends a byte at least every 12 s. */
const TIMEOUTS = { headersTimeout: 120_000, bodyTimeout: 40_000 };
/** A resumed stream repeats what changed within the gateway's lookback, a minute by default. */
const MAX_RECORDS = 50_000;

export const runChanges: Runner<'changes'> = async ({ values: options }, context) => {
  const { env, stdout } = context;
  const { administration, quiet = false } = options;
  const requestedKinds = options.kinds?.split(',').map((kind) => kind.trim());
  const kinds = requestedKinds && [...new Set(requestedKinds)].sort();
  const query = changesQuery(kinds, options.fields);
  if (options['print-query']) return print(`${query}\n`, context);
  if (!administration) throw new UsageError('changes needs --administration with an id');
  const url = readGatewayUrl(options.url, env);
  const state = openStateFile(options.state, { administration, kinds });
  const gateway = await openGateway(url, { isQuiet: quiet, timeouts: TIMEOUTS }, context);
  const { notes, signal } = gateway;
  if (state.start) notes.note(`Resuming after the last change in ${options.state}.`);
  // A script may pass an empty moment or cursor.
  let after = state.start ?? (options.after || undefined);
  let written = 0;
  /** A resumed stream repeats recent events. Earlier ones may recur: a record that changes back has the same event. */
  const lastEvents = new LRUCache<string, string>({ max: MAX_RECORDS });

  async function* readStream() {
    const start = after === undefined ? { since: options.since || undefined } : { after };
    const variables = { administrationId: administration, kinds, ...start };
    const body = await gateway.send({ query, variables }, 'text/event-stream');
    notes.note('Connected.');
    const parser = new EventStreamParser();
    for await (const chunk of body) {
      for (const { event, data = '', id } of parser.take(chunk)) {
        signal.throwIfAborted();
        const result = event === 'next' ? parseJson(data) : {};
        if (!isObject(result)) throw retryableFailure('The response has an event that is not a JSON object.');
        const line = toLine(result);
        if (line) {
          const record = `${line.kind} ${line.record.id}`;
          // A stream that only repeats events makes no progress, so it yields nothing.
          if (lastEvents.get(record) !== line.eventId) yield line;
          lastEvents.set(record, line.eventId);
        }
        after = id ?? after;
        if (id) state.save(id, written);
        if (event === 'next' && !line) reportFailure(result, notes);
        if (event === 'complete') throw retryableFailure('The gateway ended the stream.');
      }
    }
    throw retryableFailure(`The connection to ${url.host} ended.`);
  }

  try {
    // Throws now if the file cannot be written.
    state.save(after, written);
    for await (const line of gateway.retry(readStream)) {
      const text = `${JSON.stringify(line)}\n`;
      await writeText(stdout, text);
      written += text.length;
    }
    return 0;
  } catch (error) {
    // A reader such as `head` closes the pipe when it has enough.
    if (isBrokenPipe(error)) state.rollBack();
    if (isBrokenPipe(error) || signal.aborted) return 0;
    const { code, status = 1 } = error instanceof CommandFailure ? error : {};
    const isExpired = code === 'CHANGES_EXPIRED' && options.state;
    notes.say(`${describeFailure(error)}${isExpired ? ` Delete ${options.state} to start again.` : ''}`);
    return status;
  } finally {
    await gateway.close();
  }
};

/** Handles an event without a change: reports the omission or the retry, or throws the error that ends the stream. */
function reportFailure(result: object, notes: CommandNotes): void {
  const [error = {}] = getErrors(result);
  const { ends, retryAfter, path } = error;
  const failure = toFailure(error);
  const isOfField = Array.isArray(path) && path.length > 1;
  if (ends !== true && (isOfField || (ends === false && retryAfter === undefined)))
    notes.say(`A change was omitted because its record cannot be read: ${failure.message}`);
  else if (ends === false) notes.note(`${failure.message} The gateway is retrying.`);
  else throw failure;
}

function toLine(result: { readonly [member: string]: unknown }) {
  const change = isObject(result.data) ? result.data.changes : undefined;
  if (!isObject(change)) return undefined;
  const { eventId, cursor, kind, administrationId, seenAt, ...fields } = change;
  const [record] = Object.values(fields);
  if (typeof eventId !== 'string' || typeof cursor !== 'string' || !isObject(record))
    throw retryableFailure('The response has an event without its id, cursor or record.');
  const errors = getErrors(result).map(({ message, code, path }) => ({
    message,
    code,
    path: Array.isArray(path) ? path.slice(2) : undefined,
  }));
  const line = { eventId, cursor, kind, administrationId, seenAt, record };
  return errors.length > 0 ? { ...line, errors } : line;
}

/** More than a pipe (64 kB) and the buffer of its reader hold. */
const UNREAD_CHARACTERS = 256_000;

/** Opens the file with the last cursor. Throws if it belongs to other changes, or is invalid. */
function openStateFile(path: string | undefined, changes: object) {
  const identity = { command: 'receivables-graphql changes', ...changes };
  const state = path && existsSync(path) ? parseJson(readFileSync(path, 'utf8')) : identity;
  const { after: start, ...savedIdentity } = isObject(state) ? state : {};
  if (
    JSON.stringify(savedIdentity) !== JSON.stringify(identity) ||
    (typeof start !== 'string' && start !== undefined)
  )
    throw inputError(
      `${path} is damaged, or is not the state of these changes. Choose another file, or delete it to start again.`,
    );
  const write = (after: string | undefined) => {
    if (path === undefined) return;
    writeFileSync(`${path}.new`, `${JSON.stringify({ ...identity, after }, null, 2)}\n`);
    renameSync(`${path}.new`, path);
  };
  /** A cursor that the reader has surely consumed, and the one that replaces it after enough output. */
  let [consumed, next, nextFrom]: [string | undefined, string | undefined, number] = [start, start, 0];
  return {
    start,

    /** `written` is the number of characters up to the cursor, in all. */
    save(cursor: string | undefined, written: number): void {
      write(cursor);
      if (written === 0) [consumed, next] = [cursor, cursor];
      else if (written - nextFrom >= UNREAD_CHARACTERS) [consumed, next, nextFrom] = [next, cursor, written];
    },

    /** Saves the last cursor that the reader had surely consumed when it closed. */
    rollBack: () => write(consumed),
  };
}
