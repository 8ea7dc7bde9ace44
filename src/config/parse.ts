import { availableParallelism } from 'node:os';
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

export const workerCount: Parse<number> = (text, name) => {
  const count = text === 'auto' ? Math.min(availableParallelism(), MAX_WORKERS) : Number(text);
  if (/^(?:auto|\d+)$/.test(text) && count >= 1 && count <= MAX_WORKERS) return count;
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

/** The value of REST_URL for the embedded REST service. */
export const EMBEDDED = 'embedded';

/** The faults do not quote the URL, since it may contain a password. */
export const restAddress: Parse<URL | typeof EMBEDDED> = (text, name) => {
  if (text === EMBEDDED) return EMBEDDED;
  const url = parseUrl(text);
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw fault(`${name} takes an address that starts with https:// or http://, or ${EMBEDDED}.`);
  }
  // A password with a slash in it ends up in the path, with the @ behind it.
  if (url.username || url.password || url.search || url.hash || url.pathname.includes('@')) {
    throw fault(`${name} takes an address without user, password, query or fragment.`);
  }
  if (/\/v1\/*$/.test(url.pathname))
    throw fault(`${name} takes the address before /v1, which the gateway adds itself.`);
  return url;
};

/**
 * The text, since clients of Redis take that. Its path is the number of a database, and it has neither query nor
 * fragment: a password that is not percent-encoded would end up there, and be shown.
 */
export const redisAddress: Parse<string> = (text, name) => {
  const url = parseUrl(text);
  const isRedis = url !== undefined && /^rediss?:$/.test(url.protocol) && url.hostname !== '';
  if (isRedis && /^(\/\d*)?$/.test(url.pathname) && !/[?#]/.test(text)) return text;
  throw fault(
    `${name} takes an address such as rediss://user:password@redis.example:6379/0, ` +
      'with /, ?, # and @ in a password as %2F, %3F, %23 and %40.',
  );
};

/** The user is hidden too, since some services put a token there. */
export function withoutCredentials(address: string): string {
  const [start] = address.split('//', 1);
  const at = address.lastIndexOf('@');
  return start !== undefined && at > start.length ? `${start}//***${address.slice(at)}` : address;
}

/** What stands before and behind an origin may be private, so a wrong one is told by its place. */
export const origins: Parse<readonly string[]> = (text, name) => {
  const list = text.split(/[\s,]+/).filter((origin) => origin !== '');
  const wrong = list.findIndex((origin) => parseUrl(origin)?.origin !== origin || origin.includes('*'));
  if (wrong === -1) return list;
  const form = 'each in full, without wildcards, a path or a slash at the end';
  throw fault(`${name} takes origins such as https://app.example, ${form}: number ${wrong + 1} is none.`);
};

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
