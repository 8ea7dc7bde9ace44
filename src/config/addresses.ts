import { ConfigError } from './error.ts';
import { fault, type Parse, quote } from './setting.ts';

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

const NO_PATH = 'without a path or a slash at the end';
const NO_WILDCARD = 'each in full and without wildcards';

export const origins: Parse<readonly string[]> = (text, name) => {
  const list = text.split(/[\s,]+/).filter((origin) => origin !== '');
  const wrong = list.filter((origin) => parseUrl(origin)?.origin !== origin || origin.includes('*'));
  if (wrong.length === 0) return list;
  throw new ConfigError(
    wrong.map((origin) => {
      const form = origin.includes('*') ? NO_WILDCARD : NO_PATH;
      return `${name} takes origins such as https://app.example, ${form}, not ${quoteAddress(origin)}.`;
    }),
  );
};

/** Origins are public; what stands before and behind them may not be. */
function quoteAddress(text: string): string {
  const { protocol = '', origin = '' } = parseUrl(text) ?? {};
  if (!/^https?:$/.test(protocol)) return quote(text);
  return JSON.stringify([origin, `${origin}/`].includes(text) ? text : `${origin}/…`);
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
