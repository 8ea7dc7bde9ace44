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
import { type ChangePosition, nextWatermark } from './position.ts';
import type { ChangeStream } from './stream.ts';

/** Describes one poll: a kind of change, an administration and a credential. */
export interface PollTarget {
  readonly pollMs: number;
  readonly lookbackMs: number;
  readonly subscriber: Subscriber;
  readonly administrationId: string;
  readonly source: ChangeSource;
  /** Aborted when the last reader has closed. */
  readonly stopped: Cancellation;
}

/** Finds what is new to one stream among the changes of one kind. */
export class ChangeReader {
  /** Includes the timestamp, so that each change of a record has another hash. */
  readonly fields: FieldTree;
  /** The hashes of each record in the previous scan and in this one, the latest last. */
  #previousHashes = new Map<string, string[]>();
  #currentHashes = new Map<string, string[]>();

  constructor(
    readonly stream: ChangeStream,
    private readonly source: ChangeSource,
    fields: FieldTree,
  ) {
    this.fields = mergeAll([fields, createFieldTree([source.timestampField])]);
  }

  /** Where the next scan starts. Infinity for a stream that starts now: its first scan sends no events. */
  get position(): ChangePosition {
    return this.stream.positions.get(this.source.cursorKey) ?? { watermark: Number.POSITIVE_INFINITY };
  }

  /**
   * Remembers a version, unless the record is settled: too old for later scans. Returns an event id, or undefined if no
   * event is due. A record may change back within a second, so a repeated hash gets a suffix.
   */
  rememberVersion(id: string, hash: string, changedAtMs: number, isSettled: boolean): string | undefined {
    const hashes = this.#currentHashes.get(id) ?? this.#previousHashes.get(id) ?? [];
    if (hashes.length > 0 || !isSettled) this.#currentHashes.set(id, hashes);
    if (hashes.at(-1) === hash) return undefined;
    const repeats = hashes.filter((earlier) => earlier === hash).length;
    hashes.push(hash);
    if (changedAtMs <= this.position.watermark) return undefined;
    return repeats === 0 ? hash : `${hash}.${repeats}`;
  }

  saveCheckpoint(scan: ChangePosition['scan']): void {
    this.stream.setPosition(this.source, { ...this.position, scan });
  }

  /** Forgets records that the scan did not see: they changed too long ago to be read again. */
  completeScan(start: number, lookbackMs: number): void {
    this.#previousHashes = this.#currentHashes;
    this.#currentHashes = new Map();
    this.stream.setPosition(this.source, {
      watermark: nextWatermark(this.position.watermark, start, lookbackMs),
    });
  }
}

/**
 * Reads the changes after a position and pushes them to the streams. Returns when the scan started, by the service's
 * clock. Rejects if a call failed or a record was invalid.
 */
export async function scanChanges(
  target: PollTarget,
  scanPosition: ChangePosition,
  readers: readonly ChangeReader[],
): Promise<number> {
  const { subscriber, administrationId, lookbackMs } = target;
  const { kind, timestampField, resource } = target.source;
  const startedAt = performance.now();
  // The start of a resumed scan comes from a cursor, which may be forged, so the loop caps it at the service's time.
  let scanStart = scanPosition.scan?.start ?? Number.POSITIVE_INFINITY;
  /** The last record before the first invalid one. If this scan fails, the next one resumes after that record. */
  let { scan: checkpoint } = scanPosition;
  let invalid: Error | undefined;
  const readPage = openScan(target, scanPosition, readers);
  for (let page = await readPage(MAX_PER_PAGE); page; page = await readPage(MAX_PER_PAGE)) {
    // Without a `Date` header, assume the gateway's clock.
    const serviceTime = Date.parse(page.date ?? '') || Date.now();
    // Streams that resume from the same position share a call, which may be older than this scan.
    const sentAt = Math.min(startedAt, page.sentAt);
    scanStart = Math.floor(Math.min(scanStart, serviceTime - (performance.now() - sentAt)));
    // Hashing a page for hundreds of streams would block the event loop.
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
      // An invalid record must be read again, with all records after it.
      if (!invalid) checkpoint = { start: scanStart, id: internalId };
      const rowCheckpoint = checkpoint;
      const changedAtMs = Date.parse(String(changedAt));
      // No later scan reads a record this old, so a single reader forgets it. Several readers restart a failed scan and
      // would see the record again, so they remember it.
      const isSettled = readers.length === 1 && changedAtMs < scanStart - 2 * lookbackMs;
      const hashes = new Map<string, string>();
      for (const reader of readers) {
        // Readers with equal selections share a hash.
        const selection = fieldsParameter(resource.members, reader.fields);
        const hash = getOrCreate(hashes, selection, () => hashVersion(target, row, reader.fields));
        const eventId = reader.rememberVersion(internalId, hash, changedAtMs, isSettled);
        if (eventId === undefined) continue;
        sends.push(() => {
          reader.stream.push({ eventId, kind, administrationId, seenAt, record: row }, bytes);
          reader.saveCheckpoint(rowCheckpoint);
        });
      }
    }
    // A client that queries after an event must not get an older cached record.
    if (sends.length > 0) await subscriber.invalidateCache();
    for (const send of sends) send();
    for (const reader of readers) reader.saveCheckpoint(checkpoint);
    await Promise.all(readers.map(({ stream }) => stream.waitForRoom({ isShared: readers.length > 1 })));
    if (readers.every(({ stream }) => stream.closing.isAborted)) break;
  }
  if (invalid) throw invalid;
  return scanStart;
}

function openScan(
  { subscriber, administrationId, source: { resource, filter }, stopped }: PollTarget,
  { watermark, scan }: ChangePosition,
  readers: readonly ChangeReader[],
) {
  const session = subscriber.createRest(stopped);
  const fields = withRequiredFields(resource, unionOfAll(new Set(readers.map((reader) => reader.fields))));
  const filters = { administrationId, [filter]: new Date(watermark).toISOString() };
  const [segment] = splitFilters(session.service, resource, filters, fields);
  if (segment === undefined) throw new TypeError('a list without a segment');
  const after = scan && { segment: null, cursor: scan.id };
  return createPageReader(session, resource, readListPage, { segment, fields, after });
}

/** Returns the event id: equal for equal versions in any process, and long enough never to collide. */
function hashVersion({ source: { kind }, administrationId }: PollTarget, row: Row, fields: FieldTree) {
  const content = JSON.stringify([kind, administrationId, row.internalId, pickFields(row, fields)]);
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}

function pickFields(value: unknown, fields: FieldTree): unknown {
  if (Array.isArray(value)) return value.map((item) => pickFields(item, fields));
  if (!isObject(value)) return value;
  return Object.entries(fields).map(([name, nested]) => pickFields(value[name], nested));
}
