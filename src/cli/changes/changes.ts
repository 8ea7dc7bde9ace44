import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import { EventStreamParser } from '../../http/server-sent-events.ts';
import { isObject, parseJson } from '../../rest/json.ts';
import type { Runner } from '../arguments.ts';
import { CommandFailure, inputError, reasonOf, UsageError } from '../failure.ts';
import { errorsIn, failureOf, openGateway, readGatewayUrl, retryableFailure } from '../gateway.ts';
import { type CommandNotes, isBrokenPipe, print, writeText } from '../terminal.ts';
import { changesQuery } from './query.ts';

/** The gateway reads each list once before it answers. Then it sends a byte every 12 s at least. */
const TIMEOUTS = { headersTimeout: 120_000, bodyTimeout: 40_000 };
/** Told again is at most what changed within the gateway's lookback, a minute by default; more need not be known. */
const MAX_RECORDS = 50_000;

/** Prints changes as they happen, over as many streams as it takes, until it is stopped; returns the exit status. */
export const runChanges: Runner<'changes'> = async ({ values: options }, context) => {
  const { env, stdout } = context;
  const { administration, quiet = false } = options;
  const named = options.kinds?.split(',').map((kind) => kind.trim());
  const kinds = named && [...new Set(named)].sort();
  const query = changesQuery(kinds, options.fields);
  if (options['print-query']) return print(`${query}\n`, context);
  if (!administration) throw new UsageError('changes needs --administration with an id');
  const url = readGatewayUrl(options.url, env);
  const state = openStateFile(options.state, { administration, kinds });
  const gateway = await openGateway(url, quiet, TIMEOUTS, context);
  const { notes, signal } = gateway;
  if (state.start) notes.note(`Goes on after the last change of ${options.state}.`);
  // Moment and cursor are empty where a script has none yet.
  let after = state.start ?? (options.after || undefined);
  let written = 0;
  /**
   * The last event of each record, since a stream that goes on after a cursor begins with what changed shortly before it.
   * An earlier one may come again: a record that changed and changed back has the same event as before.
   */
  const told = new LRUCache<string, string>({ max: MAX_RECORDS });

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
        if (!isObject(result)) throw retryableFailure('The answer has an event that is no JSON object.');
        const line = lineOf(result);
        if (line) {
          const record = `${line.kind} ${line.record.id}`;
          // A stream that only tells again what was told has not come further.
          if (told.get(record) !== line.eventId) yield line;
          told.set(record, line.eventId);
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
    // A file that cannot be written is told before anything is asked for.
    state.save(after, written);
    for await (const line of gateway.retry(readStream)) {
      const text = `${JSON.stringify(line)}\n`;
      await writeText(stdout, text);
      written += text.length;
    }
    return 0;
  } catch (error) {
    // A reader such as `head` closes the pipe when it has enough, and needs no words.
    if (isBrokenPipe(error)) state.readerGone();
    if (isBrokenPipe(error) || signal.aborted) return 0;
    const { code, status = 1 } = error instanceof CommandFailure ? error : {};
    const isExpired = code === 'CHANGES_EXPIRED' && options.state;
    notes.say(`${reasonOf(error)}${isExpired ? ` Delete ${options.state} to start again.` : ''}`);
    return status;
  } finally {
    await gateway.close();
  }
};

/** Of an event without a change: says what is left out or tried again, or throws why the stream ends. */
function reportFailure(result: object, notes: CommandNotes): void {
  const [error = {}] = errorsIn(result);
  const { ends, retryAfter, path } = error;
  const failure = failureOf(error);
  // An error of a field within the event, and not of the subscription itself.
  const isOfField = Array.isArray(path) && path.length > 1;
  if (ends !== true && (isOfField || (ends === false && retryAfter === undefined)))
    notes.say(`A change is left out, since its record cannot be read: ${failure.message}`);
  else if (ends === false) notes.note(`${failure.message} The gateway tries again.`);
  else throw failure;
}

/** An event as it is printed; undefined if it has no change. */
function lineOf(result: { readonly [member: string]: unknown }) {
  const change = isObject(result.data) ? result.data.changes : undefined;
  if (!isObject(change)) return undefined;
  const { eventId, cursor, kind, administrationId, seenAt, ...own } = change;
  // The only other field is that of the record, under a name of its kind.
  const [record] = Object.values(own);
  if (typeof eventId !== 'string' || typeof cursor !== 'string' || !isObject(record))
    throw retryableFailure('The answer has an event without its id, cursor or record.');
  // Of fields that are null because they could not be read, with the path from the record on.
  const errors = errorsIn(result).map(({ message, code, path }) => ({
    message,
    code,
    path: Array.isArray(path) ? path.slice(2) : undefined,
  }));
  const line = { eventId, cursor, kind, administrationId, seenAt, record };
  return errors.length > 0 ? { ...line, errors } : line;
}

/** More than a pipe holds (64 kB) and its reader has taken without having looked at it. */
const UNREAD_CHARACTERS = 256_000;

/** The file, if any, that says how far these changes have been written. Throws if it is of others, or of something else. */
function openStateFile(path: string | undefined, changes: object) {
  const own = { command: 'receivables-graphql changes', ...changes };
  const state = path && existsSync(path) ? parseJson(readFileSync(path, 'utf8')) : own;
  const { after: start, ...found } = isObject(state) ? state : {};
  if (JSON.stringify(found) !== JSON.stringify(own) || (typeof start !== 'string' && start !== undefined))
    throw inputError(
      `${path} is broken, or is not the state of these changes: give another file, or delete it to start anew.`,
    );
  /** Replaces the file as a whole: nobody ever sees a part of it. */
  const write = (after: string | undefined) => {
    if (path === undefined) return;
    writeFileSync(`${path}.new`, `${JSON.stringify({ ...own, after }, null, 2)}\n`);
    renameSync(`${path}.new`, path);
  };
  /** Behind these, so much was written that whoever reads has surely read what stands before the first. */
  let [read, unread, unreadFrom]: [string | undefined, string | undefined, number] = [start, start, 0];
  return {
    /** Where an earlier process has come to; undefined if there was none, or if it has seen nothing. */
    start,

    /** All up to a cursor is written, and that many characters in all. Undefined before the first. */
    save(cursor: string | undefined, written: number): void {
      write(cursor);
      if (written === 0) [read, unread] = [cursor, cursor];
      else if (written - unreadFrom >= UNREAD_CHARACTERS)
        [read, unread, unreadFrom] = [unread, cursor, written];
    },

    /** Goes back to where a reader has surely read that is gone. */
    readerGone: () => write(read),
  };
}
