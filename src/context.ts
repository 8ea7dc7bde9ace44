import type { Credentials, RestSession } from './rest/session.ts';

/** What a resolver knows of its operation. */
export interface Context {
  readonly rest: RestSession;
  /** The most rows that one list may ask for. */
  readonly maxFirst: number;
}

/**
 * The caller's credentials. Basic may come in `Authorization`, or in a header of its own so that one
 * operation can use both; that one is the more explicit, so it goes first.
 */
export function credentialsOf(headers: { get(name: string): string | null }, own?: string): Credentials {
  const authorization = headers.get('authorization') ?? '';
  const client = headers.get('x-client-authorization') ?? '';
  const basic = [client, authorization].find((value) => isScheme(value, 'basic'));
  return {
    ...(isScheme(authorization, 'bearer') && { bearer: authorization }),
    ...(basic !== undefined && { basic }),
    ...(own !== undefined && { own }),
  };
}

function isScheme(authorization: string, scheme: 'basic' | 'bearer'): boolean {
  return new RegExp(`^${scheme} +[\\x21-\\x7e]+$`, 'i').test(authorization);
}

/** `Authorization: Basic` for an application. */
export function basicAuthorization(clientId: string, clientSecret: string): string {
  return `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
}
