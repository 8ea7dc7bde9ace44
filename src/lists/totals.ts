import type { Row } from '../rest/resource.ts';
import { asText, isText, type WireText } from '../rest/wire-text.ts';
import {
  type Column,
  compareIds,
  type RecordField,
  readColumn,
  readValue,
  type Value,
  type ValueOptions,
} from './record-fields.ts';
import { type Slices, sortSliced, visitSliced } from './slices.ts';
import { addDecimals, compareDecimals, type Decimal, decimalText, divideDecimal } from './values.ts';

/** The totals of an amount or a number. `min` and `max` are as the service sent them. */
export interface Totals {
  readonly sum: WireText;
  readonly average: WireText | null;
  readonly min: WireText | number | null;
  readonly max: WireText | number | null;
  readonly count: number;
}

interface Extreme {
  readonly id: string;
  readonly decimal: Decimal;
  readonly raw: WireText | number;
}

/** What has been added up so far. */
interface Sums {
  sum: Decimal;
  count: number;
  min: Extreme | undefined;
  max: Extreme | undefined;
}

/** Adds up a field of records, exactly. */
export async function totalsOf(
  rows: readonly Row[],
  field: RecordField,
  options: ValueOptions,
  slices: Slices,
): Promise<Totals> {
  const sums: Sums = { sum: { units: 0n, scale: 0 }, count: 0, min: undefined, max: undefined };
  await visitSliced(rows, slices, (row) => {
    const raw: unknown = Reflect.get(row, field.restName);
    const decimal = decimalIn(field, raw, options);
    if (decimal === undefined || !(isText(raw) || typeof raw === 'number')) return;
    add(sums, { decimal, raw, id: options.text.decode(row.id) });
  });
  const { sum, count, min, max } = sums;
  return {
    sum: asText(decimalText(sum)),
    average: count === 0 ? null : asText(decimalText(divideDecimal(sum, count))),
    min: min?.raw ?? null,
    max: max?.raw ?? null,
    count,
  };
}

function add(sums: Sums, value: Extreme): void {
  const { decimal } = value;
  sums.sum = addDecimals(sums.sum, decimal);
  sums.count += 1;
  if (sums.min === undefined || isBefore(value, sums.min, 1)) sums.min = value;
  if (sums.max === undefined || isBefore(value, sums.max, -1)) sums.max = value;
}

/** Of equal amounts, which may be written differently, the one with the first id counts, in whichever order rows come. */
function isBefore(value: Extreme, other: Extreme, direction: 1 | -1): boolean {
  const order = compareDecimals(value.decimal, other.decimal) * direction;
  return order < 0 || (order === 0 && compareIds(value.id, other.id) < 0);
}

function decimalIn({ name, shape }: RecordField, raw: unknown, options: ValueOptions): Decimal | undefined {
  if (shape.kind !== 'amount' && shape.kind !== 'int') return undefined;
  const value = readValue(shape, raw, name, options);
  if (typeof value === 'number') return { units: BigInt(value), scale: 0 };
  return value !== null && typeof value === 'object' ? value : undefined;
}

/** What records are grouped by: a column or, of a moment, a part of it. */
export interface Grouping {
  readonly column: Column;
  readonly part?: MomentPart;
}

/** How many characters of a moment in UTC tell the part: `2024-05-01`. */
export const MOMENT_PARTS = { DAY: 10, MONTH: 7, YEAR: 4 } as const;
export type MomentPart = keyof typeof MOMENT_PARTS;

interface Group {
  /** Null for the records without a value. */
  readonly key: string | null;
  readonly rows: readonly Row[];
}

interface FoundGroup {
  /** What tells it apart: of a text, the folded one. */
  readonly name: string | null;
  key: string | null;
  /** Of the record whose spelling the key has. */
  id: string;
  readonly rows: Row[];
}

/** The memory of a group without its texts, and of a row in it. */
const GROUP_BYTES = 250;
const ROW_BYTES = 12;

/**
 * Groups records. `hold` is told what they take. Texts that are equal without case and accents are one group, with the
 * spelling of the record with the first id. A record with several values belongs to a group of each. Parts of moments
 * come in the order of time, and other groups the largest first.
 */
export async function groupRows(
  rows: readonly Row[],
  { column, part }: Grouping,
  options: ValueOptions,
  slices: Slices,
  hold: (bytes: number) => void,
): Promise<Group[]> {
  const { rules, text } = options;
  const isText = column.shape.kind === 'text';
  const groups = new Map<string | null, FoundGroup>();
  const add = (row: Row, name: string | null, key: string | null) => {
    const id = text.decode(row.id);
    const group = groups.get(name);
    if (group === undefined) {
      groups.set(name, { name, key, id, rows: [row] });
      hold(GROUP_BYTES + 2 * (id.length + (key?.length ?? 0) + (name?.length ?? 0)));
      return;
    }
    if (compareIds(id, group.id) < 0) Object.assign(group, { key, id });
    // A record may have one value twice.
    if (group.rows.at(-1) === row) return;
    group.rows.push(row);
    hold(ROW_BYTES);
  };
  await visitSliced(rows, slices, (row) => {
    const values = readColumn(row, column, options);
    if (values.length === 0) add(row, null, null);
    for (const value of values) {
      const key = keyOf(value, part);
      add(row, isText ? rules.fold(key) : key, key);
    }
  });
  const byName = (a: FoundGroup, b: FoundGroup) => {
    if (a.name === null || b.name === null) return a.name === null ? 1 : -1;
    return rules.compare(a.name, b.name);
  };
  const bySize = (a: FoundGroup, b: FoundGroup) => b.rows.length - a.rows.length || byName(a, b);
  return sortSliced([...groups.values()], slices, part ? byName : bySize);
}

function keyOf(value: Value, part: MomentPart | undefined): string {
  return part ? String(value).slice(0, MOMENT_PARTS[part]) : String(value);
}
