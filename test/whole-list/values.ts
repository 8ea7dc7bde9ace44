import { createCollation, fold } from '../../src/lists/text.ts';
import { compareDecimals, type Decimal, parseDecimal, toComparableMoment } from '../../src/lists/values.ts';
import { present } from '../support/present.ts';
import type { PlainField } from './lists.ts';

export type Value = string | number | boolean | null;

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Values of rows are all of their kinds; those of enums have other names in REST. */
export function readValue({ kind }: Pick<PlainField, 'kind'>, raw: unknown): Value {
  if (typeof raw === 'string') return kind === 'enum' ? raw.toUpperCase() : raw;
  return typeof raw === 'number' || typeof raw === 'boolean' ? raw : null;
}

/** Decimals have tests of their own. */
export function decimalOf(value: Value): Decimal {
  return present(parseDecimal(String(value)));
}

/** So have moments. */
export function momentOf(value: Value): string {
  return present(toComparableMoment(String(value)));
}

/** Compares in the alphabet of the gateway's language, which has tests of its own. */
const textOrder = createCollation('sv');

/** A text as it is ordered: without case, and without accents that make no letter of the alphabet. */
export function readText(text: string): string {
  return textOrder.normalize(text, fold(text));
}

export function compareTexts(a: string, b: string): number {
  return compareCodeUnits(textOrder.sortKey(readText(a)), textOrder.sortKey(readText(b)));
}

export function compareValues(kind: PlainField['kind'], a: Value, b: Value): number {
  if (kind === 'text') return compareTexts(String(a), String(b));
  if (kind === 'id') return compareIds(String(a), String(b));
  if (kind === 'amount') return compareDecimals(decimalOf(a), decimalOf(b));
  if (kind === 'dateTime') return compareCodeUnits(momentOf(a), momentOf(b));
  if (kind === 'enum') return compareCodeUnits(String(a), String(b));
  return Number(a) - Number(b);
}

/** Shorter ids first, then by code units: the order of numbers. */
export function compareIds(a: string, b: string): number {
  return a.length - b.length || compareCodeUnits(a, b);
}

function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
