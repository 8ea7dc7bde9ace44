import type { RestRequest, RestResponse } from './attempt.ts';
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

/** What became of one REST call; nothing in it is secret. */
export interface CallRecord {
  readonly call: Pick<Call, 'method' | 'path' | 'parameters'>;
  readonly source: 'network' | 'cache' | 'flight';
  status: number | null;
  milliseconds: number | null;
  bytes: number | null;
  rows: number | null;
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
  if (callsSent(session) >= session.maxCalls) {
    throw new RestError(
      'OPERATION_TOO_EXPENSIVE',
      `The operation needs more than ${session.maxCalls} REST calls. Ask for fewer rows or fewer lists.`,
    );
  }
  requireUrl(
    session.client.baseLength + call.path.length + (call.query === undefined ? 0 : 1 + call.query.length),
  );
  const record = note(session, call, 'network');
  const start = performance.now();
  try {
    const response = await session.client.send(call, { authorization, owner: session.owner, caller });
    record.status = response.status;
    record.bytes = response.bytes;
    record.rows = rowsIn(response.body);
    const memory = session.memories.of(authorization);
    memory.accepted();
    // Pages are counted where they are used: a call may bring one for several operations.
    if (call.method !== 'GET') session.hold(response.bytes);
    // A write changes what was read before it.
    if (call.method === 'PATCH') memory.forget();
    return response;
  } catch (error) {
    const status = error instanceof RestError ? error.upstream?.status : undefined;
    record.status = status ?? null;
    const memory = session.memories.of(authorization);
    if (status === 401) memory.refused();
    // A credential that is refused may have been taken back, and a write that failed may have been made.
    if (status === 401 || status === 403 || call.method === 'PATCH') memory.forget();
    throw error;
  } finally {
    record.milliseconds = elapsed(start);
  }
}

/** Waits for a call that somebody else has sent, and notes that. */
export async function shareCall<T>(
  session: RestSession,
  call: CallRecord['call'],
  answer: Promise<T>,
): Promise<T> {
  const record = note(session, call, 'flight');
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
  note(session, call, 'cache', rows);
  session.freshUntil = Math.min(session.freshUntil, until);
}

function note(
  session: RestSession,
  call: CallRecord['call'],
  source: CallRecord['source'],
  rows: number | null = null,
): CallRecord {
  const record = { call, source, status: null, milliseconds: null, bytes: null, rows };
  session.calls.push(record);
  return record;
}

function callsSent({ calls }: RestSession): number {
  let sent = 0;
  for (const { source } of calls) if (source === 'network') sent += 1;
  return sent;
}

function elapsed(start: number): number {
  return Math.round((performance.now() - start) * 100) / 100;
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
