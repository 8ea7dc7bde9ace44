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

/** A value as it was sent, and as it is added up. */
type Summand = readonly [decimal: Decimal, raw: string | number | null];

interface Sum {
  readonly member: Member;
  value: Decimal;
  count: number;
  min: Summand;
  max: Summand;
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
    const none: Summand = [ZERO, null];
    for (const [name, member] of Object.entries(members))
      this.#sums.set(name, { member, value: ZERO, count: 0, min: none, max: none });
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
      if (sum.count === 1 || compareDecimals(decimal, sum.min[0]) < 0) sum.min = [decimal, raw];
      if (sum.count === 1 || compareDecimals(decimal, sum.max[0]) > 0) sum.max = [decimal, raw];
    }
  }

  sumOf(name: string): Decimal {
    return this.#sums.get(name)?.value ?? ZERO;
  }

  /** By the names of the members. */
  totals(): { readonly [name: string]: Totals } {
    const totals = Array.from(this.#sums, ([name, { value, count, min, max }]): [string, Totals] => {
      const average = count === 0 ? null : decimalText(divideDecimal(value, count));
      return [name, { sum: decimalText(value), average, min: min[1], max: max[1], count }];
    });
    return Object.fromEntries(totals);
  }
}
