import { getOrCreate } from '../memoize.ts';
import type { Row } from '../rest/resource.ts';
import type { Member, Members } from '../rest/values.ts';
import { type Column, compareCodes, compareValues, readValue, type Unreadable, valuesIn } from './columns.ts';
import type { Criterion } from './order.ts';
import type { Collation } from './text.ts';
import { addDecimals, compareDecimals, type Decimal, decimalText, divideDecimal } from './values.ts';

/** A value as it was sent, and as it is added up. */
interface Summand {
  readonly raw: string | number;
  readonly decimal: Decimal;
}

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
  count = 0;
  readonly #sums = new Map<string, Sum>();

  constructor(
    members: Members,
    private readonly unreadable: Unreadable,
  ) {
    for (const [name, member] of Object.entries(members))
      this.#sums.set(name, { member, value: ZERO, count: 0 });
  }

  add(row: Row): void {
    this.count += 1;
    for (const [name, sum] of this.#sums) {
      const raw = row[name];
      const read = readValue(sum.member, raw, name, this.unreadable);
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

  /** By the names of the members, beside the number of rows. `min` and `max` are as the service sent them. */
  totals(): { readonly [name: string]: unknown } {
    const totals = Array.from(this.#sums, ([name, { value, count, min, max }]) => {
      const average = count === 0 ? null : decimalText(divideDecimal(value, count));
      return [name, { sum: decimalText(value), average, min: min?.raw, max: max?.raw, count }];
    });
    return { count: this.count, ...Object.fromEntries(totals) };
  }
}

/** What rows are grouped by: a column or, of a moment, a part of it. */
export interface Grouping {
  readonly column: Column;
  readonly part?: keyof typeof MOMENT_PARTS;
}

/** How many characters of a moment in UTC tell the part: `2024-05-01`. */
const MOMENT_PARTS = { DAY: 10, MONTH: 7, YEAR: 4 } as const;

/** What groups are ordered by: one of their keys, how many rows they have, or the sum of a member. */
export type GroupCriterion = Criterion<'key' | 'thenKey' | 'count' | { readonly sumOf: string }>;

export interface GroupRequest {
  readonly by: Grouping;
  readonly thenBy?: Grouping | null | undefined;
  readonly orderBy: readonly GroupCriterion[];
  /** The members to add up. */
  readonly summed: Members;
}

interface GroupKey {
  /** What it is ordered by: of a text, its key in an order. Null for the rows without a value. */
  readonly place: string | null;
  /** As the first row has it. */
  readonly text: string | null;
  /** How many rows have it. */
  count: number;
}

/** Rows that have a value in common, or two. */
interface Group {
  readonly key: GroupKey;
  readonly thenKey: GroupKey;
  readonly sums: Sums;
}

type Compare = (a: Group, b: Group) => number;

/**
 * Groups rows. Texts that are equal without case and accents are one group, with the spelling of the first row. A row
 * with several values belongs to a group of each. Parts of moments come in the order of time, and other groups the
 * largest first; groups by a second value so within each group by the first.
 */
export function createGroups(request: GroupRequest, collation: Collation, unreadable: Unreadable) {
  const { by, thenBy, orderBy, summed } = request;
  const groups = new Map<GroupKey, Map<GroupKey, Group>>();
  const keysBy = keyReader(by, collation, unreadable);
  const keysThenBy = keyReader(thenBy, collation, unreadable);
  return {
    add(row: Row): void {
      const thenKeys = keysThenBy(row);
      for (const key of keysBy(row)) {
        const inner = getOrCreate(groups, key, () => new Map<GroupKey, Group>());
        for (const thenKey of thenKeys) {
          const create = () => ({ key, thenKey, sums: new Sums(summed, unreadable) });
          getOrCreate(inner, thenKey, create).sums.add(row);
        }
        key.count += 1;
      }
    },

    inOrder(): Group[] {
      // Groups that are equal in all criteria are in the order that they have by themselves.
      const comparisons: Compare[] = [
        ...orderBy.map((criterion) => comparison(criterion, request)),
        (a, b) => (by.part ? 0 : b.key.count - a.key.count),
        (a, b) => compareKeys(a.key, b.key),
        (a, b) => (thenBy?.part ? 0 : b.sums.count - a.sums.count),
        (a, b) => compareKeys(a.thenKey, b.thenKey),
      ];
      return [...groups.values()]
        .flatMap((inner) => [...inner.values()])
        .sort((a, b) => comparisons.reduce((found, compare) => found || compare(a, b), 0));
    },
  };
}

/** Reads the keys of the groups that a row belongs to, each once. */
function keyReader(by: GroupRequest['thenBy'], collation: Collation, unreadable: Unreadable) {
  const known = new Map<string | null, GroupKey>();
  const isText = by?.column.member.kind === 'text';
  const keyOf = (name: string | null, text: string | null) =>
    getOrCreate(known, name, () => {
      const isOrdered = isText && name !== null && text !== null;
      return { place: isOrdered ? collation.sortKey(collation.normalize(text, name)) : name, text, count: 0 };
    });
  return (row: Row): Set<GroupKey> => {
    const keys = (by ? valuesIn(row, by.column, unreadable) : []).map(({ raw, value }) => {
      const name = by?.part ? String(value).slice(0, MOMENT_PARTS[by.part]) : String(value);
      return keyOf(name, isText ? String(raw) : name);
    });
    return new Set(keys.length > 0 ? keys : [keyOf(null, null)]);
  };
}

function comparison({ field: what, direction }: GroupCriterion, { by, thenBy }: GroupRequest): Compare {
  const sign = direction === 'DESC' ? -1 : 1;
  if (what === 'count') return (a, b) => sign * (a.sums.count - b.sums.count);
  if (typeof what === 'object')
    return (a, b) => sign * compareDecimals(a.sums.sumOf(what.sumOf), b.sums.sumOf(what.sumOf));
  const { member } = (what === 'key' ? by : (thenBy ?? by)).column;
  const compare = (one: string, other: string) =>
    member.kind === 'int' ? Number(one) - Number(other) : compareValues(member, one, other);
  return (a, b) => compareKeys(a[what], b[what], (one, other) => sign * compare(one, other));
}

/** Groups without a value come last in both directions. */
function compareKeys(
  { place: a }: GroupKey,
  { place: b }: GroupKey,
  compare: (a: string, b: string) => number = compareCodes,
): number {
  return a === null || b === null ? Number(a === null) - Number(b === null) : compare(a, b);
}
