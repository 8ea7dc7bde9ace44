import { LRUCache } from 'lru-cache';
import { covers, type FieldTree } from '../fields.ts';
import { isRow, type Page, type Row } from '../resource.ts';

/** Memory of an entry with its key, in addition to its value; and of a record in a page. */
const ENTRY_BYTES = 400;
const KEY_BYTES = 100;

/** Its moments are of `performance.now()`. */
interface CacheEntry {
  readonly bytes: number;
  readonly expiresAt: number;
  /** When its call was sent: what a call brings never replaces what a later call has brought. */
  readonly sentAt: number;
}

interface RecordEntry extends CacheEntry {
  /** Null if there is none with this id. */
  readonly record: Row | null;
  readonly fields: FieldTree;
}

interface PageEntry extends CacheEntry, Pick<Page, 'cursor'> {
  /** Of its records in the store: to put a hundred of them together again takes longer than to look them up. */
  readonly keys: readonly string[];
  readonly perPage: number;
}

function lruOf<K extends CacheEntry>(maxBytes: number): LRUCache<string, K> {
  return new LRUCache({ maxSize: Math.max(1, Math.ceil(maxBytes)), sizeCalculation: ({ bytes }) => bytes });
}

/** Of what is cached, for all credentials. */
export function createStore(ttlMs: number, maxBytes: number) {
  const records = lruOf<RecordEntry>(maxBytes * (7 / 8));
  return { ttlMs, records, pages: lruOf<PageEntry>(maxBytes / 8) };
}

export type Store = ReturnType<typeof createStore>;

export interface PageQuery {
  /** What is requested of each record, including what the gateway itself reads. */
  readonly fields: FieldTree;
  readonly perPage: number;
}

/**
 * What one credential has read of one list in one administration. A page is the keys of its records, so that it shows
 * what was read of them last, for whichever selection.
 */
export class ListCache {
  /** `prefix`: of all its keys; no other shelf has it. */
  constructor(
    private readonly store: Store,
    private readonly prefix: string,
  ) {}

  record(id: string): RecordEntry | undefined {
    return ifUnexpired(this.store.records.get(this.prefix + id), performance.now());
  }

  /** A page whose records have all these fields, or the first rows of a longer one. */
  page(key: string, { fields, perPage }: PageQuery): Page | undefined {
    const now = performance.now();
    const entry = ifUnexpired(this.store.pages.get(this.prefix + key), now);
    if (entry === undefined) return undefined;
    const { keys, cursor } = entry;
    // A page with fewer rows than requested is complete, or the most that the service returns at a time.
    if (keys.length < perPage && cursor !== undefined && entry.perPage !== perPage) return undefined;
    const rows: Row[] = [];
    let bytes = 0;
    let covering: FieldTree | undefined;
    for (const name of keys.slice(0, perPage)) {
      const entry = ifUnexpired(this.store.records.get(name), now);
      if (!entry?.record) return undefined;
      if (entry.fields !== covering && !covers(entry.fields, fields)) return undefined;
      covering = entry.fields;
      rows.push(entry.record);
      bytes += entry.bytes;
    }
    const { sentAt } = entry;
    return { rows, bytes, sentAt, cursor: keys.length > perPage ? rows.at(-1)?.internalId : cursor };
  }

  /** Keeps the records of a page. Returns their keys. */
  addRecords({ rows, bytes: total, sentAt }: Page, fields: FieldTree, now = performance.now()): string[] {
    const bytes = Math.ceil(total / Math.max(1, rows.length));
    return rows
      .filter(isRow)
      .map((record) => this.addRecord(record.internalId, { record, fields, bytes, sentAt }, now));
  }

  /** Keeps the records of a page and, if no row is invalid, the page. */
  addPage(read: Page, { fields, perPage }: PageQuery, key: string): void {
    const { rows, cursor, sentAt } = read;
    const now = performance.now();
    const keys = this.addRecords(read, fields, now);
    if (keys.length < rows.length) return;
    const name = this.prefix + key;
    const existing = ifUnexpired(this.store.pages.get(name), now) ?? { sentAt: 0, keys: [] };
    // A longer page that begins with these records stays.
    const isPart =
      cursor !== undefined &&
      existing.keys.length > keys.length &&
      keys.every((one, at) => one === existing.keys[at]);
    if (existing.sentAt > sentAt || isPart) return;
    const size = ENTRY_BYTES + key.length + KEY_BYTES * keys.length;
    const expiresAt = now + this.store.ttlMs;
    this.store.pages.set(name, { keys, perPage, cursor, bytes: size, sentAt, expiresAt });
  }

  /** Gives its key. */
  addRecord(
    id: string,
    { record, fields, bytes, sentAt }: Omit<RecordEntry, 'expiresAt'>,
    now = performance.now(),
  ): string {
    const key = this.prefix + id;
    const existing = ifUnexpired(this.store.records.get(key), now);
    const read = { record, fields, bytes: ENTRY_BYTES + bytes, sentAt, expiresAt: now + this.store.ttlMs };
    const [older, newer] = existing && existing.sentAt > sentAt ? [read, existing] : [existing, read];
    let entry = newer;
    if (older?.record && newer.record && !covers(newer.fields, older.fields)) {
      entry = {
        // The members of an object stay those of one read.
        record: { ...older.record, ...newer.record },
        fields: { ...older.fields, ...newer.fields },
        bytes: older.bytes + newer.bytes,
        sentAt: newer.sentAt,
        // Otherwise its older part would never expire.
        expiresAt: Math.min(older.expiresAt, newer.expiresAt),
      };
    }
    this.store.records.set(key, entry);
    return key;
  }
}

function ifUnexpired<K extends CacheEntry>(entry: K | undefined, now: number): K | undefined {
  return entry && entry.expiresAt > now ? entry : undefined;
}
