import { authorizationFor } from './authorization.ts';
import type { KeptIntrospection } from './cache/shelf.ts';
import { Cancellation } from './cancellation.ts';
import type { RestResponse } from './client/attempt.ts';
import { invalid } from './errors.ts';
import { isObject } from './json.ts';
import { jsonRequestBody } from './request-body.ts';
import { isValidRow, wholeRowMaker } from './rows.ts';
import type { Call, RestSession, SendToken } from './session.ts';
import { type AccessToken, accessToken, type Introspection, introspection, type Named } from './tokens.ts';

const INTROSPECT = { method: 'POST', path: '/oauth/introspect' } as const;
const TOKEN = { method: 'POST', path: '/oauth/token' } as const;

function introspectionCall(token: string, credential: 'basic' | 'introspection'): Call {
  const endpoint = `POST ${INTROSPECT.path}`;
  return { ...INTROSPECT, endpoint, credential, ...jsonRequestBody({ token }, ['token']) };
}

function tokenCall(parameters: { readonly [name: string]: string }): Call {
  const endpoint = `POST ${TOKEN.path}`;
  return { ...TOKEN, endpoint, credential: 'basic', ...jsonRequestBody(parameters, ['refresh_token']) };
}

const makeIntrospection = wholeRowMaker(introspection);
const makeAccessToken = wholeRowMaker(accessToken);

function introspectionIn({ body, bytes }: RestResponse): KeptIntrospection {
  const made = isObject(body) ? makeIntrospection(body) : undefined;
  if (typeof made?.active === 'boolean') return { introspection: made, bytes };
  throw invalid(INTROSPECT, 'an introspection that does not say whether the token is active');
}

function accessTokenIn({ body }: RestResponse): AccessToken {
  const made = isObject(body) ? makeAccessToken(body) : undefined;
  if (typeof made?.accessToken === 'string' || typeof made?.refreshToken === 'string') return made;
  throw invalid(TOKEN, 'an answer without a token');
}

export async function introspect(
  session: RestSession,
  token: string,
  credential: 'basic' | 'introspection',
): Promise<Introspection> {
  const kept = await session.receive(introspectionCall(token, credential), introspectionIn);
  return kept.introspection;
}

/** Introspects the caller's own token; cached and coalesced like other reads with that token. */
export async function introspectCaller(session: RestSession): Promise<Introspection> {
  const token = authorizationFor(session.credentials, 'bearer').replace(/^\S+ +/, '');
  const call = introspectionCall(token, 'introspection');
  // It depends on two credentials, and is invalidated with either.
  const generation = session.generation('bearer');
  const application = session.generation('introspection').name;
  const shelf = () => generation.shelf(INTROSPECT.path);
  const cached = session.readsCache ? shelf().introspection(application) : undefined;
  if (cached) {
    session.record(call, 'cache');
    session.hold(cached.bytes);
    return cached.introspection;
  }
  const { isCoalesced, response } = generation.introspections.join(
    { key: application, fields: {}, since: session.joinsSince },
    session.cancellation,
    async (cancellation) => {
      const sentAt = performance.now();
      const kept = await session.receive(call, introspectionIn, cancellation);
      // Inactive tokens are not cached: they may become active at any moment.
      if (kept.introspection.active && session.cache.isEnabled)
        shelf().addIntrospection(application, kept, sentAt);
      return kept;
    },
  );
  if (!isCoalesced) return (await response).introspection;
  const shared = await session.awaitCoalesced(call, response);
  session.hold(shared.bytes);
  return shared.introspection;
}

/** The administrations, if all have ids; null if the service sends none. */
export function administrationsOf({ administrations }: Introspection): readonly Named[] | null {
  if (administrations === null) return null;
  // It may be an Error, too.
  if (Array.isArray(administrations) && !administrations.some((row) => !isValidRow(row)))
    return administrations;
  throw invalid(INTROSPECT, 'administrations without identifiers');
}

/** A refresh token can be used once, so concurrent refreshes share one call, with other processes too by a coordinator. */
export async function refreshAccessToken(session: RestSession, refreshToken: string): Promise<AccessToken> {
  const call = tokenCall({ grant_type: 'refresh_token', refresh_token: refreshToken });
  const cache = session.credentialCache('basic');
  let isSentHere = false;
  // Not cancellable: the caller that started it may disconnect, and the token in the response must not be lost.
  const send: SendToken = (onSend) => {
    isSentHere = true;
    return session.receive(call, (response) => response, new Cancellation(), onSend);
  };
  const { refreshes } = session.options;
  const { isCoalesced, response } = cache.tokens.join(
    { key: cache.secretKey(refreshToken), fields: {} },
    session.cancellation,
    () => refreshes?.refresh(cache.authorization, refreshToken, send) ?? send(),
  );
  if (isCoalesced) return accessTokenIn(await session.awaitCoalesced(call, response));
  const received = await response;
  if (!isSentHere) session.record(call, 'coalesced');
  return accessTokenIn(received);
}

export async function createClientCredentialsToken(session: RestSession): Promise<AccessToken> {
  return session.receive(tokenCall({ grant_type: 'client_credentials' }), accessTokenIn);
}

/** Converts UNIX seconds to ISO 8601; undefined if out of range. */
export function dateTime(seconds: number): string | undefined {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().replace('.000Z', 'Z');
}
