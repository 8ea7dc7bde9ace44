import { add, compareFractions, type Fraction, fractionOf } from './fractions.ts';
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
      return typeof raw === 'string' && fractionOf(raw) !== null ? raw : null;
    case 'dateTime':
      return typeof raw === 'string' && momentOf(raw) !== null ? raw : null;
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

/** Whether the service sent something that is no value of the field's kind. */
export function isUnreadable(field: Pick<PlainField, 'kind'>, raw: unknown): boolean {
  return raw !== null && raw !== undefined && readValue(field, raw) === null;
}

const MOMENT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/;

/** A moment in seconds, with all digits of its fraction. */
export function momentOf(text: string): Fraction | null {
  const [, time, decimals = '0', offset] = MOMENT.exec(text) ?? [];
  const milliseconds = Date.parse(`${time}${offset}`);
  const rest = fractionOf(`0.${decimals}`);
  if (Number.isNaN(milliseconds) || rest === null) return null;
  return add({ over: BigInt(milliseconds), under: 1000n }, rest);
}

/** How text is compared in one language, without case and accents. */
export class Texts {
  readonly #collator: Intl.Collator;

  constructor(locale: string) {
    this.#collator = new Intl.Collator(locale, { sensitivity: 'base' });
  }

  compare(a: string, b: string): number {
    return this.#collator.compare(a, b);
  }

  isEqual(a: string, b: string): boolean {
    return this.compare(a, b) === 0;
  }

  /** Whether some characters in a row are equal to the text that is looked for. */
  contains(text: string, part: string): boolean {
    const letters = this.#lettersOf(text);
    return letters.some((_, start) => this.#startsWith(letters.slice(start), part)) || this.isEqual(part, '');
  }

  startsWith(text: string, part: string): boolean {
    return this.#startsWith(this.#lettersOf(text), part) || this.isEqual(part, '');
  }

  /** No letter stands for more than two, so that more than twice as many are not tried. */
  #startsWith(letters: readonly string[], part: string): boolean {
    return letters
      .slice(0, 2 * part.length)
      .some((_, end) => this.isEqual(letters.slice(0, end + 1).join(''), part));
  }

  /** Letters with their accents, but for what counts as nothing; the one that stands for two is taken apart. */
  #lettersOf(text: string): string[] {
    return (text.match(/.\p{M}*/gsu) ?? [])
      .filter((letter) => !this.isEqual(letter, ''))
      .flatMap((letter) => (this.isEqual(letter, 'ss') ? ['s', 's'] : [letter]));
  }
}

/** The order of two values of a field, neither of which is null. */
export function compareValues(texts: Texts, kind: PlainField['kind'], a: Value, b: Value): number {
  if (kind === 'text') return texts.compare(String(a), String(b));
  if (kind === 'id') return compareIds(String(a), String(b));
  if (kind === 'amount')
    return compareFractions(present(fractionOf(String(a))), present(fractionOf(String(b))));
  if (kind === 'dateTime')
    return compareFractions(present(momentOf(String(a))), present(momentOf(String(b))));
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

function present(value: Fraction | null): Fraction {
  if (value === null) throw new TypeError('only values that can be read are compared');
  return value;
}
