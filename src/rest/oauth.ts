import { type Call, jsonRequestBody } from './call.ts';
import { Cancellation } from './cancellation.ts';
import { invalidResponse, RestError } from './errors.ts';
import { LEAF } from './fields.ts';
import { isObject } from './json.ts';
import { makeCall } from './make-call.ts';
import { fetchPage } from './pages.ts';
import { compileRowMapper, isValidRow } from './rows.ts';
import type { RestSession, SendToken } from './session.ts';
import { boolean, id, int, object, type RowOf, text, unixSeconds, wordList } from './values.ts';

const named = {
  internalId: id.required("The REST service's own id.", 'id'),
  name: text.optional('Name.'),
};

/** For an inactive token only `active` is set. */
export const introspection = {
  active: boolean.required('Whether the access token, not the refresh token, is still valid.'),
  clientId: text.optional('Client id of the application.'),
  company: object('Company', named).optional(
    'The company that the token was granted for. Only its `id`, `internalId` and `name` are known here.',
  ),
  administrations: object('Administration', named).list('The administrations that the token reaches.'),
  scopes: wordList.list('Granted permissions.', 'scope'),
  tokenType: text.optional('Always `Bearer`.'),
  issuedAt: unixSeconds.optional('When the token was issued.', 'iat'),
  expiresAt: unixSeconds.optional(
    'When the access token expires. Null if the REST service names no end.',
    'exp',
  ),
};

/** Every member is optional: a new token must not be lost because another member is invalid. */
export const accessToken = {
  accessToken: text.optional('Goes into the header `Authorization: Bearer <access token>`.'),
  tokenType: text.optional('Always `Bearer`.'),
  scopes: wordList.list('Granted permissions, each as `resource:permission`.', 'scope'),
  createdAt: unixSeconds.optional('When it was created.'),
  expiresIn: int.optional(
    'How many seconds it is valid from `createdAt` on. Null if the REST service names no end.',
  ),
  refreshToken: text.optional(
    'Works once, to get the next access token. A token of client credentials comes without one.',
  ),
};

export type Named = RowOf<typeof named>;
export type Introspection = RowOf<typeof introspection>;
export type AccessToken = RowOf<typeof accessToken>;

const TOKEN = { method: 'POST', path: '/oauth/token' } as const;
const INTROSPECT = { method: 'POST', path: '/oauth/introspect' } as const;

function createCall(path: string, credential: Call['credential'], parameters: Record<string, string>): Call {
  return { method: 'POST', endpoint: `POST ${path}`, path, credential, ...jsonRequestBody(parameters) };
}

const mapIntrospection = compileRowMapper(introspection);
const mapAccessToken = compileRowMapper(accessToken);

function parseIntrospection({ body }: { readonly body: unknown }): Introspection {
  const row = isObject(body) ? mapIntrospection(body) : undefined;
  if (typeof row?.active === 'boolean') return row;
  throw invalidResponse(INTROSPECT, 'an introspection that does not say whether the token is active');
}

function parseAccessToken({ body }: { readonly body: unknown }): AccessToken {
  const row = isObject(body) ? mapAccessToken(body) : undefined;
  if (typeof row?.accessToken === 'string' || typeof row?.refreshToken === 'string') return row;
  throw invalidResponse(TOKEN, 'a response without a token');
}

export function introspect(session: RestSession, token: string, credential: 'basic' | 'introspection') {
  return makeCall(session, createCall(INTROSPECT.path, credential, { token }), parseIntrospection);
}

const INACTIVE = new RestError(
  'UNAUTHENTICATED',
  'Your token is unknown, has expired, or belongs to another application.',
);

export async function introspectCaller(session: RestSession): Promise<Introspection> {
  const bearer = session.getCredentialCache('bearer');
  const token = bearer.authorization.replace(/^\S+ +/, '');
  // The response depends on two credentials, and is invalidated with either.
  const key = session.getCredentialCache('introspection').getGeneration().id;
  const call = createCall(INTROSPECT.path, 'introspection', { token });
  const generation = bearer.getGeneration();
  const listCache = generation.getListCache(call.path);
  const query = { fields: LEAF, perPage: 1 };
  let page = session.cache.reads ? listCache?.getPage(key, query) : undefined;
  if (page) session.addCall(call, 'cache');
  page ??= await fetchPage(session, { call, generation, key }, query, ({ body, bytes }, sentAt) => {
    // An inactive token may become active at any moment, so it is an error, which is not cached.
    const row = parseIntrospection({ body }).active ? { internalId: key, body } : INACTIVE;
    const read = { rows: [row], bytes, sentAt };
    listCache?.addPage(read, query, key);
    return read;
  });
  const [row = INACTIVE] = page.rows;
  if (row instanceof RestError) throw row;
  return parseIntrospection({ body: row.body });
}

export function getAdministrations({ administrations }: Introspection): readonly Named[] | null {
  if (administrations === null) return null;
  // An invalid value is an Error.
  if (Array.isArray(administrations) && !administrations.some((row) => !isValidRow(row)))
    return administrations;
  throw invalidResponse(INTROSPECT, 'administrations without identifiers');
}

/** A refresh token works once, so concurrent refreshes share one call, also between processes. */
export async function refreshAccessToken(session: RestSession, refreshToken: string): Promise<AccessToken> {
  const call = createCall(TOKEN.path, 'basic', { grant_type: 'refresh_token', refresh_token: refreshToken });
  const cache = session.getCredentialCache('basic');
  // Never cancelled: the caller that started the refresh may disconnect, and the new token must not be lost.
  const uncancelled = new Cancellation();
  let isSentHere = false;
  const send: SendToken = async (onSend) => {
    isSentHere = true;
    return makeCall(session, call, (response) => response, { cancellation: uncancelled, onSend });
  };
  const { refreshes } = session.service;
  const refresh = () => refreshes?.refresh(cache.authorization, refreshToken, send) ?? send();
  const request = { key: cache.createSecretKey(refreshToken), fields: LEAF };
  const joined = session.service.cache.refreshesInFlight.join(request, uncancelled, refresh);
  const response = session.cancellation.limit(joined.response);
  const received = await (joined.isCoalesced ? session.awaitCoalesced(call, response) : response);
  if (!joined.isCoalesced && !isSentHere) session.addCall(call, 'coalesced');
  return parseAccessToken(received);
}

export async function createClientCredentialsToken(session: RestSession): Promise<AccessToken> {
  return makeCall(
    session,
    createCall(TOKEN.path, 'basic', { grant_type: 'client_credentials' }),
    parseAccessToken,
  );
}
