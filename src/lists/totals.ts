import type { Row } from '../rest/resource.ts';
import type { Member } from '../rest/values.ts';
import { compareIds, type OnUnreadable, readValue } from './columns.ts';
import { addDecimals, compareDecimals, type Decimal, decimalText, divideDecimal } from './values.ts';

/** The totals of an amount or a number. `min` and `max` are as the service sent them. */
export interface Totals<Raw = string | number> {
  readonly sum: string;
  readonly average: string | null;
  readonly min: Raw | null;
  readonly max: Raw | null;
  readonly count: number;
}

interface Extreme {
  readonly id: string;
  readonly decimal: Decimal;
  readonly raw: string | number;
}

/** Adds up a member of rows, exactly, so far as values can be read. */
export class Sum {
  value: Decimal = { units: 0n, scale: 0 };
  #count = 0;
  #min: Extreme | undefined;
  #max: Extreme | undefined;

  add(row: Row, name: string, member: Member, onUnreadable: OnUnreadable): void {
    const raw = row[name];
    const read = readValue(member, raw, name, onUnreadable);
    if (read === null || !(typeof raw === 'string' || typeof raw === 'number')) return;
    const decimal = typeof read === 'object' ? read : { units: BigInt(raw), scale: 0 };
    const extreme = { decimal, raw, id: row.internalId };
    this.value = addDecimals(this.value, decimal);
    this.#count += 1;
    if (this.#min === undefined || isBefore(extreme, this.#min, 1)) this.#min = extreme;
    if (this.#max === undefined || isBefore(extreme, this.#max, -1)) this.#max = extreme;
  }

  totals(): Totals {
    return {
      sum: decimalText(this.value),
      average: this.#count === 0 ? null : decimalText(divideDecimal(this.value, this.#count)),
      min: this.#min?.raw ?? null,
      max: this.#max?.raw ?? null,
      count: this.#count,
    };
  }
}

/** Of equal amounts, which may be written differently, the one with the first id counts, in whichever order rows come. */
function isBefore(value: Extreme, other: Extreme, direction: 1 | -1): boolean {
  const order = compareDecimals(value.decimal, other.decimal) * direction;
  return order < 0 || (order === 0 && compareIds(value.id, other.id) < 0);
}
