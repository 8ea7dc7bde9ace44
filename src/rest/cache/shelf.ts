import { compositeKey } from '../../composite-key.ts';
import { covers, type Fields } from '../fields.ts';
import { isRow, type Page, type Row } from '../resource.ts';

/** Memory of an entry in addition to its value. */
const ENTRY_BYTES = 300;

/** How a record is looked up: the filter that takes its key, and the field that contains it. */
export interface Key {
  readonly filter: string;
  readonly field: string;
}

export const BY_ID = { filter: 'ids', field: 'internalId' } as const;

/** A record, and the fields that it was read with. */
export interface ReadRecord {
  readonly record: Row;
  readonly fields: Fields;
}

/** Merges two reads of a record, the later second. The members of an object stay those of one read. */
export function mergeRecord(known: ReadRecord, read: ReadRecord): ReadRecord {
  return { record: { ...known.record, ...read.record }, fields: { ...known.fields, ...read.fields } };
}

interface Entry {
  bytes: number;
  /** By `performance.now()`, like the moment when its call was sent. */
  expiresAt: number;
  sentAt: number;
}

/** A record with the fields that were read of it, or null if there is none. Changed in place, since pages hold it too. */
interface Slot extends Entry {
  read: ReadRecord | null;
}

interface KeptPage extends Entry, Pick<Page, 'cursor'> {
  readonly slots: readonly Slot[];
  readonly perPage: number;
}

export interface PageQuery {
  /** What is requested of each record, including what the gateway itself reads. */
  readonly fields: Fields;
  readonly perPage: number;
}

/**
 * What one credential has read of one list in one administration. A page holds the records and not what was read of
 * them, so that it shows what was read last, for whichever selection. What a call brings never replaces what a later
 * call has brought.
 */
export class Shelf {
  bytes = 0;
  readonly #ttlMs: number;
  readonly #onChange: (shelf: Shelf) => void;
  readonly #records = new Map<string, Slot>();
  /** By the list, and the row that they start behind; what is found by another key than the id is a page as well. */
  readonly #pages = new Map<string, KeptPage>();
  /** When all that has expired is next removed. */
  #sweepAt: number;

  constructor(ttlMs: number, onChange: (shelf: Shelf) => void) {
    this.#ttlMs = ttlMs;
    this.#onChange = onChange;
    this.#sweepAt = performance.now() + ttlMs;
  }

  get entries(): number {
    return this.#records.size + this.#pages.size;
  }

  /** A page whose records have all these fields, or the first rows of a longer one. */
  page(key: string, { fields, perPage }: PageQuery): Page | undefined {
    const now = performance.now();
    const kept = freshIn(this.#pages, key, now);
    if (kept === undefined) return undefined;
    const { slots, cursor } = kept;
    // A page with fewer rows than requested is complete, or the most that the service returns at a time.
    if (slots.length < perPage && cursor !== undefined && kept.perPage !== perPage) return undefined;
    const rows: Row[] = [];
    let bytes = 0;
    let covering: Fields | undefined;
    for (const { read, expiresAt, bytes: own } of slots) {
      if (rows.length === perPage) break;
      if (read === null || expiresAt <= now) return undefined;
      if (read.fields !== covering && !covers(read.fields, fields)) return undefined;
      covering = read.fields;
      rows.push(read.record);
      bytes += own;
    }
    return { rows, bytes, sentAt: 0, cursor: slots.length > perPage ? rows.at(-1)?.internalId : cursor };
  }

  /** Keeps the records of a page and, if there is a key and no row is invalid, the page. */
  addPage(page: Page, { fields, perPage }: PageQuery, key: string | undefined): void {
    const { rows, cursor, sentAt } = page;
    const bytes = Math.ceil(page.bytes / Math.max(1, rows.length));
    const now = performance.now();
    const slots = rows
      .filter(isRow)
      .map((record) => this.#addRecord(record.internalId, { record, fields }, bytes, sentAt, now));
    if (key !== undefined && slots.length === rows.length) {
      const known = freshIn(this.#pages, key, now)?.slots ?? [];
      // A longer page that begins with these records stays.
      const isPart =
        cursor !== undefined && known.length > slots.length && slots.every((slot, at) => slot === known[at]);
      const entry = this.#entry(8 * slots.length, sentAt, now);
      if (!isPart) this.#set(this.#pages, key, { ...entry, slots, cursor, perPage });
    }
    this.#changed(now);
  }

  record({ filter, field }: Key, value: string): Slot | undefined {
    const now = performance.now();
    if (filter === BY_ID.filter) return freshIn(this.#records, value, now);
    const found = freshIn(this.#pages, compositeKey(filter, value), now);
    if (found === undefined) return undefined;
    const [slot] = found.slots;
    if (slot === undefined) return { ...found, read: null };
    // A later read may have returned the record with another key.
    return slot.expiresAt > now && slot.read?.record[field] === value ? slot : undefined;
  }

  /** Keeps which record a lookup has found by another key than its id, or that there is none. */
  addKey({ filter }: Key, value: string, id: string | null, sentAt: number): void {
    const now = performance.now();
    const slot = id === null ? undefined : this.#records.get(id);
    if (filter === BY_ID.filter) this.#addRecord(value, null, value.length, sentAt, now);
    else if (id === null || slot) {
      const page = { ...this.#entry(value.length, sentAt, now), slots: slot ? [slot] : [], perPage: 1 };
      this.#set(this.#pages, compositeKey(filter, value), page);
    }
    this.#changed(now);
  }

  #addRecord(id: string, read: ReadRecord | null, bytes: number, sentAt: number, now: number): Slot {
    const entry: Slot = { ...this.#entry(bytes, sentAt, now), read };
    const slot = this.#records.get(id);
    if (slot === undefined) return this.#set(this.#records, id, entry);
    const isLater = slot.sentAt > sentAt;
    const known = slot.expiresAt > now ? slot.read : null;
    const [older, newer] = isLater ? [read, known] : [known, read];
    if (older && newer && !covers(newer.fields, older.fields)) {
      entry.read = mergeRecord(older, newer);
      entry.bytes += slot.bytes;
      entry.sentAt = Math.max(slot.sentAt, sentAt);
      // It expires with its older part; otherwise that part would never expire.
      entry.expiresAt = slot.expiresAt;
    } else if (isLater) return slot;
    this.bytes += entry.bytes - slot.bytes;
    return Object.assign(slot, entry);
  }

  #entry(bytes: number, sentAt: number, now: number): Entry {
    return { bytes: ENTRY_BYTES + bytes, sentAt, expiresAt: now + this.#ttlMs };
  }

  #set<Kept extends Entry>(entries: Map<string, Kept>, key: string, entry: Kept): Kept {
    const before = entries.get(key);
    if (before && before.sentAt > entry.sentAt) return before;
    this.bytes += entry.bytes - (before?.bytes ?? 0);
    entries.set(key, entry);
    return entry;
  }

  #changed(now: number): void {
    if (now >= this.#sweepAt) {
      this.#sweepAt = now + this.#ttlMs;
      for (const entries of [this.#records, this.#pages]) {
        for (const [key, { expiresAt, bytes }] of entries) {
          if (expiresAt > now) continue;
          entries.delete(key);
          this.bytes -= bytes;
        }
      }
    }
    this.#onChange(this);
  }
}

function freshIn<Kept extends Entry>(entries: Map<string, Kept>, key: string, now: number): Kept | undefined {
  const entry = entries.get(key);
  return entry && entry.expiresAt > now ? entry : undefined;
}
