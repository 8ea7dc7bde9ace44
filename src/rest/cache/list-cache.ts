import { LRUCache } from 'lru-cache';
import { covers, type FieldTree } from '../fields.ts';
import { isRow, type Page, type Row } from '../resource.ts';

/** Estimated memory of an entry besides its value, and of a record's key in a page. */
const ENTRY_BYTES = 400;
const KEY_BYTES = 100;

interface CacheEntry {
  readonly bytes: number;
  /** When its call was sent: an earlier call never replaces the data of a later one. */
  readonly sentAt: number;
}

interface RecordEntry extends CacheEntry {
  readonly record: Row | null;
  readonly fields: FieldTree;
}

interface PageEntry extends CacheEntry, Pick<Page, 'cursor'> {
  /** Keys of the records in the store: building a hundred keys takes longer than looking the records up. */
  readonly recordKeys: readonly string[];
  readonly perPage: number;
}

export function createStore(ttlMs: number, maxBytes: number) {
  const createLru = <Entry extends CacheEntry>(share: number) =>
    new LRUCache<string, Entry>({
      ttl: ttlMs,
      maxSize: Math.max(1, Math.ceil(maxBytes * share)),
      sizeCalculation: ({ bytes }) => bytes,
    });
  return { ttlMs, records: createLru<RecordEntry>(7 / 8), pages: createLru<PageEntry>(1 / 8) };
}

export type Store = ReturnType<typeof createStore>;

export interface PageQuery {
  readonly fields: FieldTree;
  readonly perPage: number;
}

/** Caches one credential's reads of one list. A page stores record keys, so a hit has each record's latest version. */
export class ListCache {
  constructor(
    private readonly store: Store,
    private readonly prefix: string,
  ) {}

  getRecord(id: string): RecordEntry | undefined {
    return this.store.records.get(this.prefix + id);
  }

  /** Returns a page that has all these fields, perhaps the start of a longer cached page. */
  getPage(pageKey: string, { fields, perPage }: PageQuery): Page | undefined {
    const pageEntry = this.store.pages.get(this.prefix + pageKey);
    if (pageEntry === undefined) return undefined;
    const { recordKeys, cursor, sentAt } = pageEntry;
    // A page that is too short can be used if it is the last one, or if the same `perPage` brought no more rows.
    if (recordKeys.length < perPage && cursor !== undefined && pageEntry.perPage !== perPage)
      return undefined;
    const rows: Row[] = [];
    let bytes = 0;
    let covering: FieldTree | undefined;
    for (const recordKey of recordKeys.slice(0, perPage)) {
      const recordEntry = this.store.records.get(recordKey);
      if (!recordEntry?.record) return undefined;
      if (recordEntry.fields !== covering && !covers(recordEntry.fields, fields)) return undefined;
      covering = recordEntry.fields;
      rows.push(recordEntry.record);
      bytes += recordEntry.bytes;
    }
    return { rows, bytes, sentAt, cursor: recordKeys.length > perPage ? rows.at(-1)?.internalId : cursor };
  }

  addRecords({ rows, bytes: total, sentAt }: Page, fields: FieldTree): string[] {
    const bytes = Math.ceil(total / Math.max(1, rows.length));
    return rows
      .filter(isRow)
      .map((record) => this.addRecord(record.internalId, { record, fields, bytes, sentAt }));
  }

  addPage(page: Page, { fields, perPage }: PageQuery, pageKey: string): void {
    const { rows, cursor, sentAt } = page;
    const recordKeys = this.addRecords(page, fields);
    if (recordKeys.length < rows.length) return;
    const storeKey = this.prefix + pageKey;
    const existing = this.store.pages.get(storeKey) ?? { sentAt: 0, recordKeys: [] };
    // A longer page that begins with these records stays.
    const isStartOfExisting =
      cursor !== undefined &&
      existing.recordKeys.length > recordKeys.length &&
      recordKeys.every((recordKey, index) => recordKey === existing.recordKeys[index]);
    if (existing.sentAt > sentAt || isStartOfExisting) return;
    const bytes = ENTRY_BYTES + pageKey.length + KEY_BYTES * recordKeys.length;
    this.store.pages.set(storeKey, { recordKeys, perPage, cursor, bytes, sentAt });
  }

  addRecord(id: string, { record, fields, bytes, sentAt }: RecordEntry): string {
    const { records } = this.store;
    const storeKey = this.prefix + id;
    const existing = records.get(storeKey);
    const read = { record, fields, bytes: ENTRY_BYTES + bytes, sentAt };
    const [older, newer] = existing && existing.sentAt > sentAt ? [read, existing] : [existing, read];
    let entry = newer;
    if (older?.record && newer.record && !covers(newer.fields, older.fields)) {
      entry = {
        // An object's members stay those of one read.
        record: { ...older.record, ...newer.record },
        fields: { ...older.fields, ...newer.fields },
        bytes: older.bytes + newer.bytes,
        sentAt: newer.sentAt,
      };
    }
    // Merged fields expire with the oldest of them.
    const ttl = entry === read ? this.store.ttlMs : records.getRemainingTTL(storeKey);
    records.set(storeKey, entry, { ttl });
    return storeKey;
  }
}
