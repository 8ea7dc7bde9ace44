import { InvalidValue } from '../../execution/field-errors.ts';
import { isObject } from '../../rest/json.ts';
import { dateTime } from '../../rest/oauth.ts';
import { asText, isText, type WireText } from '../../rest/wire-text.ts';
import type { Context } from './builder.ts';
import { computed } from './metadata.ts';

/** A field with a moment that the service gives in UNIX seconds. */
export function secondsField<Source extends object>(
  description: string,
  secondsOf: (source: Source) => unknown,
) {
  const dateTimeOf = (source: Source) => {
    const seconds = requireSeconds(secondsOf(source));
    if (seconds === null) return null;
    const text = dateTime(seconds);
    if (text === undefined) throw new InvalidValue('seconds that are no moment');
    return asText(text);
  };
  return { type: 'DateTime', description, ...computed(dateTimeOf) } as const;
}

/** Null only if absent; throws for an invalid value, since null would mean that a token does not expire. */
export function requireSeconds(value: unknown): number | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'number' || !Number.isSafeInteger(value))
    throw new InvalidValue('seconds that are no integer');
  return value;
}

/** A megabyte would be half a million words, made in one go. */
const MAX_WORDS_BYTES = 50_000;

/** Splits a text of the service at its spaces; null if there is none. */
export function wordsOf({ rest: { text } }: Context, value: unknown, what: string): WireText[] | null {
  if (value === undefined || value === null) return null;
  if (!isText(value)) throw new InvalidValue(`${what} that are no text`);
  if (text.bytes(value).length > MAX_WORDS_BYTES) throw new InvalidValue(`${what} that are too long`);
  const words = text.decode(value).split(' ');
  return words.filter((word) => word !== '').map(text.encode);
}

/** An entry of a map of the service: a key and its texts. */
export interface TextEntry {
  readonly key: WireText;
  readonly texts: readonly WireText[];
}

/** The entries of a map of the service from keys to texts, as far as they can be read. */
export function textEntries(map: unknown) {
  let isComplete = isObject(map);
  const entries = Object.entries(isObject(map) ? map : {}).map(([key, given]): TextEntry => {
    const values: unknown[] = Array.isArray(given) ? given : [given];
    const texts = values.filter(isText);
    isComplete &&= texts.length === values.length;
    return { key: asText(key), texts };
  });
  return { entries, isComplete };
}
