import { fold } from '../../src/lists/text.ts';
import { addDecimals, compareDecimals, divideDecimal, formatDecimal } from '../../src/lists/values.ts';
import { type ListSpec, type PathField, type PlainField, rawValues, restName } from './lists.ts';
import {
  compareIds,
  compareTexts,
  compareValues,
  decimalOf,
  momentOf,
  readText,
  readValue,
  type Value,
} from './values.ts';
import { holds, type Where } from './where.ts';

export interface Row {
  readonly id: string;
  readonly [field: string]: unknown;
}

export interface OrderTerm {
  readonly by: PathField;
  readonly direction: 'ASC' | 'DESC';
}

/** Where a row stands in an ordered list: what a cursor remembers. */
export interface Place {
  readonly values: readonly Value[];
  readonly id: string;
}

/** Text is ordered by no more than this. */
const ORDERED_CHARACTERS = 200;

export function filterRows({ fields }: ListSpec, rows: readonly Row[], where: Where): Row[] {
  return rows.filter((row) => holds(fields, where, row));
}

export function orderRows(rows: readonly Row[], terms: readonly OrderTerm[]): Row[] {
  return rows.toSorted((a, b) => comparePlaces(terms, placeOf(a, terms), placeOf(b, terms)));
}

export function placeOf(row: Row, terms: readonly OrderTerm[]): Place {
  const values = terms.map(({ by }) => readValue(by.field, rawValues(row, by)[0]));
  return { values, id: row.id };
}

/** Returns the rows after a position, which need not be a row. */
export function rowsAfter(rows: readonly Row[], terms: readonly OrderTerm[], after: Place): Row[] {
  return rows.filter((row) => comparePlaces(terms, placeOf(row, terms), after) > 0);
}

/** Nulls last in both directions, ties by id. */
export function comparePlaces(terms: readonly OrderTerm[], a: Place, b: Place): number {
  for (const [index, { by, direction }] of terms.entries()) {
    const [one, other] = [orderedPart(by, a.values[index] ?? null), orderedPart(by, b.values[index] ?? null)];
    if (one === null && other === null) continue;
    if (one === null) return 1;
    if (other === null) return -1;
    const order = compareValues(by.field.kind, one, other);
    if (order !== 0) return direction === 'ASC' ? order : -order;
  }
  return compareIds(a.id, b.id);
}

function orderedPart({ field }: PathField, value: Value): Value {
  if (typeof value !== 'string') return value;
  return (field.kind === 'text' ? readText(value) : value).slice(0, ORDERED_CHARACTERS);
}

export interface Totals {
  readonly sum: string;
  readonly average: string | null;
  readonly min: string | number | null;
  readonly max: string | number | null;
  readonly count: number;
}

/** Totals of a field with amounts or whole numbers. */
export function totalsOf(rows: readonly Row[], field: PlainField): Totals {
  const values = rows
    .map((row) => readValue(field, row[restName(field.name)]))
    .filter((value) => typeof value === 'string' || typeof value === 'number');
  const sum = values.map(decimalOf).reduce(addDecimals, { units: 0n, scale: 0 });
  const first = (sign: 1 | -1) =>
    values.reduce<string | number | null>((best, one) => {
      if (best === null) return one;
      return sign * compareDecimals(decimalOf(one), decimalOf(best)) < 0 ? one : best;
    }, null);
  return {
    sum: formatDecimal(sum),
    average: values.length === 0 ? null : formatDecimal(divideDecimal(sum, values.length)),
    min: first(1),
    max: first(-1),
    count: values.length,
  };
}

export interface Group {
  readonly key: string | null;
  readonly rows: readonly Row[];
}

export function groupsOf(rows: readonly Row[], by: PathField): Group[] {
  const groups: { key: string | null; rows: Row[] }[] = [];
  for (const row of rows) {
    const keys = rawValues(row, by)
      .map((raw) => keyOf(by, readValue(by.field, raw)))
      .filter((key) => key !== null);
    for (const key of keys.length === 0 ? [null] : keys) {
      const group = groups.find((known) => isSameKey(by, key, known.key));
      if (group === undefined) groups.push({ key, rows: [row] });
      else if (!group.rows.includes(row)) group.rows.push(row);
    }
  }
  return groups.toSorted((a, b) => {
    if (by.datePart === undefined && a.rows.length !== b.rows.length) return b.rows.length - a.rows.length;
    if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null);
    if (by.datePart === undefined) return compareTexts(a.key, b.key);
    return a.key < b.key ? -1 : 1;
  });
}

export interface GroupTerm {
  readonly what: 'KEY' | 'THEN_KEY' | 'COUNT' | PlainField;
  readonly direction: 'ASC' | 'DESC';
}

export interface GroupQuery {
  readonly by: PathField;
  readonly thenBy?: PathField;
  readonly orderBy: readonly GroupTerm[];
}

interface PairedGroup extends Group {
  readonly thenKey: string | null;
}

/** Groups by one value, and those by a second inside each, all in the order that is asked for. */
export function pairsOf(rows: readonly Row[], { by, thenBy, orderBy }: GroupQuery): PairedGroup[] {
  const spellings = thenBy ? groupsOf(rows, thenBy) : [];
  const pairs = groupsOf(rows, by).flatMap((outer) => {
    if (thenBy === undefined) return [{ ...outer, thenKey: null }];
    return groupsOf(outer.rows, thenBy).map((inner) => {
      const same = spellings.find(({ key }) => isSameKey(thenBy, key, inner.key));
      return { key: outer.key, thenKey: same?.key ?? null, rows: inner.rows };
    });
  });
  const compare = (a: PairedGroup, b: PairedGroup, { what, direction }: GroupTerm): number => {
    const sign = direction === 'ASC' ? 1 : -1;
    if (what === 'COUNT') return sign * (a.rows.length - b.rows.length);
    if (what === 'KEY' || what === 'THEN_KEY') {
      const [one, other] = what === 'KEY' ? [a.key, b.key] : [a.thenKey, b.thenKey];
      if (one === null || other === null) return Number(one === null) - Number(other === null);
      return sign * compareKeys(what === 'KEY' ? by : (thenBy ?? by), one, other);
    }
    const sumOf = (group: PairedGroup) => decimalOf(totalsOf(group.rows, what).sum);
    return sign * compareDecimals(sumOf(a), sumOf(b));
  };
  return pairs.toSorted((a, b) => {
    for (const term of orderBy) {
      const order = compare(a, b, term);
      if (order !== 0) return order;
    }
    return 0;
  });
}

function isSameKey({ field }: PathField, a: string | null, b: string | null): boolean {
  return a === b || (field.kind === 'text' && a !== null && b !== null && fold(a) === fold(b));
}

function compareKeys({ field, datePart }: PathField, a: string, b: string): number {
  if (datePart === undefined && ['text', 'id', 'int'].includes(field.kind))
    return compareValues(field.kind, a, b);
  return a < b ? -1 : Number(a > b);
}

function keyOf({ datePart }: PathField, value: Value): string | null {
  if (value === null || datePart === undefined) return value === null ? null : String(value);
  return momentOf(value).slice(0, { DAY: 10, MONTH: 7, YEAR: 4 }[datePart]);
}
