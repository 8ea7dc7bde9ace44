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

/** How text is compared: letter by letter, without case and accents, in the alphabet of a language. */
export class Texts {
  readonly #collator: Intl.Collator;

  constructor(locale: string) {
    this.#collator = new Intl.Collator(locale, { sensitivity: 'base' });
  }

  /** Texts tie if and only if they are equal. */
  compare(a: string, b: string): number {
    const [one, other] = [[...plain(a)], [...plain(b)]];
    for (const [index, letter] of one.entries()) {
      const against = other[index];
      if (against === undefined) return 1;
      const order = this.#compareLetters(letter, against);
      if (order !== 0) return order;
    }
    return one.length - other.length;
  }

  /** By the alphabet; what has none comes last. */
  #compareLetters(a: string, b: string): number {
    const [isKnown, isOtherKnown] = [a < '\u0500', b < '\u0500'];
    if (isKnown !== isOtherKnown) return isKnown ? -1 : 1;
    return (isKnown ? this.#collator.compare(a, b) : 0) || compareCodeUnits(a, b);
  }

  isEqual(a: string, b: string): boolean {
    return plain(a) === plain(b);
  }

  contains(text: string, part: string): boolean {
    return plain(text).includes(plain(part));
  }

  startsWith(text: string, part: string): boolean {
    return plain(text).startsWith(plain(part));
  }
}

/** Letters that are read as others, though Unicode does not take them apart. */
const PLAIN = new Map(
  Object.entries({ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' }),
);

export function plain(text: string): string {
  return [...text.toLowerCase().normalize('NFKD')]
    .filter((letter) => !/\p{M}/u.test(letter))
    .map((letter) => PLAIN.get(letter) ?? letter)
    .join('');
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
