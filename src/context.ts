import type { IncomingHttpHeaders } from 'node:http';
import type { Credentials, RestSession } from './rest/session.ts';

/** What a resolver knows of its operation. */
export interface Context {
  readonly rest: RestSession;
  /** What batches its requests, by who made it. */
  readonly loaders: Map<symbol, object>;
  /** Whether the answer is to list the REST calls behind it. */
  readonly explain: boolean;
  /** The most rows that one list may ask for. */
  readonly maxFirst: number;
}

/**
 * The caller's credentials. Basic may come in `Authorization`, or in a header of its own so that one
 * operation can use both; that one is the more explicit, so it goes first.
 */
export function credentialsOf(headers: IncomingHttpHeaders, own?: string): Credentials {
  const { authorization = '', 'x-client-authorization': given } = headers;
  const client = typeof given === 'string' ? given : '';
  const basic = [client, authorization].find((value) => isScheme(value, 'basic'));
  return {
    ...(isScheme(authorization, 'bearer') && { bearer: authorization }),
    ...(basic !== undefined && { basic }),
    ...(own !== undefined && { own }),
  };
}

const SCHEMES = { basic: /^basic +[\x21-\x7e]+$/i, bearer: /^bearer +[\x21-\x7e]+$/i };

function isScheme(authorization: string, scheme: keyof typeof SCHEMES): boolean {
  return SCHEMES[scheme].test(authorization);
}

/** `Authorization: Basic` for an application. */
export function basicAuthorization(clientId: string, clientSecret: string): string {
  return `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
}
