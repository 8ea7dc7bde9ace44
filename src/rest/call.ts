import type { CredentialCache, RestCache } from './cache/rest-cache.ts';
import type { RestRequest } from './client/attempt.ts';
import { type CallErrorType, RestError } from './errors.ts';
import type { CredentialKind } from './resource.ts';

export interface Credentials {
  readonly bearer?: string | undefined;
  readonly basic?: string | undefined;
  /** Why the caller's Basic credential is invalid; `basic` is then absent. */
  readonly basicProblem?: string | undefined;
  /** The gateway's own application, used only to introspect the caller's own token. */
  readonly application?: string | undefined;
  /** The result of `getCredentialCache` for each use. */
  caches?: { [use in CredentialUse]?: CredentialCache };
}

type CredentialUse = CredentialKind | 'introspection';

export interface Call extends RestRequest {
  readonly credential: CredentialUse;
  /** The parameters to show, without secrets. Computed on demand, since copies take microseconds. */
  readonly parameters: () => { readonly [name: string]: unknown };
}

/** Outcome of one REST call, or of one attempt; contains no secrets. */
export interface CallRecord {
  readonly call: Pick<Call, 'method' | 'path' | 'parameters'>;
  readonly source: 'network' | 'cache' | 'coalesced';
  readonly startedAt: number;
  status: number | null;
  milliseconds: number | null;
  bytes: number | null;
  rows: number | null;
}

export function millisecondsSince(start: number): number {
  return Math.round((performance.now() - start) * 100) / 100;
}

export interface CallTracer {
  start(call: { readonly method: string; readonly endpoint: string }): CallSpan;
}

interface CallSpan {
  /** Sent with the call, so that the service's spans join the trace. */
  readonly headers: Readonly<Record<string, string>>;
  end(status: number | null, errorType: CallErrorType | undefined): void;
}

const MISSING = {
  bearer: 'Send the header `Authorization: Bearer <access token>`.',
  basic:
    'Send the header `Authorization: Basic <client id and secret>`. With a bearer token, send it as `X-Client-Authorization` instead.',
  introspection:
    'Introspection of your token needs an application: configure the gateway with REST_CLIENT_ID and ' +
    'REST_CLIENT_SECRET, or send `X-Client-Authorization: Basic <client id and secret>`.',
};

/** Selects the credential for an endpoint; credentials are never sent to other endpoints. */
function getAuthorization(credentials: Credentials, kind: CredentialUse): string {
  const { bearer, basic, basicProblem, application } = credentials;
  if (kind !== 'bearer' && basicProblem !== undefined) throw new RestError('UNAUTHENTICATED', basicProblem);
  const authorization = { bearer, basic, introspection: basic ?? application }[kind];
  if (authorization !== undefined) return authorization;
  throw new RestError(kind === 'introspection' ? 'NOT_CONFIGURED' : 'UNAUTHENTICATED', MISSING[kind]);
}

/** The cache of a credential. It is looked up once for each request, since that hashes the credential. */
export function getCredentialCache(cache: RestCache, credentials: Credentials, use: CredentialUse) {
  credentials.caches ??= {};
  credentials.caches[use] ??= cache.createCredentialCache(getAuthorization(credentials, use));
  return credentials.caches[use];
}

/** The cache of the credential that a request counts for, if it has one. */
export function getMainCache(cache: RestCache, credentials: Credentials): CredentialCache | undefined {
  const use = credentials.bearer === undefined ? 'basic' : 'bearer';
  return credentials[use] === undefined ? undefined : getCredentialCache(cache, credentials, use);
}

type Sent = Pick<Call, 'parameters'> & { readonly body: NonNullable<Call['body']> };

const SECRETS = ['token', 'refresh_token'];

export function jsonRequestBody(parameters: { readonly [name: string]: unknown }): Sent {
  const secret = SECRETS.find((name) => name in parameters);
  const secrets = secret === undefined ? [] : [String(parameters[secret])];
  const shown = secret === undefined ? parameters : { ...parameters, [secret]: '[secret]' };
  const body = { type: 'application/json', text: JSON.stringify(parameters), secrets };
  return { parameters: () => shown, body };
}

export function formBody(parameters: { readonly [name: string]: string }): Sent {
  const text = new URLSearchParams(parameters).toString();
  return { parameters: () => parameters, body: { type: 'application/x-www-form-urlencoded', text } };
}
