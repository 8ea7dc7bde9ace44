import { getOrCreate } from '../memoize.ts';
import type { Row } from '../rest/resource.ts';
import type { Member, Members } from '../rest/values.ts';
import {
  type Column,
  comparePrimitives,
  compareValues,
  readColumn,
  readValue,
  type Unreadable,
} from './columns.ts';
import type { Criterion } from './order.ts';
import type { Collation } from './text.ts';
import type { ToLocal } from './time-zones.ts';
import { addDecimals, compareDecimals, type Decimal, divideDecimal, formatDecimal } from './values.ts';

interface NumericValue {
  readonly raw: string | number;
  readonly decimal: Decimal;
}

interface RunningTotal {
  readonly member: Member;
  sum: Decimal;
  count: number;
  min?: NumericValue;
  max?: NumericValue;
}

const ZERO: Decimal = { units: 0n, scale: 0 };

/** Adds up members of rows exactly, without unreadable values. */
export class TotalsAccumulator {
  count = 0;
  readonly #totals = new Map<string, RunningTotal>();

  constructor(
    members: Members,
    private readonly unreadable: Unreadable,
  ) {
    for (const [name, member] of Object.entries(members))
      this.#totals.set(name, { member, sum: ZERO, count: 0 });
  }

  add(row: Row): void {
    this.count += 1;
    for (const [name, total] of this.#totals) {
      const raw = row[name];
      const value = readValue(total.member, raw, name, this.unreadable);
      if (value === null || !(typeof raw === 'string' || typeof raw === 'number')) continue;
      const decimal = typeof value === 'object' ? value : { units: BigInt(raw), scale: 0 };
      total.sum = addDecimals(total.sum, decimal);
      total.count += 1;
      // `1.0` and `1.00` are equal: keep the spelling that came first.
      if (!total.min || compareDecimals(decimal, total.min.decimal) < 0) total.min = { raw, decimal };
      if (!total.max || compareDecimals(decimal, total.max.decimal) > 0) total.max = { raw, decimal };
    }
  }

  getSum(name: string): Decimal {
    return this.#totals.get(name)?.sum ?? ZERO;
  }

  /** Returns the totals of each member, and the number of rows. `min` and `max` are as the service sent them. */
  totals(): { readonly [name: string]: unknown } {
    const totals = Array.from(this.#totals, ([name, { sum, count, min, max }]) => {
      const average = count === 0 ? null : formatDecimal(divideDecimal(sum, count));
      return [name, { sum: formatDecimal(sum), average, min: min?.raw, max: max?.raw, count }];
    });
    return { count: this.count, ...Object.fromEntries(totals) };
  }
}

/** Groups rows by a column, or by the day, month or year of a timestamp. */
export interface Grouping {
  readonly column: Column;
  readonly unit?: keyof typeof UNIT_LENGTHS;
}

/** The length of a timestamp's prefix: `2024-05-01` for a day. */
const UNIT_LENGTHS = { DAY: 10, MONTH: 7, YEAR: 4 } as const;

export type GroupCriterion = Criterion<'key' | 'thenKey' | 'count' | { readonly sumOf: string }>;

export interface GroupRequest {
  readonly by: Grouping;
  readonly thenBy?: Grouping | null | undefined;
  readonly orderBy: readonly GroupCriterion[];
  readonly toLocal: ToLocal;
  readonly summed: Members;
  /** Whether each group keeps its rows, so that `top` can take the first ones. */
  readonly keepsRows: boolean;
}

interface GroupKey {
  /** Orders groups: the sort key of a text, or null for rows without a value. */
  readonly sortKey: string | null;
  /** The spelling of the first row. */
  readonly spelling: string | null;
  /** How many rows have the key, with any second key. */
  rowCount: number;
}

/** Rows with one or two values in common. */
export interface Group {
  readonly key: GroupKey;
  readonly thenKey: GroupKey;
  readonly accumulator: TotalsAccumulator;
  readonly rows: Row[];
}

type Compare = (a: Group, b: Group) => number;

