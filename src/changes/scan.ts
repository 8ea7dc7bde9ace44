import { createHash } from 'node:crypto';
import { yieldToEventLoop } from '../event-loop.ts';
import { getOrCreate } from '../memoize.ts';
import type { Cancellation } from '../rest/cancellation.ts';
import { createFieldTree, type FieldTree, fieldsParameter, mergeAll, unionOfAll } from '../rest/fields.ts';
import { isObject } from '../rest/json.ts';
import { createPageReader, readListPage } from '../rest/pages.ts';
import { MAX_PER_PAGE, splitFilters } from '../rest/query.ts';
import { isRow, type Row, withRequiredFields } from '../rest/resource.ts';
import type { ChangeSource, Subscriber } from './change.ts';
import { type FeedPosition, nextWatermark } from './position.ts';
import type { ChangeStream } from './stream.ts';

/** Whose changes of what are read. */
export interface PollTarget {
  readonly pollMs: number;
  readonly lookbackMs: number;
  readonly caller: Subscriber;
  readonly administrationId: string;
  readonly source: ChangeSource;
  /** Aborted when nobody is left. */
  readonly stopped: Cancellation;
}

/** The changes of one kind in one stream. */
export class ChangeReader {
  /** What is selected of each record, and when it changed. */
  readonly fields: FieldTree;
  /** Hashes of what was told, the latest last, of the records that the last walk has seen, and this one. */
  #previousHashes = new Map<string, string[]>();
  #currentHashes = new Map<string, string[]>();

  constructor(
    readonly stream: ChangeStream,
    private readonly source: ChangeSource,
    fields: FieldTree,
  ) {
    this.fields = mergeAll([fields, createFieldTree([source.timestampField])]);
  }

  /** Of a stream that starts now: nothing is told before its first walk, which finds the present. */
  get position(): FeedPosition {
    return this.stream.positions.get(this.source.cursorKey) ?? { watermark: Number.POSITIVE_INFINITY };
  }

  /**
   * Notes the content of a record that changed at a moment. Returns the id of the event that tells it, if there is one
   * to tell. A record may change back within a second, so a content may have several. One that is settled, and so will
   * not be read again, is not noted anew.
   */
  recordVersion(id: string, content: string, moment: number, isSettled: boolean): string | undefined {
    const contents = this.#currentHashes.get(id) ?? this.#previousHashes.get(id) ?? [];
    if (contents.length > 0 || !isSettled) this.#currentHashes.set(id, contents);
    if (contents.at(-1) === content) return undefined;
    const repeats = contents.filter((earlier) => earlier === content).length;
    contents.push(content);
    if (moment <= this.position.watermark) return undefined;
    return repeats === 0 ? content : `${content}.${repeats}`;
  }

  checkpoint(scan: FeedPosition['scan']): void {
    this.stream.setPosition(this.source, { ...this.position, scan });
  }

  /** Forgets the records that the walk has not seen: they changed too long ago to be read again. */
  completeScan(start: number, lookbackMs: number): void {
    this.#previousHashes = this.#currentHashes;
    this.#currentHashes = new Map();
    this.stream.setPosition(this.source, {
      watermark: nextWatermark(this.position.watermark, start, lookbackMs),
    });
  }
}

/**
 * Walks once through what changed after a mark, from the position's record on if it has one, and tells it. Returns when
 * it started, by the service's own clock. Rejects unless the walk was complete, or nobody is left.
 */
export async function scanChanges(
  target: PollTarget,
  position: FeedPosition,
  readers: readonly ChangeReader[],
): Promise<number> {
  const { caller, administrationId, lookbackMs } = target;
  const { kind, timestampField, resource } = target.source;
  const startedAt = performance.now();
  // The start of a walk that is resumed stood in a cursor, which may say anything.
  let start = position.scan?.start ?? Number.POSITIVE_INFINITY;
  let { scan: lastSent } = position;
  let invalid: Error | undefined;
  const next = openScan(target, position, readers);
  for (let page = await next(MAX_PER_PAGE); page; page = await next(MAX_PER_PAGE)) {
    // A service that does not tell its time is taken to have the gateway's.
    const clock = Date.parse(page.date ?? '') || Date.now();
    // Streams that continue from the same position together share a call, which may have been sent before this walk.
    const sentAt = Math.min(startedAt, page.sentAt);
    start = Math.floor(Math.min(start, clock - (performance.now() - sentAt)));
    // Hundreds of streams may have waited for one page, and each has to hash it.
    await yieldToEventLoop();
    const seenAt = new Date().toISOString();
    const bytes = Math.ceil(page.bytes / Math.max(1, page.rows.length) / readers.length);
    const sends: (() => void)[] = [];
    for (const row of page.rows) {
      if (!isRow(row)) {
        invalid ??= row;
        continue;
      }
      const { internalId, [timestampField]: changedAt } = row;
      // What could not be told has to be read again, with all behind it.
      if (!invalid) lastSent = { start, id: internalId };
      const scan = lastSent;
      const moment = Date.parse(String(changedAt));
      // No later walk reads again what is older, and a walk over years would remember all of it. Several readers may
      // have to walk once more from where they began.
      const isSettled = readers.length === 1 && moment < start - 2 * lookbackMs;
      const contents = new Map<string, string>();
      for (const reader of readers) {
        // The same for equal selections.
        const selection = fieldsParameter(resource.members, reader.fields);
        const content = getOrCreate(contents, selection, () => hash(target, row, reader.fields));
        const eventId = reader.recordVersion(internalId, content, moment, isSettled);
        if (eventId === undefined) continue;
        sends.push(() => {
          reader.stream.push({ eventId, kind, administrationId, seenAt, record: row }, bytes);
          reader.checkpoint(scan);
        });
      }
    }
    // A query that follows an event must not show what was before it.
    if (sends.length > 0) await caller.dropCached();
    for (const push of sends) push();
    for (const reader of readers) reader.checkpoint(lastSent);
    await Promise.all(readers.map(({ stream }) => stream.waitForRoom(readers.length > 1)));
    if (readers.every(({ stream }) => stream.closing.isAborted)) break;
  }
  if (invalid) throw invalid;
  return start;
}

function openScan(
  { caller, administrationId, source: { resource, filter }, stopped }: PollTarget,
  { watermark, scan }: FeedPosition,
  readers: readonly ChangeReader[],
) {
  const session = caller.createRest(stopped);
  const fields = withRequiredFields(resource, unionOfAll(new Set(readers.map((reader) => reader.fields))));
  const filters = { administrationId, [filter]: new Date(watermark).toISOString() };
  // Filters of one value each are never split.
  const [segment] = splitFilters(session.service, resource, filters, fields);
  if (segment === undefined) throw new TypeError('a list without a part');
  const after = scan && { segment: null, cursor: scan.id };
  // Its pages are those of one moment, and are not cached.
  return createPageReader(session, resource, readListPage, { segment, fields, after });
}

/**
 * Names an event, without a secret: the same wherever and whenever this content of the record is told. So long that two
 * contents of one record never share it.
 */
function hash({ source: { kind }, administrationId }: PollTarget, row: Row, fields: FieldTree): string {
  const content = JSON.stringify([kind, administrationId, row.internalId, pickFields(row, fields)]);
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}

/** The values of the fields, whatever else the row has. */
function pickFields(value: unknown, fields: FieldTree): unknown {
  if (Array.isArray(value)) return value.map((item) => pickFields(item, fields));
  if (!isObject(value)) return value;
  return Object.entries(fields).map(([name, inner]) => pickFields(value[name], inner));
}
