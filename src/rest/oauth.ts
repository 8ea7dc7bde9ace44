import type { RestResponse } from './client/attempt.ts';
import { Cancellation } from './client/cancellation.ts';
import { invalid } from './errors.ts';
import { isObject } from './json.ts';
import { jsonBody } from './request-body.ts';
import type { Call, RestSession } from './session.ts';

export interface Named {
  readonly id: string;
  readonly name: string | null;
}

/** What the service says of a token. Of one that is not active it says nothing else. */
export interface Introspection {
  readonly active: boolean;
  readonly administrations: readonly Named[] | null;
  readonly clientId: string | null;
  readonly company: Named | null;
  readonly scopes: readonly string[] | null;
  readonly tokenType: string | null;
  /** UNIX times in seconds. */
  readonly issuedAt: number | null;
  readonly expiresAt: number | null;
}

export interface AccessToken {
  readonly accessToken: string;
  readonly tokenType: string | null;
  readonly scopes: readonly string[] | null;
  readonly createdAt: number | null;
  /** Seconds; absent for a token that does not expire. */
  readonly expiresIn: number | null;
  readonly refreshToken: string | null;
}

export async function introspect(
  session: RestSession,
  token: string,
  credential: 'basic' | 'introspection',
): Promise<Introspection> {
  return introspectionIn(await session.send(introspectionCall(token, credential)));
}

export function introspectionCall(token: string, credential: 'basic' | 'introspection'): Call {
  const path = '/oauth/introspect';
  return {
    method: 'POST',
    endpoint: `POST ${path}`,
    path,
    credential,
    ...jsonBody({ token }, ['token']),
  };
}

export function introspectionIn({ body }: Pick<RestResponse, 'body'>): Introspection {
  if (!isObject(body) || typeof body.active !== 'boolean') {
    const upstream = { method: 'POST', path: '/oauth/introspect' };
    throw invalid(upstream, 'an introspection that does not say whether the token is active');
  }
  return {
    active: body.active,
    administrations: Array.isArray(body.administrations)
      ? body.administrations.map(named).filter((item) => item !== null)
      : null,
    clientId: text(body.client_id),
    company: named(body.company),
    scopes: words(body.scope),
    tokenType: text(body.token_type),
    issuedAt: number(body.iat),
    expiresAt: number(body.exp),
  };
}

/** A refresh token works once, so two who refresh at the same time must share one call and one answer. */
export async function refreshAccessToken(session: RestSession, refreshToken: string): Promise<AccessToken> {
  const parameters = { grant_type: 'refresh_token', refresh_token: refreshToken };
  const call = tokenCall(jsonBody(parameters, ['refresh_token']));
  const cache = session.credentialCache('basic');
  // Never cancelled: the caller that started it may disconnect, and the token in the response must not be lost.
  const { isCoalesced, response } = cache.tokens.join(
    { key: cache.nameSecret(refreshToken), fields: {} },
    session.cancellation,
    () => session.send(call, new Cancellation()),
  );
  return accessTokenIn(await (isCoalesced ? session.awaitCoalesced(call, response) : response));
}

export async function createClientCredentialsToken(session: RestSession): Promise<AccessToken> {
  return accessTokenIn(await session.send(tokenCall(jsonBody({ grant_type: 'client_credentials' }))));
}

function tokenCall(sent: Pick<Call, 'body' | 'parameters'>): Call {
  const path = '/oauth/token';
  return { method: 'POST', endpoint: `POST ${path}`, path, credential: 'basic', ...sent };
}

function accessTokenIn({ body }: RestResponse): AccessToken {
  if (!isObject(body) || typeof body.access_token !== 'string') {
    throw invalid({ method: 'POST', path: '/oauth/token' }, 'an answer without an access token');
  }
  return {
    accessToken: body.access_token,
    tokenType: text(body.token_type),
    scopes: words(body.scope),
    createdAt: number(body.created_at),
    expiresIn: number(body.expires_in),
    refreshToken: text(body.refresh_token),
  };
}

function named(value: unknown): Named | null {
  return isObject(value) && typeof value.id === 'string' ? { id: value.id, name: text(value.name) } : null;
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function number(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}

function words(value: unknown): string[] | null {
  return typeof value === 'string' ? value.split(' ').filter((word) => word !== '') : null;
}
