import { weakMemoize } from '../memoize.ts';
import { authorizationFor } from './authorization.ts';
import type { KeptAnswer } from './cache/rest-cache.ts';
import { Cancellation } from './cancellation.ts';
import type { RestResponse } from './client/attempt.ts';
import { invalid } from './errors.ts';
import { type Fields, LEAF } from './fields.ts';
import { isAbsent, isObject } from './json.ts';
import { isValidRow } from './page-body.ts';
import { type PickedSize, pickOf } from './pick.ts';
import type { SendToken } from './refresh-coordinator.ts';
import { jsonRequestBody } from './request-body.ts';
import type { Call, RestSession } from './session.ts';
import { isText, type TextCodec, type WireText } from './wire-text.ts';

export interface Named {
  readonly id: WireText;
  readonly name?: WireText | null;
}

/**
 * As received: GraphQL checks each selected member when it is serialized, so that an invalid one fails on its own. For an
 * inactive token only `active` is present.
 */
export interface Introspection {
  readonly active: boolean;
  readonly administrations?: readonly Named[] | null;
  readonly client_id?: WireText | null;
  readonly company?: Named | null;
  /** Separated by spaces. */
  readonly scope?: WireText | null;
  readonly token_type?: WireText | null;
  /** UNIX times in seconds. */
  readonly iat?: number | null;
  readonly exp?: number | null;
}

/** As received: a new token, of either kind, must not be lost because another member is invalid. */
export interface AccessToken {
  readonly access_token?: WireText | null;
  readonly token_type?: WireText | null;
  readonly scope?: WireText | null;
  readonly created_at?: number | null;
  /** Seconds; absent for a token that does not expire. */
  readonly expires_in?: number | null;
  readonly refresh_token?: WireText | null;
}

export async function introspect(
  session: RestSession,
  token: string,
  credential: 'basic' | 'introspection',
): Promise<Introspection> {
  return session.receive(introspectionCall(token, credential), introspectionIn);
}

const INTROSPECT = { method: 'POST', path: '/oauth/introspect' } as const;
const TOKEN = { method: 'POST', path: '/oauth/token' } as const;

function introspectionCall(token: string, credential: 'basic' | 'introspection'): Call {
  const endpoint = `POST ${INTROSPECT.path}`;
  return { ...INTROSPECT, endpoint, credential, ...jsonRequestBody({ token }, ['token']) };
}

const NAMED = { id: LEAF, name: LEAF } satisfies Record<keyof Named, Fields>;
const INTROSPECTION = {
  active: LEAF,
  administrations: NAMED,
  client_id: LEAF,
  company: NAMED,
  scope: LEAF,
  token_type: LEAF,
  iat: LEAF,
  exp: LEAF,
} satisfies Record<keyof Introspection, Fields>;

/** What is kept of an introspection that several operations use. */
function keptOf(response: RestResponse): KeptAnswer {
  const size: PickedSize = { bytes: 0 };
  return { body: pickOf(INTROSPECTION)(introspectionIn(response), size), bytes: size.bytes };
}

function introspectionIn({ body }: Pick<RestResponse, 'body'>): Introspection {
  if (isIntrospection(body)) return body;
  throw invalid(INTROSPECT, 'an introspection that does not say whether the token is active');
}

function isIntrospection(body: unknown): body is Introspection {
  return isObject(body) && typeof body.active === 'boolean';
}

/** The administrations, if all have ids; null if the service sends none. */
export function administrationsOf(
  { text }: RestSession,
  { administrations }: Introspection,
): readonly Named[] | null {
  if (isAbsent(administrations)) return null;
  if (Array.isArray(administrations) && areNamed(text)(administrations).all) return administrations;
  throw invalid(INTROSPECT, 'administrations without identifiers');
}

/** Memoized: two hundred aliases may ask for thousands of them. */
const areNamed = weakMemoize((text: TextCodec) =>
  weakMemoize((rows: readonly Named[]) => ({ all: rows.every((row) => isValidRow<Named>(row, text)) })),
);

