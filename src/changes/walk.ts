import { createHash } from 'node:crypto';
import { getOrCreate } from '../memoize.ts';
import type { Cancellation } from '../rest/cancellation.ts';
import { RestError } from '../rest/errors.ts';
import { type Fields, LEAF, unionOfAll } from '../rest/fields.ts';
import { isObject } from '../rest/json.ts';
import { readPages } from '../rest/pages.ts';
import { MAX_PER_PAGE, splitFilters } from '../rest/query.ts';
import { isRow, type Page, withRequiredFields } from '../rest/resource.ts';
import type { ChangeSource, FeedOptions, Subscriber } from './change.ts';
import type { FeedPosition } from './position.ts';
import type { Reader } from './stream.ts';

/** How long a page waits for the slowest of several readers: one that is ended goes on alone, at its own pace. */
const PATIENCE_MS = 10_000;

/** Whose changes of what are read. */
export interface Feed extends FeedOptions {
  readonly caller: Subscriber;
  readonly administrationId: string;
  readonly source: ChangeSource;
  /** Aborted when nobody is left. */
  readonly over: Cancellation;
}

/**
 * Walks once through what changed after a mark, from the position's record on if it has one, and tells it. Returns when
 * it started, by the service's own clock. Rejects unless the walk was complete, or nobody is left.
 */
export async function walkChanges(
  feed: Feed,
  position: FeedPosition,
  readers: readonly Reader[],
): Promise<number> {
  const { caller, administrationId, lookbackMs } = feed;
  const { kind, stamp } = feed.source;
  const startedAt = performance.now();
  // The start of a walk that is resumed stood in a cursor, which may say anything.
  let start = position.walk?.start ?? Number.POSITIVE_INFINITY;
  let { walk: reached } = position;
  let invalid: Error | undefined;
  let known = new Set<string>();
  let isFirst = true;
  for await (const page of openWalk(feed, position, readers)) {
    // A service that does not tell its time is taken to have the gateway's.
    const clock = Date.parse(page.date ?? '') || Date.now();
    if (isFirst) start = Math.floor(Math.min(start, clock - (performance.now() - startedAt)));
    isFirst = false;
    const seenAt = new Date().toISOString();
    const bytes = Math.ceil(page.bytes / Math.max(1, page.rows.length));
    const tell: (() => void)[] = [];
    for (const row of page.rows) {
      if (!isRow(row)) {
        invalid ??= row;
        continue;
      }
      const { internalId, [stamp]: changedAt } = row;
      // What could not be told has to be read again, with all behind it.
      if (!invalid) reached = { start, id: internalId };
      // Behind a record that was deleted meanwhile, a page begins with rows of the one before.
      if (known.has(internalId)) continue;
      const moment = typeof changedAt === 'string' ? Date.parse(changedAt) : Number.NaN;
      // No later walk reads again what is older, and a walk over years would remember all of it. Several readers may
      // have to walk once more from where they began.
      const isSettled = readers.length === 1 && moment < start - 2 * lookbackMs;
      const contents = new Map<string, string>();
      for (const reader of readers) {
        const { stream, selection, fields } = reader;
        const content = getOrCreate(contents, selection, () =>
          hash([kind, administrationId, internalId, selected(row, fields)]),
        );
        const eventId = reader.note(internalId, content, moment, isSettled);
        if (eventId === undefined || reader.position === undefined) continue;
        const change = { eventId, kind, administrationId, seenAt, record: row };
        const behind = { ...reader.position, walk: reached };
        const create = (cursor: string) => ({ ...change, cursor });
        tell.push(() => stream.push(create, new Map([[kind, behind]]), bytes, readers.length));
      }
    }
    known = new Set(page.rows.filter(isRow).map(({ internalId }) => internalId));
    // A query that follows an event must not show what was before it.
    if (tell.length > 0) await caller.dropCached();
    for (const push of tell) push();
    for (const reader of readers) if (reader.position) reader.moveTo({ ...reader.position, walk: reached });
    const patienceMs = readers.length > 1 ? PATIENCE_MS : undefined;
    await Promise.all(readers.map(({ stream }) => stream.room(patienceMs)));
    if (readers.every(({ stream }) => stream.isClosed)) break;
  }
  if (invalid) throw invalid;
  return start;
}

async function* openWalk(
  { caller, administrationId, source: { kind, resource, filter }, over }: Feed,
  { mark, walk }: FeedPosition,
  readers: readonly Reader[],
): AsyncGenerator<Page, void> {
  const session = caller.createRest(over);
  const fields = withRequiredFields(resource, unionOfAll(new Set(readers.map((reader) => reader.fields))));
  const filters = { administrationId, [filter]: new Date(mark).toISOString() };
  const [part] = splitFilters(session.service, resource, filters, fields);
  if (part === undefined) throw new TypeError('a list without a part');
  const after = walk && { part: null, cursor: walk.id };
  try {
    // Its pages are those of one moment, and are not cached.
    yield* readPages(session, resource, { part, fields, after, keep: true }, () => MAX_PER_PAGE);
  } catch (error) {
    throw withAdvice(error, kind);
  }
}

/** Says how a stream can be had nevertheless. */
function withAdvice(error: unknown, kind: string): unknown {
  if (!(error instanceof RestError) || error.code !== 'FORBIDDEN') return error;
  const { code, message, upstream } = error;
  const advice = `Check the administration. Leave ${kind} out of \`kinds\` if the token may read the administration, but not this list.`;
  return new RestError(code, `${message.replace(/\.?$/, '.')} ${advice}`, { upstream, cause: error });
}

/** Long enough that two contents of one record never share it. */
const HASH_LENGTH = 22;

/** Names an event, without a secret: the same wherever and whenever this content of the record is told. */
function hash(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, HASH_LENGTH);
}

/** The same for the same values of the fields, in whichever order they were selected, and beside whatever else. */
function selected(value: unknown, fields: Fields): unknown {
  if (Array.isArray(value)) return value.map((item) => selected(item, fields));
  if (!isObject(value)) return value;
  const names = Object.keys(fields).sort();
  return names.map((name) => [name, selected(value[name], fields[name] ?? LEAF)]);
}
