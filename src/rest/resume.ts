import { RestError } from './errors.ts';
import type { ListPosition } from './list-pages.ts';
import type { ReadRow } from './resource.ts';

/**
 * Tells the rows that stand before a caller's position from those after it, where a list is read again from an earlier
 * place because the position's own row has been deleted.
 */
export class RowsBefore {
  /** To go on from, if they still exist: the position's own first. */
  readonly cursors: readonly string[];
  readonly #ids: ReadonlySet<string>;
  readonly #areAllKnown: boolean;
  /** Set while rows are told by their ids alone: the greatest id so far, the one to get past, and how many agree. */
  #order: { latest: string | undefined; readonly end: string; rows: number } | undefined;
  /** What the order of rows has shown to be the last id before the position: a walk that steps back meets some again. */
  #end: string | undefined;

  constructor({ cursor, before = [], isFromStart = false }: ListPosition) {
    this.cursors = [cursor, ...before];
    this.#ids = new Set(this.cursors);
    this.#areAllKnown = isFromStart;
  }

  /**
   * To be called before the list is read from its start. Returns false if nothing tells which rows stand before the
   * position: not all are known, and those that are known are not in the order of their ids.
   */
  startAnew(): boolean {
    if (this.#areAllKnown) return true;
    const [last, ...before] = this.#ids;
    if (last === undefined || before.length === 0) return false;
    let next = last;
    for (const id of before) {
      if (!this.#isAfter(next, id)) return false;
      next = id;
    }
    this.#order = { latest: undefined, end: last, rows: this.#ids.size };
    return true;
  }

  /** Whether rows up to the position are still to come. */
  get areExpected(): boolean {
    return this.#order !== undefined;
  }

  /** Returns the rows after the position; undefined if the order of rows does not tell which these are. */
  skip(rows: readonly ReadRow[]): readonly ReadRow[] | undefined {
    const order = this.#order;
    if (order === undefined)
      return rows.filter((row) => row instanceof RestError || !this.#isBefore(row.internalId));
    const after: ReadRow[] = [];
    let areSkipped = false;
    for (const row of rows) {
      if (row instanceof RestError) {
        if (after.length > 0) after.push(row);
        continue;
      }
      if (!this.#isAfter(row.internalId, order.latest)) return undefined;
      order.latest = row.internalId;
      order.rows += 1;
      if (this.#isAfter(row.internalId, order.end)) after.push(row);
      else areSkipped = true;
    }
    // A few rows may be in the order of their ids by chance, and a row that is skipped wrongly would be lost.
    if (areSkipped && order.rows < MIN_ORDERED_ROWS) return undefined;
    if (after.length > 0) {
      this.#order = undefined;
      if (order.rows >= MIN_ORDERED_ROWS) this.#end = order.end;
    }
    return after;
  }

  #isBefore(id: string): boolean {
    return this.#ids.has(id) || (this.#end !== undefined && !this.#isAfter(id, this.#end));
  }

  /** In the order of numbers, or of bytes of one length: of two ids the longer one is greater. */
  #isAfter(id: string, other: string | undefined): boolean {
    if (other === undefined) return true;
    return id.length === other.length ? id > other : id.length > other.length;
  }
}

/** By chance, as many are in order once in 40,000 times. */
const MIN_ORDERED_ROWS = 8;
