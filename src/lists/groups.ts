import { isSliceOver } from '../limits/time-slice.ts';
import type { Row } from '../rest/resource.ts';
import {
  type Column,
  compareIds,
  compareValues,
  type RecordField,
  readColumn,
  type Value,
  type ValueOptions,
} from './record-fields.ts';
import { type Slices, sortSliced, visitSliced } from './slices.ts';
import type { TextRules } from './text-rules.ts';
import { addUp, ZERO } from './totals.ts';
import { compareDecimals, type Decimal, decimalBytes } from './values.ts';

/** What records are grouped by: a column or, of a moment, a part of it. */
export interface Grouping {
  readonly column: Column;
  readonly part?: MomentPart;
}

/** How many characters of a moment in UTC tell the part: `2024-05-01`. */
export const MOMENT_PARTS = { DAY: 10, MONTH: 7, YEAR: 4 } as const;
export type MomentPart = keyof typeof MOMENT_PARTS;

/** What groups are ordered by: one of their keys, how many records they have, or the sum of a field. */
export interface GroupCriterion {
  readonly by: 'key' | 'thenKey' | 'count' | RecordField;
  readonly isDescending: boolean;
}

/** What is asked for: groups by one value, or by two. */
export interface GroupRequest {
  readonly by: Grouping;
  readonly thenBy: Grouping | undefined;
  /** None for the order that groups have by themselves. */
  readonly orderBy: readonly GroupCriterion[];
}

/** Records that have a value in common, or two. */
interface Group {
  readonly key: GroupKey;
  readonly thenKey: GroupKey;
  readonly rows: readonly Row[];
}

interface GroupKey {
  /** What tells it apart: of a text, the folded one. Null for the records without a value. */
  readonly name: string | null;
  /** As the record with the first id has it. */
  text: string | null;
  id: string;
}

const NO_KEY: GroupKey = { name: null, text: null, id: '' };

interface KeyedRows {
  readonly key: GroupKey;
  readonly rows: Row[];
}

/** What the work on groups needs. */
interface GroupOptions extends ValueOptions {
  readonly slices: Slices;
  /** Told what groups take. */
  readonly hold: (bytes: number) => void;
}

/** The memory of a group without its texts, of a row in it, and of the sums that groups are ordered by. */
const GROUP_BYTES = 150;
const ROW_BYTES = 12;
const SUMS_BYTES = 250;

/**
 * Groups records. Texts that are equal without case and accents are one group, with the spelling of the record with the
 * first id. A record with several values belongs to a group of each. Parts of moments come in the order of time, and
 * other groups the largest first; groups by a second value so within each group by the first.
 */
export async function groupRows(
  rows: readonly Row[],
  { by, thenBy, orderBy }: GroupRequest,
  options: GroupOptions,
): Promise<Group[]> {
  const outer = await groupBy(rows, by, options, new Map());
  const groups: Group[] = [];
  // One spelling for all, whichever group they are in.
  const thenKeys = new Map<string | null, GroupKey>();
  for (const { key, rows: own } of outer) {
    if (isSliceOver()) await options.slices.nextSlice();
    if (thenBy === undefined) groups.push({ key, thenKey: NO_KEY, rows: own });
    else
      for (const inner of await groupBy(own, thenBy, options, thenKeys))
        groups.push({ key, thenKey: inner.key, rows: inner.rows });
  }
  return orderBy.length === 0 ? groups : orderGroups(groups, { by, thenBy, orderBy }, options);
}

async function groupBy(
  rows: readonly Row[],
  { column, part }: Grouping,
  options: GroupOptions,
  keys: Map<string | null, GroupKey>,
): Promise<KeyedRows[]> {
  const { rules, text, slices, hold } = options;
  const isText = column.shape.kind === 'text';
  const groups = new Map<string | null, KeyedRows>();
  const add = (row: Row, name: string | null, spelling: string | null) => {
    const id = text.decode(row.id);
    let key = keys.get(name);
    if (key === undefined) {
      key = { name, text: spelling, id };
      keys.set(name, key);
      hold(GROUP_BYTES + 2 * (id.length + (spelling?.length ?? 0) + (name?.length ?? 0)));
    } else if (compareIds(id, key.id) < 0) Object.assign(key, { text: spelling, id });
    const group = groups.get(name);
    // A record may have one value twice.
    if (group?.rows.at(-1) === row) return;
    hold(ROW_BYTES);
    if (group) group.rows.push(row);
    else {
      groups.set(name, { key, rows: [row] });
      hold(GROUP_BYTES);
    }
  };
  await visitSliced(rows, slices, (row) => {
    const values = readColumn(row, column, options);
    if (values.length === 0) add(row, null, null);
    for (const value of values) {
      const spelling = spellingOf(value, part);
      add(row, isText ? rules.fold(spelling) : spelling, spelling);
    }
  });
  const byName = (a: KeyedRows, b: KeyedRows) =>
    compareKeys(a.key, b.key, false, (one, other) => rules.compare(one, other));
  const bySize = (a: KeyedRows, b: KeyedRows) => b.rows.length - a.rows.length || byName(a, b);
  return sortSliced([...groups.values()], slices, part ? byName : bySize);
}

function spellingOf(value: Value, part: MomentPart | undefined): string {
  return part ? String(value).slice(0, MOMENT_PARTS[part]) : String(value);
}

/** Groups without a value come last in both directions. */
function compareKeys(
  { name: a }: GroupKey,
  { name: b }: GroupKey,
  isDescending: boolean,
  compare: (a: string, b: string) => number,
): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return isDescending ? compare(b, a) : compare(a, b);
}

/** Groups that are equal in all criteria stay in the order that they have by themselves. */
async function orderGroups(
  groups: readonly Group[],
  { by, thenBy, orderBy }: GroupRequest,
  options: GroupOptions,
): Promise<Group[]> {
  const { slices, hold, rules } = options;
  const summed = new Set(orderBy.flatMap(({ by: what }) => (typeof what === 'string' ? [] : what)));
  const sums = new Map<Group, Map<RecordField, Decimal>>();
  for (const group of summed.size > 0 ? groups : []) {
    const own = new Map<RecordField, Decimal>();
    hold(SUMS_BYTES);
    for (const field of summed) {
      const { sum } = await addUp(group.rows, field, options, slices);
      own.set(field, sum);
      hold(decimalBytes(sum));
    }
    sums.set(group, own);
  }
  const comparisons = orderBy.map(({ by: what, isDescending }): ((a: Group, b: Group) => number) => {
    const sign = isDescending ? -1 : 1;
    if (what === 'count') return (a, b) => sign * (a.rows.length - b.rows.length);
    if (what === 'key' || what === 'thenKey') {
      const compare = keyOrder(what === 'key' ? by : (thenBy ?? by), rules);
      return (a, b) => compareKeys(a[what], b[what], isDescending, compare);
    }
    const sumOf = (group: Group) => sums.get(group)?.get(what) ?? ZERO;
    return (a, b) => sign * compareDecimals(sumOf(a), sumOf(b));
  });
  return sortSliced(groups, slices, (a, b) => {
    for (const compare of comparisons) {
      const order = compare(a, b);
      if (order !== 0) return order;
    }
    return 0;
  });
}

function keyOrder({ column: { shape }, part }: Grouping, rules: TextRules) {
  return (a: string, b: string): number => {
    if (shape.kind === 'int') return Number(a) - Number(b);
    return part ? compareIds(a, b) : compareValues(shape, a, b, rules);
  };
}
