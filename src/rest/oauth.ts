import type { RestResponse } from './client/attempt.ts';
import { Cancellation } from './client/cancellation.ts';
import { invalid } from './errors.ts';
import { isObject } from './json.ts';
import { isLatin1, type Latin1 } from './latin1.ts';
import { isRow } from './page-body.ts';
import type { SendToken } from './refresh-coordinator.ts';
import { jsonBody } from './request-body.ts';
import type { Call, RestSession } from './session.ts';

export interface Named {
  readonly id: Latin1;
  readonly name?: Latin1 | null;
}

/**
 * Introspection response, as received: GraphQL checks each selected member when it is serialized, so that an invalid
 * member fails on its own. For an inactive token only `active` is present.
 */
export interface Introspection {
  readonly active: boolean;
  readonly administrations?: readonly Named[] | null;
  readonly client_id?: Latin1 | null;
  readonly company?: Named | null;
  /** Separated by spaces. */
  readonly scope?: Latin1 | null;
  readonly token_type?: Latin1 | null;
  /** UNIX times in seconds. */
  readonly iat?: number | null;
  readonly exp?: number | null;
}

/** Token response, as received: a new token, of either kind, must not be lost because another member is invalid. */
export interface AccessToken {
  readonly access_token?: Latin1 | null;
  readonly token_type?: Latin1 | null;
  readonly scope?: Latin1 | null;
  readonly created_at?: number | null;
  /** Seconds; absent for a token that does not expire. */
  readonly expires_in?: number | null;
  readonly refresh_token?: Latin1 | null;
}

export async function introspect(
  session: RestSession,
  token: string,
  credential: 'basic' | 'introspection',
): Promise<Introspection> {
  return introspectionIn(await session.send(introspectionCall(token, credential)));
}

const INTROSPECT = { method: 'POST', path: '/oauth/introspect' } as const;

export function introspectionCall(token: string, credential: 'basic' | 'introspection'): Call {
  const { method, path } = INTROSPECT;
  return {
    method,
    endpoint: `${method} ${path}`,
    path,
    credential,
    ...jsonBody({ token }, ['token']),
  };
}

export function introspectionIn({ body }: Pick<RestResponse, 'body'>): Introspection {
  if (isIntrospection(body)) return body;
  throw invalid(INTROSPECT, 'an introspection that does not say whether the token is active');
}

function isIntrospection(body: unknown): body is Introspection {
  return isObject(body) && typeof body.active === 'boolean';
}

/** The administrations, if all have ids; null if the service sends none. */
export function administrationsOf({ administrations }: Introspection): readonly Named[] | null {
  if (administrations === undefined || administrations === null) return null;
  if (Array.isArray(administrations) && administrations.every(isRow<Named>)) return administrations;
  throw invalid(INTROSPECT, 'administrations without identifiers');
}

/**
 * A refresh token can be used only once, so concurrent refreshes share one call and its response, with other processes
 * too if there is a coordinator.
 */
export async function refreshAccessToken(session: RestSession, refreshToken: string): Promise<AccessToken> {
  const parameters = { grant_type: 'refresh_token', refresh_token: refreshToken };
  const call = tokenCall(jsonBody(parameters, ['refresh_token']));
  const cache = session.credentialCache('basic');
  let isSentHere = false;
  // Not cancellable: the caller that started it may disconnect, and the token in the response must not be lost.
  const send: SendToken = (onSend) => {
    isSentHere = true;
    return session.send(call, new Cancellation(), onSend);
  };
  const { refreshes } = session;
  const { isCoalesced, response } = cache.tokens.join(
    { key: cache.secretKey(refreshToken), fields: {} },
    session.cancellation,
    () => refreshes?.refresh(cache.authorization, refreshToken, send) ?? send(),
  );
  if (isCoalesced) return accessTokenIn(await session.awaitCoalesced(call, response));
  const received = await response;
  if (!isSentHere) session.recordCoalesced(call);
  return accessTokenIn(received);
}

export async function createClientCredentialsToken(session: RestSession): Promise<AccessToken> {
  return accessTokenIn(await session.send(tokenCall(jsonBody({ grant_type: 'client_credentials' }))));
}

function tokenCall(sent: Pick<Call, 'body' | 'parameters'>): Call {
  const path = '/oauth/token';
  return { method: 'POST', endpoint: `POST ${path}`, path, credential: 'basic', ...sent };
}

function accessTokenIn({ body }: RestResponse): AccessToken {
  if (isAccessToken(body)) return body;
  throw invalid({ method: 'POST', path: '/oauth/token' }, 'an answer without a token');
}

function isAccessToken(body: unknown): body is AccessToken {
  return isObject(body) && (isLatin1(body.access_token) || isLatin1(body.refresh_token));
}

/** Converts UNIX seconds to ISO 8601; undefined if out of range. */
export function dateTime(seconds: number): string | undefined {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().replace('.000Z', 'Z');
}
