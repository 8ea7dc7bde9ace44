import { shortKey } from '../composite-key.ts';
import type { Cancellation } from '../rest/cancellation.ts';
import { unionOf, unionOfAll } from '../rest/fields.ts';
import { isRow } from '../rest/page-body.ts';
import type { Row } from '../rest/resource.ts';
import {
  type ChangeSource,
  contentHash,
  eventIdOf,
  type FeedOptions,
  type Subscriber,
  stampFields,
} from './change.ts';
import { TOO_SLOW } from './endings.ts';
import type { FeedPosition, ServiceClock } from './position.ts';
import { type ChangedPage, readChanges } from './read-changes.ts';
import type { Reader } from './reader.ts';
import { MAX_TIMER_MS } from './stream.ts';
import type { Told } from './told.ts';

/** How long a page waits for the slowest of several readers: one that is ended goes on alone, at its own pace. */
const PATIENCE_MS = 10_000;

/** Whose changes of what are read. */
export interface WalkOptions extends FeedOptions {
  readonly caller: Subscriber;
  readonly administrationId: string;
  readonly source: ChangeSource;
  readonly clock: ServiceClock;
}

interface WalkRequest {
  readonly position: FeedPosition;
  readonly readers: readonly Reader[];
  readonly cancellation: Cancellation;
  /** Whether it is for one reader, at whose pace it goes. */
  readonly isAlone: boolean;
  /** Asked when the start is known: if the walk should have begun elsewhere, nothing is told. */
  readonly isFit?: (start: number) => boolean;
}

let walks = 0;

/**
 * Walks once through what changed after a mark, and tells it. Rejects unless the walk was complete, or nobody is left.
 * Returns when it started, by the service's clock, and its number.
 */
export async function walkChanges(
  options: WalkOptions,
  request: WalkRequest,
): Promise<{ readonly start: number; readonly walk: number }> {
  const { caller, clock } = options;
  const { position, readers, isAlone, cancellation, isFit = () => true } = request;
  walks += 1;
  const walk = walks;
  const session = caller.createRest(cancellation);
  const fields = unionOfAll(new Set(readers.map((reader) => reader.fields)));
  let start = position.walk?.start ?? 0;
  let invalid: Error | undefined;
  for await (const page of readChanges(session, { ...options, fields, position })) {
    start = page.start;
    if (position.walk === undefined) clock.set(start);
    if (!isFit(start)) break;
    invalid = await tellPage(page, options, { ...request, walk, invalid });
    const patienceMs = isAlone ? MAX_TIMER_MS : PATIENCE_MS;
    const hasRoom = await Promise.all(readers.map(({ stream }) => stream.room(patienceMs)));
    for (const [index, { stream }] of readers.entries()) if (!hasRoom[index]) stream.end(TOO_SLOW, true);
    if (readers.every(({ stream }) => stream.isClosed)) break;
  }
  if (invalid) throw invalid;
  return { start, walk };
}

interface PageRequest extends WalkRequest {
  /** The number of the walk. */
  readonly walk: number;
  /** Of a row before that could not be told: the walk will be repeated. */
  readonly invalid: Error | undefined;
}

/** Tells the rows of a page to those for whom they are new. Returns the error of the first that could not be told. */
async function tellPage(
  { rows, start, bytes }: ChangedPage,
  options: WalkOptions,
  { position: { mark }, readers, isAlone, walk, ...request }: PageRequest,
): Promise<Error | undefined> {
  const { source, administrationId, caller, lookbackMs } = options;
  const { kind } = source;
  const groups = groupByTold(readers);
  const bytesOfRow = Math.ceil(bytes / Math.max(1, rows.length));
  // No later walk reads again what is older, and a walk over years would remember all of it.
  const settledBefore = isAlone ? start - 2 * lookbackMs : Number.NEGATIVE_INFINITY;
  const tell: ((seenAt: string) => void)[] = [];
  let { invalid } = request;
  let last: FeedPosition | undefined;
  for (const row of rows) {
    if (!isRow(row)) {
      invalid ??= row;
      continue;
    }
    const id = row.internalId;
    // Behind a row that could not be told, a stream has to go on from the start.
    const position = invalid ? { mark } : { mark, walk: { start, id } };
    last = position;
    const stamp = momentIn(row, source);
    for (const [told, followers] of groups) {
      const [{ fields }] = followers;
      const content = contentHash(row, unionOf(fields, stampFields(source)));
      const times = told.add(shortKey(id), content, walk, stamp < settledBefore);
      if (times === undefined) continue;
      const name = eventIdOf([kind, administrationId, id], content);
      const eventId = times === 0 ? name : `${name}.${times}`;
      for (const { stream, mark: toldUpTo, position: started } of followers) {
        if (stamp <= toldUpTo || started === undefined || stream.isClosed) continue;
        tell.push((seenAt) =>
          stream.push(kind, position, bytesOfRow, (cursor) => ({
            eventId,
            cursor,
            kind,
            administrationId,
            seenAt,
            record: row,
          })),
        );
      }
    }
  }
  // A query that follows an event must not show what was before it.
  if (tell.length > 0) await caller.dropCached();
  const seenAt = new Date().toISOString();
  for (const push of tell) push(seenAt);
  if (last) for (const reader of readers) if (reader.position) reader.moveTo(last);
  return invalid;
}

/** Those who share what was told have the same selection: what is new for one is new for all. */
function groupByTold(readers: readonly Reader[]): Map<Told, [Reader, ...Reader[]]> {
  const groups = new Map<Told, [Reader, ...Reader[]]>();
  for (const reader of readers) {
    const group = groups.get(reader.told);
    if (group) group.push(reader);
    else groups.set(reader.told, [reader]);
  }
  return groups;
}

/** When a record changed; not a number if it does not say so. */
function momentIn(row: Row, { stamp }: ChangeSource): number {
  const moment = row[stamp];
  return typeof moment === 'string' ? Date.parse(moment) : Number.NaN;
}
