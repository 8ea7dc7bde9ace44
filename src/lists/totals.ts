import type { Row } from '../rest/resource.ts';
import type { Member, Members } from '../rest/values.ts';
import { readValue, type Unreadable } from './columns.ts';
import { addDecimals, compareDecimals, type Decimal, decimalText, divideDecimal } from './values.ts';

/** A value as it was sent, and as it is added up. */
interface Summand {
  readonly raw: string | number;
  readonly decimal: Decimal;
}

/** The sum of an amount or a number. */
interface Sum {
  readonly member: Member;
  value: Decimal;
  count: number;
  min?: Summand;
  max?: Summand;
}

const ZERO: Decimal = { units: 0n, scale: 0 };

/** Adds up members of rows, exactly, so far as values can be read. */
export class Sums {
  /** How many rows there are. */
  count = 0;
  readonly #unreadable: Unreadable;
  readonly #sums = new Map<string, Sum>();

  constructor(members: Members, unreadable: Unreadable) {
    this.#unreadable = unreadable;
    for (const [name, member] of Object.entries(members))
      this.#sums.set(name, { member, value: ZERO, count: 0 });
  }

  add(row: Row): void {
    this.count += 1;
    for (const [name, sum] of this.#sums) {
      const raw = row[name];
      const read = readValue(sum.member, raw, name, this.#unreadable);
      if (read === null || !(typeof raw === 'string' || typeof raw === 'number')) continue;
      const decimal = typeof read === 'object' ? read : { units: BigInt(raw), scale: 0 };
      sum.value = addDecimals(sum.value, decimal);
      sum.count += 1;
      // Of equal amounts, which may be written differently, the first counts.
      if (!sum.min || compareDecimals(decimal, sum.min.decimal) < 0) sum.min = { raw, decimal };
      if (!sum.max || compareDecimals(decimal, sum.max.decimal) > 0) sum.max = { raw, decimal };
    }
  }

  sumOf(name: string): Decimal {
    return this.#sums.get(name)?.value ?? ZERO;
  }

  /** By the names of the members. `min` and `max` are as the service sent them. */
  totals(): { readonly [name: string]: object } {
    const totals = Array.from(this.#sums, ([name, { value, count, min, max }]) => {
      const average = count === 0 ? null : decimalText(divideDecimal(value, count));
      return [name, { sum: decimalText(value), average, min: min?.raw, max: max?.raw, count }];
    });
    return Object.fromEntries(totals);
  }
}
