import { covers, type Fields } from '../fields.ts';
import { isRow, type Page, type Row } from '../resource.ts';

/** Memory of an entry in addition to its value. */
const ENTRY_BYTES = 300;

/** A record, and the fields that it was read with. */
export interface ReadRecord {
  readonly record: Row;
  readonly fields: Fields;
}

/** Merges two reads of a record, the later second. The members of an object stay those of one read. */
export function mergeRecord(known: ReadRecord, read: ReadRecord): ReadRecord {
  return { record: { ...known.record, ...read.record }, fields: { ...known.fields, ...read.fields } };
}

/** Its moments are of `performance.now()`. */
interface Entry {
  bytes: number;
  expiresAt: number;
  /** When its call was sent: what a call brings never replaces what a later call has brought. */
  sentAt: number;
}

/** Changed in place, since pages hold it too. */
type Slot = Entry & ReadRecord;

interface KeptPage extends Entry, Pick<Page, 'cursor'> {
  readonly slots: readonly Slot[];
}

export interface PageQuery {
  /** What is requested of each record, including what the gateway itself reads. */
  readonly fields: Fields;
  readonly perPage: number;
}

/**
 * What one credential has read of one list in one administration. A page holds the records and not what was read of
 * them, so that it shows what was read last, for whichever selection.
 */
export class Shelf {
  bytes = 0;
  readonly #ttlMs: number;
  readonly #onChange: (shelf: Shelf) => void;
  readonly #records = new Map<string, Slot>();
  /** By the list, and the row that they start behind; what a lookup by a key has found, or not found, is one as well. */
  readonly #pages = new Map<string, KeptPage>();

  constructor(ttlMs: number, onChange: (shelf: Shelf) => void) {
    this.#ttlMs = ttlMs;
    this.#onChange = onChange;
  }

  get entries(): number {
    return this.#records.size + this.#pages.size;
  }

  record(id: string): Slot | undefined {
    return freshIn(this.#records, id, performance.now());
  }

  /** A page whose records have all these fields, or the first rows of a longer one. */
  page(key: string, { fields, perPage }: PageQuery): Page | undefined {
    const now = performance.now();
    const kept = freshIn(this.#pages, key, now);
    if (kept === undefined) return undefined;
    const { slots, cursor } = kept;
    // A page with fewer rows than requested is complete if it is the last one.
    if (slots.length < perPage && cursor !== undefined) return undefined;
    const rows: Row[] = [];
    let bytes = 0;
    let covering: Fields | undefined;
    for (const slot of slots.slice(0, perPage)) {
      if (slot.expiresAt <= now) return undefined;
      if (slot.fields !== covering && !covers(slot.fields, fields)) return undefined;
      covering = slot.fields;
      rows.push(slot.record);
      bytes += slot.bytes;
    }
    return { rows, bytes, cursor: slots.length > perPage ? rows.at(-1)?.internalId : cursor };
  }

  /** Keeps the records of a page and, if there is a key and no row is invalid, the page. */
  addPage(page: Page, fields: Fields, key: string | undefined, sentAt: number): void {
    const { rows, cursor } = page;
    const now = performance.now();
    const expiresAt = now + this.#ttlMs;
    const bytes = ENTRY_BYTES + Math.ceil(page.bytes / Math.max(1, rows.length));
    const slots = rows
      .filter(isRow)
      .map((record) => this.#addRecord({ record, fields, bytes, sentAt, expiresAt }, now));
    if (key !== undefined && slots.length === rows.length) {
      const known = freshIn(this.#pages, key, now) ?? { sentAt: 0, slots: [] };
      // A longer page that begins with these records stays.
      const isPart =
        cursor !== undefined &&
        known.slots.length > slots.length &&
        slots.every((slot, at) => slot === known.slots[at]);
      const entry = { bytes: ENTRY_BYTES + key.length + 8 * slots.length, sentAt, expiresAt };
      if (known.sentAt <= sentAt && !isPart) this.#set(this.#pages, key, { ...entry, slots, cursor });
    }
    for (const entries of [this.#records, this.#pages]) {
      // In the order in which they were set, which nearly is that in which they expire.
      for (const [name, { expiresAt: end }] of entries) {
        if (end > now) break;
        this.#drop(entries, name);
      }
    }
    this.#onChange(this);
  }

  #addRecord(slot: Slot, now: number): Slot {
    const id = slot.record.internalId;
    const known = freshIn(this.#records, id, now);
    if (known === undefined) return this.#set(this.#records, id, slot);
    const isLater = known.sentAt > slot.sentAt;
    const [older, newer] = isLater ? [slot, known] : [known, slot];
    if (!covers(newer.fields, older.fields)) {
      Object.assign(slot, mergeRecord(older, newer));
      slot.bytes += known.bytes;
      slot.sentAt = newer.sentAt;
      // It expires with its older part; otherwise that part would never expire.
      slot.expiresAt = known.expiresAt;
    } else if (isLater) return known;
    this.#drop(this.#records, id);
    return this.#set(this.#records, id, Object.assign(known, slot));
  }

  #set<Kept extends Entry>(entries: Map<string, Kept>, key: string, entry: Kept): Kept {
    this.#drop(entries, key);
    entries.set(key, entry);
    this.bytes += entry.bytes;
    return entry;
  }

  #drop(entries: Map<string, Entry>, key: string): void {
    this.bytes -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  }
}

function freshIn<Kept extends Entry>(entries: Map<string, Kept>, key: string, now: number): Kept | undefined {
  const entry = entries.get(key);
  return entry && entry.expiresAt > now ? entry : undefined;
}
