import type { IncomingHttpHeaders } from 'node:http';
import type { Credentials } from '../rest/session.ts';

/**
 * The caller's credentials. Basic may come in `Authorization`, or in a header of its own so that one
 * operation can use both; that one is the more explicit, so it goes first.
 */
export function credentialsOf(headers: IncomingHttpHeaders, own?: string): Credentials {
  const { authorization, 'x-client-authorization': client } = headers;
  return {
    bearer: ofScheme(BEARER, authorization),
    basic: ofScheme(BASIC, client) ?? ofScheme(BASIC, authorization),
    own,
  };
}

interface Scheme {
  readonly name: string;
  /** A value as it is sent on. */
  readonly normal: RegExp;
  /** Any way to write it: HTTP takes a scheme in any case, and more spaces than one. */
  readonly written: RegExp;
}

const BASIC: Scheme = { name: 'Basic', normal: /^Basic [\x21-\x7e]+$/, written: /^basic +([\x21-\x7e]+)$/i };
const BEARER: Scheme = {
  name: 'Bearer',
  normal: /^Bearer [\x21-\x7e]+$/,
  written: /^bearer +([\x21-\x7e]+)$/i,
};

/**
 * A header of a scheme in its one normal form, since caches, calls under way and limits are kept by its text: written
 * in two ways, one credential would be two callers.
 */
function ofScheme(
  { name, normal, written }: Scheme,
  value: string | string[] | undefined,
): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (normal.test(value)) return value;
  const [, credential] = written.exec(value) ?? [];
  return credential && `${name} ${credential}`;
}

/** `Authorization: Basic` for an application. */
export function basicAuthorization(clientId: string, clientSecret: string): string {
  return `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
}
