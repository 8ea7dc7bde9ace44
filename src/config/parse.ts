import { fault, type Parse, quote } from './setting.ts';

export const anyText: Parse<string> = (text) => text;

export function wholeNumber(min: number, max: number): Parse<number> {
  return (text, name) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw fault(`${name} takes a whole number from ${min} to ${max}, not ${quote(text)}.`);
  };
}

export function choice<const Options extends readonly string[]>(...options: Options): Parse<Options[number]> {
  const list = `${options.slice(0, -1).join(', ')} or ${options.at(-1)}`;
  return (text, name) => {
    const option = options.find((candidate) => candidate === text);
    if (option !== undefined) return option;
    throw fault(`${name} takes ${list}, not ${quote(text)}.`);
  };
}

const onOrOff = choice('on', 'off');

export const onOff: Parse<boolean> = (...given) => onOrOff(...given) === 'on';

const MAX_WORKERS = 256;

export const workerCount: Parse<number> = (text, name, { processors }) => {
  if (text === 'auto') return Math.min(processors, MAX_WORKERS);
  if (/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_WORKERS) return Number(text);
  throw fault(`${name} takes a whole number from 1 to ${MAX_WORKERS}, or auto, not ${quote(text)}.`);
};

/** An id ends at the first colon of a Basic credential. */
export const clientId: Parse<string> = (text, name) => {
  if (!text.includes(':')) return text;
  throw fault(`${name} cannot hold a colon, which ends it in a Basic credential.`);
};

const MIN_SECRET_LENGTH = 32;

/** How to make a secret that is long enough. */
export const NEW_SECRET = 'make one with `openssl rand -base64 32`';

export const longSecret: Parse<string> = (text, name) => {
  if (text.length >= MIN_SECRET_LENGTH) return text;
  throw fault(`${name} takes at least ${MIN_SECRET_LENGTH} characters: ${NEW_SECRET}.`);
};

/** A language, as Intl knows it. */
export const locale: Parse<string> = (text, name) => {
  try {
    if (Intl.Collator.supportedLocalesOf(text).length > 0) return text;
  } catch {
    // It is no language tag at all.
  }
  throw fault(`${name} takes the tag of a language, such as nl, de or en-GB, not ${quote(text)}.`);
};
