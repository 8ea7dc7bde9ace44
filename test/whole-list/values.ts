import { fold, type TextOrder, textOrder } from '../../src/lists/text.ts';
import { comparableMoment, compareDecimals, type Decimal, parseDecimal } from '../../src/lists/values.ts';
import { present } from '../support/present.ts';
import { CLAIM_STATUSES, type PlainField } from './lists.ts';

/** A value as it is compared: null where there is none, or none of the field's kind. */
export type Value = string | number | boolean | null;

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function readValue({ kind }: Pick<PlainField, 'kind'>, raw: unknown): Value {
  switch (kind) {
    case 'text':
    case 'id':
      return typeof raw === 'string' ? raw : null;
    case 'amount':
      return typeof raw === 'string' && parseDecimal(raw) !== undefined ? raw : null;
    case 'dateTime':
      return typeof raw === 'string' && comparableMoment(raw) !== undefined ? raw : null;
    case 'int':
      return typeof raw === 'number' && (raw | 0) === raw ? raw : null;
    case 'boolean':
      return typeof raw === 'boolean' ? raw : null;
    case 'enum': {
      const name = typeof raw === 'string' ? raw.toUpperCase() : '';
      return CLAIM_STATUSES.includes(name) ? name : null;
    }
  }
}

/** Decimals have tests of their own. */
export function decimalOf(value: Value): Decimal {
  return present(parseDecimal(String(value)));
}

/** So have moments. */
export function momentOf(value: Value): string {
  return present(comparableMoment(String(value)));
}

/** How text is compared: without case and accents, in the alphabet of a language; which has tests of its own. */
export class Texts {
  readonly #key: TextOrder;

  constructor(locale: string) {
    this.#key = textOrder(locale);
  }

  compare(a: string, b: string): number {
    return compareCodeUnits(this.#key(fold(a)), this.#key(fold(b)));
  }

  isEqual(a: string, b: string): boolean {
    return fold(a) === fold(b);
  }

  contains(text: string, part: string): boolean {
    return fold(text).includes(fold(part));
  }

  startsWith(text: string, part: string): boolean {
    return fold(text).startsWith(fold(part));
  }
}

/** The order of two values of a field, neither of which is null. */
export function compareValues(texts: Texts, kind: PlainField['kind'], a: Value, b: Value): number {
  if (kind === 'text') return texts.compare(String(a), String(b));
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
