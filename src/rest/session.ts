import type { RestRequest, RestResponse } from './attempt.ts';
import type { RestClient } from './client.ts';
import { RestError } from './errors.ts';
import type { Flights } from './flights.ts';
import type { CredentialKind, ParameterNames } from './resource.ts';

/** `Authorization` values, each for its own endpoints alone. */
export interface Credentials {
  readonly bearer?: string;
  readonly basic?: string;
  /** The gateway's own application, lent to nothing but the introspection of the caller's own token. */
  readonly own?: string;
}

/** A REST call as a session makes it: what to send, as whom, and what of it may be shown. */
export interface Call extends RestRequest {
  readonly credential: CredentialKind | 'introspection';
  readonly parameters: { readonly [name: string]: unknown };
  /** Set where equal calls under way must be one: it says which are equal, for the same credential. */
  readonly flight?: string;
}

/** What became of one REST call; nothing in it is secret. */
export interface CallRecord {
  readonly method: string;
  readonly path: string;
  readonly parameters: { readonly [name: string]: unknown };
  source: 'network' | 'cache' | 'flight';
  status: number | null;
  milliseconds: number | null;
  bytes: number | null;
  rows: number | null;
}

/** The REST service as one operation of one caller reaches it. */
export interface RestSession {
  readonly client: RestClient;
  readonly flights: Flights;
  readonly credentials: Credentials;
  readonly parameterNames: ParameterNames;
  readonly signal: AbortSignal;
  readonly maxCalls: number;
  readonly calls: CallRecord[];
}

export async function callRest(session: RestSession, call: Call): Promise<unknown> {
  const authorization = authorizationFor(session.credentials, call.credential);
  if (session.calls.length >= session.maxCalls) {
    throw new RestError(
      'OPERATION_TOO_EXPENSIVE',
      `The operation needs more than ${session.maxCalls} REST calls. Ask for fewer rows or fewer lists.`,
    );
  }
  const { method, path, parameters } = call;
  const record: CallRecord = {
    method,
    path,
    parameters,
    source: 'network',
    status: null,
    milliseconds: null,
    bytes: null,
    rows: null,
  };
  session.calls.push(record);

  const start = performance.now();
  try {
    const response = await send(session, call, authorization, record);
    record.status = response.status;
    record.bytes = response.bytes;
    record.rows = rowsIn(response.body);
    return response.body;
  } catch (error) {
    if (error instanceof RestError) record.status = error.upstream?.status ?? null;
    throw error;
  } finally {
    record.milliseconds = Math.round((performance.now() - start) * 100) / 100;
  }
}

function send(
  { client, flights, signal }: RestSession,
  call: Call,
  authorization: string,
  record: CallRecord,
): Promise<RestResponse> {
  if (call.flight === undefined) return client.send(call, authorization, signal);
  // A flight serves whoever joins it, so it does not end with the caller who started it.
  const { joined, response } = flights.join([authorization, call.path, call.flight], () =>
    client.send(call, authorization),
  );
  if (joined) record.source = 'flight';
  return response;
}

/** Every list of the service comes in the same envelope. */
function rowsIn(body: unknown): number | null {
  const data = typeof body === 'object' && body !== null && 'data' in body ? body.data : null;
  return Array.isArray(data) ? data.length : null;
}

const WANTED = {
  bearer: 'Send the header `Authorization: Bearer <access token>`.',
  basic:
    'Send the header `Authorization: Basic <client id and secret>`, or beside a bearer token ' +
    '`X-Client-Authorization: Basic <client id and secret>`.',
};

/** A credential reaches only the endpoints it is for. */
function authorizationFor({ bearer, basic, own }: Credentials, kind: Call['credential']): string {
  if (kind === 'introspection') {
    const application = basic ?? own;
    if (application !== undefined) return application;
    throw new RestError(
      'NOT_CONFIGURED',
      'Introspection of your token needs an application: configure the gateway with REST_CLIENT_ID and ' +
        'REST_CLIENT_SECRET, or send `X-Client-Authorization: Basic <client id and secret>`.',
    );
  }
  const authorization = kind === 'bearer' ? bearer : basic;
  if (authorization !== undefined) return authorization;
  throw new RestError('UNAUTHENTICATED', WANTED[kind]);
}
