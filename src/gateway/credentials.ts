import type { IncomingHttpHeaders } from 'node:http';
import type { Credentials } from '../rest/session.ts';

/**
 * The caller's credentials. Basic is read from `X-Client-Authorization`, so that one operation can use both schemes, or
 * else from `Authorization`.
 */
export function credentialsOf(headers: IncomingHttpHeaders, own?: string): Credentials {
  const { authorization, 'x-client-authorization': client } = headers;
  return {
    bearer: parseCredential(BEARER, authorization),
    basic: parseCredential(BASIC, client) ?? parseCredential(BASIC, authorization),
    own,
  };
}

interface Scheme {
  readonly name: string;
  /** The form that is sent to the REST service. */
  readonly canonical: RegExp;
  /** Any form that HTTP allows: the scheme is case-insensitive, and may be followed by several spaces. */
  readonly accepted: RegExp;
}

const BASIC: Scheme = {
  name: 'Basic',
  canonical: /^Basic [\x21-\x7e]+$/,
  accepted: /^basic +([\x21-\x7e]+)$/i,
};
const BEARER: Scheme = {
  name: 'Bearer',
  canonical: /^Bearer [\x21-\x7e]+$/,
  accepted: /^bearer +([\x21-\x7e]+)$/i,
};

/**
 * Returns the canonical form of a header, because caches, calls in flight and limits are keyed by its text: two
 * spellings of one credential would count as two callers.
 */
function parseCredential(
  { name, canonical, accepted }: Scheme,
  value: string | string[] | undefined,
): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (canonical.test(value)) return value;
  const [, credential] = accepted.exec(value) ?? [];
  return credential && `${name} ${credential}`;
}

/** `Authorization: Basic` for an application. */
export function basicAuthorization(clientId: string, clientSecret: string): string {
  return `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
}
