import type { Row } from '../rest/resource.ts';
import { asText, isText, type WireText } from '../rest/wire-text.ts';
import { compareIds, type RecordField, readValue, type ValueOptions } from './record-fields.ts';
import { type Slices, visitSliced } from './slices.ts';
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

export const ZERO: Decimal = { units: 0n, scale: 0 };

/** Adds up a field of records, exactly. */
export async function totalsOf(
  rows: readonly Row[],
  field: RecordField,
  options: ValueOptions,
  slices: Slices,
): Promise<Totals> {
  const { sum, count, min, max } = await addUp(rows, field, options, slices);
  return {
    sum: asText(decimalText(sum)),
    average: count === 0 ? null : asText(decimalText(divideDecimal(sum, count))),
    min: min?.raw ?? null,
    max: max?.raw ?? null,
    count,
  };
}

/** What a field of records adds up to, so far as values can be read. */
export async function addUp(
  rows: readonly Row[],
  field: RecordField,
  options: ValueOptions,
  slices: Slices,
): Promise<Sums> {
  const sums: Sums = { sum: ZERO, count: 0, min: undefined, max: undefined };
  await visitSliced(rows, slices, (row) => {
    const raw: unknown = Reflect.get(row, field.restName);
    const decimal = decimalIn(field, raw, options);
    if (decimal === undefined || !(isText(raw) || typeof raw === 'number')) return;
    const value = { decimal, raw, id: options.text.decode(row.id) };
    sums.sum = addDecimals(sums.sum, decimal);
    sums.count += 1;
    if (sums.min === undefined || isBefore(value, sums.min, 1)) sums.min = value;
    if (sums.max === undefined || isBefore(value, sums.max, -1)) sums.max = value;
  });
  return sums;
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
