import type { RestRequest, RestResponse } from './attempt.ts';
import { Attempts } from './attempts.ts';
import { type CallRecord, elapsed, note } from './call-record.ts';
import type { Caller } from './caller.ts';
import type { RestClient } from './client.ts';
import type { Place } from './entries.ts';
import { RestError } from './errors.ts';
import type { Generation, Memories, Memory } from './memory.ts';
import type { CredentialKind, ParameterNames } from './resource.ts';
import { requireUrl } from './url.ts';

/** `Authorization` values, each for its own endpoints alone. */
export interface Credentials {
  readonly bearer?: string | undefined;
  readonly basic?: string | undefined;
  /** The gateway's own application, lent to nothing but the introspection of the caller's own token. */
  readonly own?: string | undefined;
}

/** A REST call as a session makes it: what to send, as whom, and what of it may be shown. */
export interface Call extends RestRequest {
  readonly credential: CredentialKind | 'introspection';
  readonly parameters: { readonly [name: string]: unknown };
}

/** The REST service as one operation of one caller reaches it. */
export interface RestSession {
  readonly client: RestClient;
  readonly memories: Memories;
  /** Whether to pass by what is remembered, and to remember anew. */
  readonly fresh: boolean;
  /** By `performance.now()`: a fresh read joins no call that was sent before. */
  readonly startedAt: number;
  readonly credentials: Credentials;
  /** Whom its share of what is limited is counted for; holds no credential. */
  readonly owner: string;
  readonly parameterNames: ParameterNames;
  readonly caller: Caller;
  readonly maxCalls: number;
  readonly calls: CallRecord[];
  /** Counts bytes that the operation holds until its end, among those of all operations under way. */
  readonly hold: (bytes: number) => void;
  /** Until when what was remembered and shown may be shown again, by `performance.now()`. */
  freshUntil: number;
}

/** What the caller's credential for an endpoint has read, and is reading. */
export function memoryOf({ memories, credentials }: RestSession, kind: Call['credential']): Memory {
  return memories.of(authorizationFor(credentials, kind));
}

/** What the caller's credential for an endpoint has cached, as a call sees it that is sent now. */
export function generationOf(session: RestSession, kind: Call['credential']): Generation {
  return memoryOf(session, kind).generation();
}

/** Where to keep what is made of all that the caller has read so far: lost once any of that changes. */
export function placeForMade({ memories, credentials }: RestSession, key: string): Place {
  const { bearer, basic, own } = credentials;
  const editions = [bearer, basic ?? own].map(
    (authorization) => authorization && memories.of(authorization).edition(),
  );
  return memories.shared(`${editions.join(' ')} ${key}`);
}

/** Sends a call, for as long as the caller waits, and notes what became of it. */
export async function callRest(
  session: RestSession,
  call: Call,
  caller: Caller = session.caller,
): Promise<RestResponse> {
  const authorization = authorizationFor(session.credentials, call.credential);
  const { path, query } = call;
  requireUrl(session.client.baseLength + path.length + (query === undefined ? 0 : 1 + query.length));
  const log = new Attempts(session, call);
  try {
    const response = await session.client.send(call, { authorization, owner: session.owner, caller, log });
    log.answered(response);
    const memory = session.memories.of(authorization);
    memory.accepted();
    // Pages are counted where they are used: a call may bring one for several operations.
    if (call.method !== 'GET') session.hold(response.bytes);
    // A write changes what was read before it.
    if (call.method === 'PATCH') memory.forget();
    return response;
  } catch (error) {
    log.failed(error);
    const status = error instanceof RestError ? error.upstream?.status : undefined;
    const memory = session.memories.of(authorization);
    if (status === 401) memory.refused();
    // A credential that is refused may have been taken back, and a write that failed may have been made.
    if (status === 401 || status === 403 || call.method === 'PATCH') memory.forget();
    throw error;
  }
}

/** Waits for a call that somebody else has sent, and notes that. */
export async function shareCall<T>(
  session: RestSession,
  call: CallRecord['call'],
  answer: Promise<T>,
): Promise<T> {
  const record = note(session.calls, call, 'coalesced');
  const start = performance.now();
  try {
    return await answer;
  } finally {
    record.milliseconds = elapsed(start);
  }
}

/** Notes what would have been a call, had it not been remembered. */
export function noteRemembered(
  session: RestSession,
  call: CallRecord['call'],
  rows: number | null,
  until: number,
): void {
  note(session.calls, call, 'cache', rows);
  session.freshUntil = Math.min(session.freshUntil, until);
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
