import { availableParallelism } from 'node:os';
import { isObject, parseJson } from '../rest/json.ts';
import type { ParameterNames, Resource } from '../rest/resource.ts';
import { contentOf, fault, type Parse } from './setting.ts';

export const anyText: Parse<string> = (text) => text;

/** A number, a switch or a choice is short; anything longer may be a secret that was put into the wrong variable. */
function quote(text: string): string {
  return text.length <= 16 ? JSON.stringify(text) : `a text of ${text.length} characters`;
}

export function wholeNumber(min: number, max: number, orElse = ''): Parse<number> {
  return (text, name) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw fault(`${name} takes a whole number from ${min} to ${max}${orElse}, not ${quote(text)}.`);
  };
}

const workers = wholeNumber(1, 256, ', or auto');

export const workerCount: Parse<number> = (text, name) =>
  workers(text === 'auto' ? String(Math.min(availableParallelism(), 256)) : text, name);

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

/** A text of which the fault says what it has to be, and nothing of what it is. */
function textThat(isRight: (text: string) => boolean, demand: string): Parse<string> {
  return (text, name) => {
    if (isRight(text)) return text;
    throw fault(`${name} ${demand}.`);
  };
}

export const clientId = textThat(
  (text) => !text.includes(':'),
  'cannot hold a colon, which ends it in a Basic credential',
);

/** How to make a secret that is long enough. */
export const NEW_SECRET = 'make one with `openssl rand -base64 32`';
const MIN_SECRET_LENGTH = 32;

export const longSecret = textThat(
  (text) => text.length >= MIN_SECRET_LENGTH,
  `takes at least ${MIN_SECRET_LENGTH} characters: ${NEW_SECRET}`,
);

/** A language, as Intl knows it. */
export const locale = textThat((text) => {
  try {
    return Intl.Collator.supportedLocalesOf(text).length > 0;
  } catch {
    return false;
  }
}, 'takes the tag of a language, such as nl, de or en-GB');

/** The value of REST_URL for the embedded REST service. */
export const EMBEDDED = 'embedded';

/** The fault does not quote the URL: it may hold a password, which with a slash in it ends up in the path. */
export const restAddress: Parse<URL | typeof EMBEDDED> = (text, name) => {
  if (text === EMBEDDED) return EMBEDDED;
  const url = parseUrl(text);
  const more = url && [url.username, url.password, url.search, url.hash].join('');
  if (url && more === '' && /^https?:$/.test(url.protocol) && !/@|\/v1\/*$/.test(url.pathname)) return url;
  const parts = 'without user, password, query, fragment and /v1';
  throw fault(`${name} takes an address that starts with https:// or http://, ${parts}; or ${EMBEDDED}.`);
};

/**
 * The text, since clients of Redis take that. Its path is the number of a database, and it has neither query nor
 * fragment: a password that is not percent-encoded would end up there, and be shown.
 */
export const redisAddress = textThat((text) => {
  const url = parseUrl(text);
  const isRedis = url !== undefined && /^rediss?:$/.test(url.protocol) && url.hostname !== '';
  return isRedis && /^(\/\d*)?$/.test(url.pathname) && !/[?#]/.test(text);
}, 'takes an address such as rediss://user:password@redis.example:6379/0, ' +
  'with /, ?, # and @ in a password as %2F, %3F, %23 and %40');

/** The user is hidden too, since some services put a token there. */
export function withoutCredentials(address: string): string {
  return address.replace(/\/\/.*@/, '//***@');
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

export const jsonObject: Parse<{ readonly [name: string]: unknown }> = (text, name) => {
  const parsed = parseJson(text);
  if (isObject(parsed)) return parsed;
  throw fault(`${name} takes a JSON object, such as {"declarationLines":{"createdAfter":"created_from"}}.`);
};

/** Other names for the query parameters of lists, by the names of lists and of their arguments. */
export function parameterNames(
  given: { readonly [list: string]: unknown },
  resources: readonly Resource[],
  faults: string[],
): ParameterNames {
  const names: Record<string, Record<string, string>> = {};
  const refuse = (problem: string) => void faults.push(`REST_PARAMETER_NAMES: ${problem}`);
  const lists = resources.map(({ name }) => name);
  for (const [list, renamed] of Object.entries(given)) {
    const filters = resources.find(({ name }) => name === list)?.filters;
    if (!filters) refuse(`${JSON.stringify(list)} is not a list; there are ${lists.join(', ')}.`);
    else if (!isObject(renamed)) refuse(`"${list}" takes an object of arguments and parameter names.`);
    else
      for (const [argument, name] of Object.entries(renamed)) {
        const has = Object.keys(filters);
        if (!has.includes(argument))
          refuse(`"${list}" has no argument ${JSON.stringify(argument)}; it has ${has.join(', ')}.`);
        else if (typeof name !== 'string' || !/^[\w.[\]-]+$/.test(name))
          refuse(`"${list}" takes for "${argument}" a name of letters, digits, "_", "-", "." and brackets.`);
        else names[list] = { ...names[list], [argument]: name };
      }
  }
  return names;
}

/** The documents are validated against the schema later, by `checkTrustedDocuments`. */
export const trustedDocuments: Parse<ReadonlyMap<string, string>> = (path, name) => {
  const parsed = parseJson(contentOf(path) ?? '');
  const documents = Object.entries(isObject(parsed) ? parsed : {});
  if (documents.length > 0 && documents.every(([, text]) => typeof text === 'string'))
    return new Map(documents.map(([hash, text]) => [hash, String(text)]));
  const form = 'documents by their hashes in JSON, as graphql-codegen writes it';
  throw fault(`${name} takes the path of a file that can be read, of ${form}.`);
};
