import type { IncomingHttpHeaders } from 'node:http';
import type { Credentials } from '../rest/session.ts';

/**
 * The caller's credentials. Basic is read from `X-Client-Authorization`, so that one operation can use both schemes, or
 * else from `Authorization`.
 */
export function credentialsOf(headers: IncomingHttpHeaders): Credentials {
  const { authorization, 'x-client-authorization': client } = headers;
  const bearer = parseCredential(BEARER, authorization);
  const [name, value] = client ? ['X-Client-Authorization', client] : ['Authorization', authorization];
  const basic = parseCredential(BASIC, value);
  const isBasicSent = client ? true : /^basic\b/i.test(authorization ?? '');
  return isBasicSent && basic === undefined ? { bearer, basicProblem: notBasic(name) } : { bearer, basic };
}

function notBasic(header: string): string {
  return `The credential in \`${header}\` is not base64. Send \`${header}: Basic <base64 of client id:client secret>\`.`;
}

interface Scheme {
  readonly name: string;
  /** Any form that HTTP allows: the scheme is case-insensitive, and may be followed by several spaces. */
  readonly accepted: RegExp;
  /** The one spelling of a credential; undefined if it is none. */
  readonly canonical: (credential: string) => string | undefined;
}

const BASIC: Scheme = {
  name: 'Basic',
  accepted: /^basic +([\w+/-]+)={0,2}$/i,
  canonical: canonicalBase64,
};
const BEARER: Scheme = {
  name: 'Bearer',
  accepted: /^bearer +([\x21-\x7e]+)$/i,
  canonical: (token) => token,
};

/**
 * Returns the canonical form of a header, because caches, calls in flight and limits are keyed by its text: two
 * spellings of one credential would count as two callers.
 */
function parseCredential(
  { name, accepted, canonical }: Scheme,
  value: string | string[] | undefined,
): string | undefined {
  if (typeof value !== 'string') return undefined;
  const [, text] = accepted.exec(value) ?? [];
  const credential = text && canonical(text);
  return credential && `${name} ${credential}`;
}

/**
 * Base64 has many spellings of the same bytes: without padding, with the letters of URLs, with other bits behind the
 * last byte.
 */
function canonicalBase64(text: string): string | undefined {
  // Four characters are three bytes, so a single one is left of none.
  return text.length % 4 === 1 ? undefined : Buffer.from(text, 'base64').toString('base64');
}

/** `Authorization: Basic` for an application. */
export function basicAuthorization(clientId: string, clientSecret: string): string {
  return `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
}

/**
 * Whether a request asks to bypass the cache. Browsers send `no-cache` or `no-store` for a reload, and `max-age=0` for
 * `fetch(…, { cache: 'no-cache' })`. Directive names are case-insensitive.
 */
export function bypassesCache(cacheControl: string | undefined): boolean {
  if (cacheControl === undefined) return false;
  return cacheControl.split(',').some((directive) => BYPASS_DIRECTIVE.test(directive.trim()));
}

const BYPASS_DIRECTIVE = /^(?:no-cache(?:\s*=.*)?|no-store|max-age\s*=\s*"?0+"?)$/i;
