import type { Row } from '../rest/resource.ts';
import type { Members } from '../rest/values.ts';
import {
  type Column,
  compareIds,
  compareValues,
  type OnUnreadable,
  rawValues,
  readValue,
} from './columns.ts';
import type { TextOrder } from './text.ts';
import { Sum } from './totals.ts';
import { compareDecimals } from './values.ts';

/** What rows are grouped by: a column or, of a moment, a part of it. */
export interface Grouping {
  readonly column: Column;
  readonly part?: MomentPart;
}

/** How many characters of a moment in UTC tell the part: `2024-05-01`. */
export const MOMENT_PARTS = { DAY: 10, MONTH: 7, YEAR: 4 } as const;
export type MomentPart = keyof typeof MOMENT_PARTS;

/** What groups are ordered by: one of their keys, how many rows they have, or the sum of a member. */
export interface GroupCriterion {
  readonly by: 'key' | 'thenKey' | 'count' | { readonly sumOf: string };
  readonly isDescending: boolean;
}

/** What is asked for: groups by one value, or by two. */
export interface GroupRequest {
  readonly by: Grouping;
  readonly thenBy: Grouping | undefined;
  /** None for the order that groups have by themselves. */
  readonly orderBy: readonly GroupCriterion[];
  /** The members to add up. */
  readonly summed: Members;
}

interface GroupKey {
  /** What tells it apart: of a text, the folded one. Null for the rows without a value. */
  readonly name: string | null;
  /** What it is ordered by: of a text, its key in an order. */
  readonly place: string | null;
  /** As the row with the first id has it. */
  text: string | null;
  id: string;
}

/** Rows that have a value in common, or two. */
export interface Group {
  readonly key: GroupKey;
  readonly thenKey: GroupKey;
  readonly sums: ReadonlyMap<string, Sum>;
  count: number;
}

interface GroupOptions {
  readonly order: TextOrder;
  readonly onUnreadable: OnUnreadable;
}

/**
 * Groups rows. Texts that are equal without case and accents are one group, with the spelling of the row with the first
 * id. A row with several values belongs to a group of each. Parts of moments come in the order of time, and other groups
 * the largest first; groups by a second value so within each group by the first.
 */
export class Groups {
  readonly #request: GroupRequest;
  readonly #options: GroupOptions;
  readonly #keys = new Map<string | null, GroupKey>();
  readonly #thenKeys = new Map<string | null, GroupKey>();
  readonly #groups = new Map<GroupKey, Map<GroupKey, Group>>();

  constructor(request: GroupRequest, options: GroupOptions) {
    this.#request = request;
    this.#options = options;
  }

  add(row: Row): void {
    const { by, thenBy } = this.#request;
    const thenKeys = thenBy ? this.#keysOf(row, thenBy, this.#thenKeys) : [NO_KEY];
    for (const key of this.#keysOf(row, by, this.#keys)) {
      for (const thenKey of thenKeys) this.#addTo(key, thenKey, row);
    }
  }

  /** The groups that a row belongs to, each once. */
  #keysOf(row: Row, { column, part }: Grouping, keys: Map<string | null, GroupKey>): Set<GroupKey> {
    const { onUnreadable, order } = this.#options;
    const isText = column.member.kind === 'text';
    const found = new Set<GroupKey>();
    const add = (name: string | null, text: string | null) => {
      const place = isText && name !== null && !keys.has(name) ? order(name) : name;
      const key = keys.get(name) ?? { name, place, text, id: row.internalId };
      keys.set(name, key);
      if (compareIds(row.internalId, key.id) < 0) Object.assign(key, { text, id: row.internalId });
      found.add(key);
    };
    for (const raw of rawValues(row, column, onUnreadable)) {
      const value = readValue(column.member, raw, column.names.join('.'), onUnreadable);
      if (value === null) continue;
      const name = part ? String(value).slice(0, MOMENT_PARTS[part]) : String(value);
      add(name, isText ? String(raw) : name);
    }
    if (found.size === 0) add(null, null);
    return found;
  }

  #addTo(key: GroupKey, thenKey: GroupKey, row: Row): void {
    const { summed } = this.#request;
    const inner = this.#groups.get(key) ?? new Map<GroupKey, Group>();
    this.#groups.set(key, inner);
    const group: Group = inner.get(thenKey) ?? {
      key,
      thenKey,
      sums: new Map(Object.keys(summed).map((name) => [name, new Sum()])),
      count: 0,
    };
    inner.set(thenKey, group);
    group.count += 1;
    for (const [name, member] of Object.entries(summed))
      group.sums.get(name)?.add(row, name, member, this.#options.onUnreadable);
  }

  inOrder(): Group[] {
    const { by, thenBy, orderBy } = this.#request;
    const outer = [...this.#groups.values()].map((inner) => [...inner.values()]);
    const sizes = new Map(outer.map((groups) => [groups, groups.reduce((sum, { count }) => sum + count, 0)]));
    const byName = (which: 'key' | 'thenKey') => (a: Group, b: Group) =>
      compareKeys(a[which], b[which], false, compareCodes);
    outer.sort((a, b) => {
      const size = by.part ? 0 : (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0);
      return size || (a[0] && b[0] ? byName('key')(a[0], b[0]) : 0);
    });
    const bySize = (a: Group, b: Group) => (thenBy?.part ? 0 : b.count - a.count) || byName('thenKey')(a, b);
    const groups = outer.flatMap((inner) => inner.sort(bySize));
    const comparisons = orderBy.map((criterion) => comparison(criterion, this.#request));
    // Groups that are equal in all criteria stay in the order that they have by themselves.
    return comparisons.length === 0
      ? groups
      : groups.sort((a, b) => comparisons.reduce((found, compare) => found || compare(a, b), 0));
  }
}

const NO_KEY: GroupKey = { name: null, place: null, text: null, id: '' };

function comparison(
  { by: what, isDescending }: GroupCriterion,
  { by, thenBy }: GroupRequest,
): (a: Group, b: Group) => number {
  const sign = isDescending ? -1 : 1;
  if (what === 'count') return (a, b) => sign * (a.count - b.count);
  if (what === 'key' || what === 'thenKey') {
    const compare = keyOrder(what === 'key' ? by : (thenBy ?? by));
    return (a, b) => compareKeys(a[what], b[what], isDescending, compare);
  }
  const sumOf = (group: Group) => group.sums.get(what.sumOf)?.value ?? { units: 0n, scale: 0 };
  return (a, b) => sign * compareDecimals(sumOf(a), sumOf(b));
}

function keyOrder({ column: { member }, part }: Grouping) {
  return (a: string, b: string): number => {
    if (member.kind === 'int') return Number(a) - Number(b);
    return part ? compareIds(a, b) : compareValues(member, a, b);
  };
}

/** Groups without a value come last in both directions. */
function compareKeys(
  { place: a }: GroupKey,
  { place: b }: GroupKey,
  isDescending: boolean,
  compare: (a: string, b: string) => number,
): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return isDescending ? compare(b, a) : compare(a, b);
}

function compareCodes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
