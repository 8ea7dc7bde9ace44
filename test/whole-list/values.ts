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

/** How text is compared in one language: letter by letter, without case and accents. */
export class Texts {
  readonly #collator: Intl.Collator;

  constructor(locale: string) {
    this.#collator = new Intl.Collator(locale, { sensitivity: 'base' });
  }

  /** By the alphabet of the language. Texts tie if and only if they are equal. */
  compare(a: string, b: string): number {
    if (this.isEqual(a, b)) return 0;
    const order = this.#collator.compare(this.#lettersOf(a).join(''), this.#lettersOf(b).join(''));
    if (order === 0) throw new TypeError(`nothing says which of ${a} and ${b} is first`);
    return order;
  }

  isEqual(a: string, b: string): boolean {
    return this.startsWith(a, b) && this.#lettersOf(a).length === this.#lettersOf(b).length;
  }

  /** Whether some letters in a row are equal to those that are looked for. */
  contains(text: string, part: string): boolean {
    const letters = this.#lettersOf(text);
    const wanted = this.#lettersOf(part);
    return wanted.length === 0 || letters.some((_, start) => this.#startWith(letters.slice(start), wanted));
  }

  startsWith(text: string, part: string): boolean {
    return this.#startWith(this.#lettersOf(text), this.#lettersOf(part));
  }

  #startWith(letters: readonly string[], wanted: readonly string[]): boolean {
    return wanted.every((letter, index) => {
      const own = letters[index];
      return own !== undefined && this.#isSame(own, letter);
    });
  }

  /** Letters with their accents, but for what counts as nothing; those that stand for two are taken apart. */
  #lettersOf(text: string): string[] {
    return (text.match(/.\p{M}*/gsu) ?? [])
      .filter((letter) => !this.#isSame(letter, ''))
      .flatMap((letter) => [...(PAIRS.find((pair) => this.#isSame(letter, pair)) ?? [letter])]);
  }

  #isSame(one: string, other: string): boolean {
    return this.#collator.compare(one, other) === 0;
  }
}

/** What the letters of this model stand for in some languages: ß everywhere, å in Danish. */
const PAIRS = ['ss', 'aa'];

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
