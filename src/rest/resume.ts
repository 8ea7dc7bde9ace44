import { RestError } from './errors.ts';
import type { ListPosition } from './list-pages.ts';
import type { ReadRow } from './resource.ts';

/** By chance, as many are in order once in 40,000 times. */
const MIN_ORDERED_ROWS = 8;

/**
 * Tells the rows that stand before a caller's position from those after it, where a list is read again from an earlier
 * place because the position's own row has been deleted.
 */
export class RowsBefore {
  /** To go on from, if they still exist: the position's own first. */
  readonly cursors: readonly { readonly cursor: string; readonly stepsBack: number }[];
  readonly #ids: readonly string[];
  readonly #areAllKnown: boolean;
  /** Set if rows are told by the order of their ids: the last one before the position, and what was read so far. */
  #order: { readonly end: string; latest: string; rows: number } | undefined;
  /** Whether rows up to the position are still to come. */
  areExpected = false;

  constructor({ cursor, before = [], isFromStart = false }: ListPosition) {
    this.#ids = [cursor, ...before];
    this.cursors = this.#ids.map((id, stepsBack) => ({ cursor: id, stepsBack }));
    this.#areAllKnown = isFromStart;
  }

  /**
   * To be called before the list is read from its start. Returns false if nothing tells which rows stand before the
   * position: not all are known, and those that are known are not in the order of their ids.
   */
  startAnew(): boolean {
    if (this.#areAllKnown) return true;
    const [end = '', ...before] = this.#ids;
    const areOrdered = before.every((id, index) => isAfter(this.#ids[index] ?? '', id));
    if (before.length === 0 || !areOrdered) return false;
    this.#order = { end, latest: '', rows: this.#ids.length };
    this.areExpected = true;
    return true;
  }

  /** Returns the rows after the position; undefined if the order of rows does not tell which these are. */
  skip(rows: readonly ReadRow[]): readonly ReadRow[] | undefined {
    const order = this.#order;
    if (order === undefined)
      return rows.filter((row) => row instanceof RestError || !this.#ids.includes(row.internalId));
    const after: ReadRow[] = [];
    let areSkipped = false;
    for (const row of rows) {
      if (row instanceof RestError) {
        if (!this.areExpected || after.length > 0) after.push(row);
        continue;
      }
      if (this.areExpected && !isAfter(row.internalId, order.latest)) return undefined;
      order.latest = row.internalId;
      order.rows += 1;
      if (isAfter(row.internalId, order.end)) after.push(row);
      else areSkipped = true;
    }
    // A few rows may be in the order of their ids by chance, and a row that is skipped wrongly would be lost.
    if (areSkipped && order.rows < MIN_ORDERED_ROWS) return undefined;
    if (after.length > 0) this.areExpected = false;
    return after;
  }
}

/** In the order of numbers, or of bytes of one length: of two ids the longer one is greater. */
function isAfter(id: string, other: string): boolean {
  return id.length === other.length ? id > other : id.length > other.length;
}
