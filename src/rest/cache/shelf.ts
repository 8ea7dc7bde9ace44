import { compositeKey } from '../../composite-key.ts';
import { covers, type Fields } from '../fields.ts';
import type { Page, Row } from '../resource.ts';
import type { Introspection } from '../tokens.ts';
import { mergeRecord, type ReadRecord } from './merge.ts';

/** Memory of an entry in addition to its value. */
const ENTRY_BYTES = 300;

/** How a record is looked up: the filter that takes its key, and the field that contains it. */
export interface Key {
  readonly filter: string;
  readonly field: string;
}

export const BY_ID = { filter: 'ids', field: 'internalId' } as const;

interface Entry {
  readonly bytes: number;
  /** By `performance.now()`, like the moment when its call was sent. */
  readonly expiresAt: number;
  readonly sentAt: number;
}

/** A record with the fields that were read of it, or null if there is none. */
interface KeptRecord extends Entry {
  readonly read: ReadRecord | null;
}

interface PageQuery {
  readonly fields: Fields;
  readonly perPage: number;
}

export interface KeptIntrospection {
  readonly introspection: Introspection;
  readonly bytes: number;
}

/**
 * What one credential has read of one list in one administration. A page is the ids of its records, so that it shows
 * what was read of each last, for whichever selection. What a call brings never replaces what a later call has brought.
 */
export class Shelf {
  bytes = 0;
  readonly #ttlMs: number;
  readonly #onChange: (shelf: Shelf) => void;
  readonly #records = new Map<string, KeptRecord>();
  /** By another key than the id: the id, or null if there is no record. */
  readonly #ids = new Map<string, Entry & { readonly id: string | null }>();
  /** By the list, and the row that they start behind. */
  readonly #pages = new Map<string, Entry & Pick<Page, 'cursor'> & { perPage: number; ids: string[] }>();
  /** By the application that was told. */
  readonly #introspections = new Map<string, Entry & KeptIntrospection>();

  constructor(ttlMs: number, onChange: (shelf: Shelf) => void) {
    this.#ttlMs = ttlMs;
    this.#onChange = onChange;
  }

  get entries(): number {
    return this.#records.size + this.#ids.size + this.#pages.size + this.#introspections.size;
  }

  /** A page whose records have all these fields, or the first rows of a longer one. */
  page(key: string, { fields, perPage }: PageQuery): Page | undefined {
    const kept = freshIn(this.#pages, key);
    if (kept === undefined) return undefined;
    const { ids, cursor } = kept;
    // A page with fewer rows than requested is complete, or the most that the service returns at a time.
    if (ids.length < perPage && cursor !== undefined && kept.perPage !== perPage) return undefined;
    const now = performance.now();
    const rows: Row[] = [];
    let bytes = 0;
    let covering: Fields | undefined;
    for (const id of ids) {
      if (rows.length === perPage) break;
      const record = this.#records.get(id);
      if (!record?.read || record.expiresAt <= now) return undefined;
      if (record.read.fields !== covering && !covers(record.read.fields, fields)) return undefined;
      covering = record.read.fields;
      rows.push(record.read.record);
      bytes += record.bytes;
    }
    return { rows, bytes, sentAt: 0, cursor: ids.length > perPage ? ids[perPage - 1] : cursor };
  }

  /** Keeps the records of a page and, if there is a key and no row is invalid, the page. */
  addPage({ rows, bytes, cursor, sentAt }: Page, { fields, perPage }: PageQuery, key?: string): void {
    const ofRecord = this.#entry(Math.ceil(bytes / Math.max(1, rows.length)), sentAt);
    const ids: string[] = [];
    for (const record of rows) {
      if (record instanceof Error) continue;
      ids.push(record.internalId);
      this.#addRecord({ record, fields }, ofRecord);
    }
    if (key !== undefined && ids.length === rows.length) {
      const known = freshIn(this.#pages, key)?.ids ?? [];
      // A longer page that begins with these records stays.
      const isPart =
        cursor !== undefined && known.length > ids.length && ids.every((id, at) => id === known[at]);
      const entry = this.#entry(8 * ids.length, sentAt);
      if (!isPart) this.#set(this.#pages, key, { ...entry, ids, cursor, perPage });
    }
    this.#changed();
  }

  record({ filter, field }: Key, value: string): KeptRecord | undefined {
    if (filter === BY_ID.filter) return freshIn(this.#records, value);
    const found = freshIn(this.#ids, compositeKey(filter, value));
    if (found === undefined) return undefined;
    if (found.id === null) return { ...found, read: null };
    const record = freshIn(this.#records, found.id);
    // A later read may have returned the record with another key.
    return record?.read?.record[field] === value ? record : undefined;
  }

  /** Keeps which record a lookup has found by another key than its id, or that there is none. */
  addKey({ filter }: Key, value: string, id: string | null, sentAt: number): void {
    const entry = this.#entry(value.length, sentAt);
    if (filter !== BY_ID.filter) this.#set(this.#ids, compositeKey(filter, value), { ...entry, id });
    else this.#set(this.#records, value, { ...entry, read: null });
    this.#changed();
  }

  introspection(application: string): KeptIntrospection | undefined {
    return freshIn(this.#introspections, application);
  }

  addIntrospection(application: string, { introspection, bytes }: KeptIntrospection, sentAt: number): void {
    this.#set(this.#introspections, application, { ...this.#entry(bytes, sentAt), introspection });
    this.#changed();
  }

  #addRecord(read: ReadRecord, entry: Entry): void {
    const { internalId } = read.record;
    const known = freshIn(this.#records, internalId);
    const isLater = known !== undefined && known.sentAt > entry.sentAt;
    const [older, newer] = isLater ? [read, known.read] : [known?.read, read];
    if (!older || !newer || covers(newer.fields, older.fields)) {
      this.#set(this.#records, internalId, { ...entry, read });
      return;
    }
    // It expires with its older part; otherwise that part would never expire.
    const bytes = entry.bytes + (known?.bytes ?? 0);
    const sentAt = Math.max(entry.sentAt, known?.sentAt ?? 0);
    const merged = { ...entry, ...known, bytes, sentAt, read: mergeRecord(older, newer) };
    this.#set(this.#records, internalId, merged);
  }

  #entry(bytes: number, sentAt: number): Entry {
    return { bytes: ENTRY_BYTES + bytes, sentAt, expiresAt: performance.now() + this.#ttlMs };
  }

  #set<Kept extends Entry>(entries: Map<string, Kept>, key: string, entry: Kept): void {
    const before = entries.get(key);
    if (before && before.sentAt > entry.sentAt) return;
    this.bytes += entry.bytes - (before?.bytes ?? 0);
    // Behind all others: they expire in the order in which they were added.
    entries.delete(key);
    entries.set(key, entry);
  }

  #changed(): void {
    const now = performance.now();
    for (const entries of [this.#records, this.#ids, this.#pages, this.#introspections]) {
      for (const [key, { expiresAt, bytes }] of entries) {
        if (expiresAt > now) break;
        entries.delete(key);
        this.bytes -= bytes;
      }
    }
    this.#onChange(this);
  }
}

function freshIn<Kept extends Entry>(entries: Map<string, Kept>, key: string): Kept | undefined {
  const entry = entries.get(key);
  return entry && entry.expiresAt > performance.now() ? entry : undefined;
}