/** A refresh token can be used once, so concurrent refreshes share one call, with other processes too by a coordinator. */
export async function refreshAccessToken(session: RestSession, refreshToken: string): Promise<AccessToken> {
  const parameters = { grant_type: 'refresh_token', refresh_token: refreshToken };
  const call = tokenCall(jsonRequestBody(parameters, ['refresh_token']));
  const cache = session.credentialCache('basic');
  let isSentHere = false;
  // Not cancellable: the caller that started it may disconnect, and the token in the response must not be lost.
  const send: SendToken = (onSend) => {
    isSentHere = true;
    return session.receive(call, (response) => response, new Cancellation(), onSend);
  };
  const { refreshes, text } = session;
  const { isCoalesced, response } = cache.tokens.join(
    { key: cache.secretKey(refreshToken), fields: {} },
    session.cancellation,
    () => refreshes?.refresh(cache.authorization, refreshToken, send, text) ?? send(),
  );
  if (isCoalesced) return accessTokenIn(await session.awaitCoalesced(call, response));
  const received = await response;
  if (!isSentHere) session.recordCoalesced(call);
  return accessTokenIn(received);
}

export async function createClientCredentialsToken(session: RestSession): Promise<AccessToken> {
  return session.receive(tokenCall(jsonRequestBody({ grant_type: 'client_credentials' })), accessTokenIn);
}

/** No token has nearly as many: they are kept for a minute for others who sent the same. */
const MAX_TOKEN_BYTES = 64_000;

function tokenCall(sent: Pick<Call, 'body' | 'parameters'>): Call {
  const endpoint = `POST ${TOKEN.path}`;
  return { ...TOKEN, endpoint, credential: 'basic', maxBytes: MAX_TOKEN_BYTES, ...sent };
}

function accessTokenIn({ body }: RestResponse): AccessToken {
  if (isAccessToken(body)) return body;
  throw invalid(TOKEN, 'an answer without a token');
}

function isAccessToken(body: unknown): body is AccessToken {
  return isObject(body) && (isText(body.access_token) || isText(body.refresh_token));
}

/** Converts UNIX seconds to ISO 8601; undefined if out of range. */
export function dateTime(seconds: number): string | undefined {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().replace('.000Z', 'Z');
}

/** Introspects the caller's own token; cached and coalesced like other reads with that token. */
export async function introspectCaller(session: RestSession): Promise<Introspection> {
  const token = authorizationFor(session.credentials, 'bearer').replace(/^\S+ +/, '');
  const call = introspectionCall(token, 'introspection');
  const { generation, key } = slotOf(session);
  const { entry } = generation.introspection(key);
  if (entry !== undefined && !session.bypassCache) {
    session.recordCacheHit(call, null, entry.expiresAt);
    session.hold(entry.bytes);
    return introspectionIn(entry.value);
  }
  const send = async (cancellation: Cancellation): Promise<KeptAnswer> => {
    const kept = await session.receive(call, keptOf, cancellation);
    // Inactive tokens are not cached: they may become active at any moment.
    if (introspectionIn(kept).active) generation.introspection(key).set(kept, kept.bytes);
    return kept;
  };
  const since = session.bypassCache ? session.startedAt : undefined;
  const { isCoalesced, response } = generation.inFlight.introspections.join(
    { key, fields: {}, since },
    session.cancellation,
    send,
  );
  if (!isCoalesced) return introspectionIn(await response);
  const shared = await session.awaitCoalesced(call, response);
  session.hold(shared.bytes);
  return introspectionIn(shared);
}

/** An introspection depends on two credentials, and is invalidated with either. The key holds only keyed hashes of them. */
function slotOf(session: RestSession) {
  const application = session.generation('introspection');
  return { generation: session.generation('bearer'), key: `introspection by ${application.name}` };
}
