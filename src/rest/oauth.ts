import { authorizationFor } from './authorization.ts';
import { Cancellation } from './cancellation.ts';
import { invalid, RestError } from './errors.ts';
import { LEAF } from './fields.ts';
import { isObject } from './json.ts';
import { readThrough } from './page.ts';
import { jsonRequestBody } from './request-body.ts';
import { isValidRow, wholeRowMaker } from './rows.ts';
import type { Call, RestSession, SendToken } from './session.ts';
import { type AccessToken, accessToken, type Introspection, introspection, type Named } from './tokens.ts';

const INTROSPECT = { method: 'POST', path: '/oauth/introspect' } as const;
const TOKEN = { method: 'POST', path: '/oauth/token' } as const;

function introspectionCall(token: string, credential: 'basic' | 'introspection'): Call {
  return {
    ...INTROSPECT,
    endpoint: 'POST /oauth/introspect',
    credential,
    ...jsonRequestBody({ token }, 'token'),
  };
}

function tokenCall(parameters: { readonly [name: string]: string }): Call {
  const body = jsonRequestBody(parameters, 'refresh_token');
  return { ...TOKEN, endpoint: 'POST /oauth/token', credential: 'basic', ...body };
}

const makeIntrospection = wholeRowMaker(introspection);
const makeAccessToken = wholeRowMaker(accessToken);

function introspectionIn({ body }: { readonly body: unknown }): Introspection {
  const made = isObject(body) ? makeIntrospection(body) : undefined;
  if (typeof made?.active === 'boolean') return made;
  throw invalid(INTROSPECT, 'an introspection that does not say whether the token is active');
}

function accessTokenIn({ body }: { readonly body: unknown }): AccessToken {
  const made = isObject(body) ? makeAccessToken(body) : undefined;
  if (typeof made?.accessToken === 'string' || typeof made?.refreshToken === 'string') return made;
  throw invalid(TOKEN, 'an answer without a token');
}

export function introspect(
  session: RestSession,
  token: string,
  credential: 'basic' | 'introspection',
): Promise<Introspection> {
  return session.receive(introspectionCall(token, credential), introspectionIn);
}

const INACTIVE = new RestError(
  'UNAUTHENTICATED',
  'Your token is unknown, has expired, or belongs to another application.',
);

/** Introspects the caller's own token; cached and coalesced like other reads with that token. */
export async function introspectCaller(session: RestSession): Promise<Introspection> {
  const token = authorizationFor(session.options.credentials, 'bearer').replace(/^\S+ +/, '');
  // It depends on two credentials, and is invalidated with either.
  const application = session.credentialCache('introspection').generation().name;
  const page = await readThrough(session, {
    call: introspectionCall(token, 'introspection'),
    generation: session.credentialCache('bearer').generation(),
    key: application,
    fields: LEAF,
    perPage: 1,
    keep: true,
    isStored: true,
    read: ({ body, bytes }, sentAt) => {
      // One that is not active may become so at any moment: like every page with an error, it is not cached.
      const row = introspectionIn({ body }).active ? { internalId: application, body } : INACTIVE;
      return { rows: [row], bytes, sentAt };
    },
  });
  session.hold(page.bytes);
  const [row = INACTIVE] = page.rows;
  if (row instanceof RestError) throw row;
  return introspectionIn({ body: row.body });
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
  // Nobody cancels it: the caller that started it may disconnect, and the token in the response must not be lost.
  const uncancelled = new Cancellation();
  let isSentHere = false;
  const send: SendToken = (onSend) => {
    isSentHere = true;
    return session.receive(call, (response) => response, uncancelled, onSend);
  };
  const { refreshes } = session.service;
  const joined = cache.tokens.join(
    { key: cache.secretKey(refreshToken), fields: LEAF },
    uncancelled,
    () => refreshes?.refresh(cache.authorization, refreshToken, send) ?? send(),
  );
  const response = session.cancellation.limit(joined.response);
  if (joined.isCoalesced) return accessTokenIn(await session.awaitCoalesced(call, response));
  const received = await response;
  if (!isSentHere) session.record(call, 'coalesced');
  return accessTokenIn(received);
}

export async function createClientCredentialsToken(session: RestSession): Promise<AccessToken> {
  return session.receive(tokenCall({ grant_type: 'client_credentials' }), accessTokenIn);
}
