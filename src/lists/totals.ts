import type { Row } from '../rest/resource.ts';
import type { Member, Members } from '../rest/values.ts';
import { readValue, type Unreadable } from './columns.ts';
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
  readonly decimal: Decimal;
  readonly raw: string | number;
}

interface Sum {
  readonly member: Member;
  value: Decimal;
  count: number;
  min?: Extreme;
  max?: Extreme;
}

const ZERO: Decimal = { units: 0n, scale: 0 };

/** Adds up members of rows, exactly, so far as values can be read. */
export class Sums {
  /** How many rows there are. */
  count = 0;
  readonly #unreadable: Unreadable;
  readonly #sums: ReadonlyMap<string, Sum>;

  constructor(members: Members, unreadable: Unreadable) {
    this.#unreadable = unreadable;
    this.#sums = new Map(
      Object.entries(members).map(([name, member]) => [name, { member, value: ZERO, count: 0 }]),
    );
  }

  add(row: Row): void {
    this.count += 1;
    for (const [name, sum] of this.#sums) {
      const raw = row[name];
      const read = readValue(sum.member, raw, name, this.#unreadable);
      if (read === null || !(typeof raw === 'string' || typeof raw === 'number')) continue;
      const decimal = typeof read === 'object' ? read : { units: BigInt(raw), scale: 0 };
      const own = { decimal, raw };
      sum.value = addDecimals(sum.value, decimal);
      sum.count += 1;
      // Of equal amounts, which may be written differently, the first counts.
      if (sum.min === undefined || compareDecimals(decimal, sum.min.decimal) < 0) sum.min = own;
      if (sum.max === undefined || compareDecimals(decimal, sum.max.decimal) > 0) sum.max = own;
    }
  }

  sumOf(name: string): Decimal {
    return this.#sums.get(name)?.value ?? ZERO;
  }

  /** By the names of the members. */
  totals(): { readonly [name: string]: Totals } {
    const totals = Array.from(this.#sums, ([name, { value, count, min, max }]): [string, Totals] => {
      const average = count === 0 ? null : decimalText(divideDecimal(value, count));
      return [
        name,
        { sum: decimalText(value), average, min: min?.raw ?? null, max: max?.raw ?? null, count },
      ];
    });
    return Object.fromEntries(totals);
  }
}