/**
 * Groups rows. Texts that differ only in case and accents form one group. A row with several values belongs to several
 * groups. By default, days, months and years are in chronological order and other groups largest first; so are second
 * keys under each first one.
 */
export function createGroups(request: GroupRequest, collation: Collation, unreadable: Unreadable) {
  const { by, thenBy, orderBy, summed, keepsRows } = request;
  const groups = new Map<GroupKey, Map<GroupKey, Group>>();
  const readKeys = createKeyReader(by, request, collation, unreadable);
  const readThenKeys = createKeyReader(thenBy, request, collation, unreadable);
  return {
    add(row: Row): void {
      const thenKeys = readThenKeys(row);
      for (const key of readKeys(row)) {
        const groupsOfKey = getOrCreate(groups, key, () => new Map<GroupKey, Group>());
        for (const thenKey of thenKeys) {
          const group = getOrCreate<GroupKey, Group>(groupsOfKey, thenKey, () => {
            return { key, thenKey, accumulator: new TotalsAccumulator(summed, unreadable), rows: [] };
          });
          group.accumulator.add(row);
          if (keepsRows) group.rows.push(row);
        }
        key.rowCount += 1;
      }
    },

    sort(): Group[] {
      // Groups that are equal in `orderBy` have their default order.
      const comparisons: Compare[] = [
        ...orderBy.map((criterion) => createComparison(criterion, request)),
        (a, b) => (by.unit ? 0 : b.key.rowCount - a.key.rowCount),
        (a, b) => compareKeys(a.key, b.key),
        (a, b) => (thenBy?.unit ? 0 : b.accumulator.count - a.accumulator.count),
        (a, b) => compareKeys(a.thenKey, b.thenKey),
      ];
      return [...groups.values()]
        .flatMap((groupsOfKey) => [...groupsOfKey.values()])
        .sort((a, b) => comparisons.reduce((order, compare) => order || compare(a, b), 0));
    },
  };
}

/** Returns a function that reads the distinct keys of a row. */
function createKeyReader(
  by: GroupRequest['thenBy'],
  { toLocal }: GroupRequest,
  collation: Collation,
  unreadable: Unreadable,
) {
  const groupKeys = new Map<string | null, GroupKey>();
  const isText = by?.column.member.kind === 'text';
  const getGroupKey = (identity: string | null, spelling: string | null) =>
    getOrCreate(groupKeys, identity, () => {
      const hasSortKey = isText && identity !== null && spelling !== null;
      const sortKey = hasSortKey ? collation.sortKey(collation.normalize(spelling, identity)) : identity;
      return { sortKey, spelling, rowCount: 0 };
    });
  return (row: Row): Set<GroupKey> => {
    const keys = (by ? readColumn(row, by.column, unreadable) : []).map(({ raw, value }) => {
      const identity = by?.unit ? toLocal(String(value)).slice(0, UNIT_LENGTHS[by.unit]) : String(value);
      return getGroupKey(identity, isText ? String(raw) : identity);
    });
    return new Set(keys.length > 0 ? keys : [getGroupKey(null, null)]);
  };
}

function createComparison({ field, direction }: GroupCriterion, { by, thenBy }: GroupRequest): Compare {
  const sign = direction === 'DESC' ? -1 : 1;
  if (field === 'count') return (a, b) => sign * (a.accumulator.count - b.accumulator.count);
  if (typeof field === 'object')
    return (a, b) =>
      sign * compareDecimals(a.accumulator.getSum(field.sumOf), b.accumulator.getSum(field.sumOf));
  const { member } = (field === 'key' ? by : (thenBy ?? by)).column;
  const compare = (x: string, y: string) =>
    member.kind === 'int' ? Number(x) - Number(y) : compareValues(member, x, y);
  return (a, b) => compareKeys(a[field], b[field], (x, y) => sign * compare(x, y));
}

/** Groups without a value come last in both directions. */
function compareKeys(
  { sortKey: a }: GroupKey,
  { sortKey: b }: GroupKey,
  compare: (a: string, b: string) => number = comparePrimitives,
): number {
  return a === null || b === null ? Number(a === null) - Number(b === null) : compare(a, b);
}
