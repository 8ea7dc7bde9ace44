import { LRUCache } from 'lru-cache';
import { covers, type FieldTree } from '../fields.ts';
import { isRow, type Page, type Row } from '../resource.ts';

/** Estimated memory of an entry besides its value, and of a record's key in a page. */
const ENTRY_BYTES = 400;
const KEY_BYTES = 100;

interface CacheEntry {
  readonly bytes: number;
  readonly expiresAt: number;
  /** When its call was sent: an earlier call never replaces the data of a later one. */
  readonly sentAt: number;
}

interface RecordEntry extends CacheEntry {
  readonly record: Row | null;
  readonly fields: FieldTree;
}

interface PageEntry extends CacheEntry, Pick<Page, 'cursor'> {
  /** Complete keys of its records: building a hundred of them takes longer than looking them up. */
  readonly keys: readonly string[];
  readonly perPage: number;
}

function createLru<K extends CacheEntry>(maxBytes: number): LRUCache<string, K> {
  return new LRUCache({ maxSize: Math.max(1, Math.ceil(maxBytes)), sizeCalculation: ({ bytes }) => bytes });
}

export function createStore(ttlMs: number, maxBytes: number) {
  const records = createLru<RecordEntry>(maxBytes * (7 / 8));
  return { ttlMs, records, pages: createLru<PageEntry>(maxBytes / 8) };
}

export type Store = ReturnType<typeof createStore>;

export interface PageQuery {
  readonly fields: FieldTree;
  readonly perPage: number;
}

/** Caches one credential's reads of one list. A page stores record keys, so it shows each record's latest version. */
export class ListCache {
  constructor(
    private readonly store: Store,
    private readonly prefix: string,
  ) {}

  record(id: string): RecordEntry | undefined {
    return ifUnexpired(this.store.records.get(this.prefix + id), performance.now());
  }

  /** Returns a page that has all these fields; it may be the start of a longer one. */
  page(key: string, { fields, perPage }: PageQuery): Page | undefined {
    const now = performance.now();
    const entry = ifUnexpired(this.store.pages.get(this.prefix + key), now);
    if (entry === undefined) return undefined;
    const { keys, cursor } = entry;
    // A page that is too short can be used if it is the last one, or if the same `perPage` brought no more rows.
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

  addRecords({ rows, bytes: total, sentAt }: Page, fields: FieldTree, now = performance.now()): string[] {
    const bytes = Math.ceil(total / Math.max(1, rows.length));
    return rows
      .filter(isRow)
      .map((record) => this.addRecord(record.internalId, { record, fields, bytes, sentAt }, now));
  }

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
      keys.every((key, at) => key === existing.keys[at]);
    if (existing.sentAt > sentAt || isPart) return;
    const size = ENTRY_BYTES + key.length + KEY_BYTES * keys.length;
    const expiresAt = now + this.store.ttlMs;
    this.store.pages.set(name, { keys, perPage, cursor, bytes: size, sentAt, expiresAt });
  }

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
        // An object's members stay those of one read.
        record: { ...older.record, ...newer.record },
        fields: { ...older.fields, ...newer.fields },
        bytes: older.bytes + newer.bytes,
        sentAt: newer.sentAt,
        // Otherwise the older fields would never expire.
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
