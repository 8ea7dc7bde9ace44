import { RestError } from './errors.ts';
import type { CredentialKind } from './resource.ts';

/** `Authorization` values, each sent to its own endpoints only. */
export interface Credentials {
  readonly bearer?: string | undefined;
  readonly basic?: string | undefined;
  /** What is wrong with a Basic credential that the caller sent; then there is no `basic`. */
  readonly basicProblem?: string | undefined;
  /** The gateway's own application, used only to introspect the caller's own token. */
  readonly own?: string | undefined;
}

/** What a call needs a credential for. */
export type CredentialUse = CredentialKind | 'introspection';

const MISSING = {
  bearer: 'Send the header `Authorization: Bearer <access token>`.',
  basic:
    'Send the header `Authorization: Basic <client id and secret>`, or beside a bearer token ' +
    '`X-Client-Authorization: Basic <client id and secret>`.',
  introspection:
    'Introspection of your token needs an application: configure the gateway with REST_CLIENT_ID and ' +
    'REST_CLIENT_SECRET, or send `X-Client-Authorization: Basic <client id and secret>`.',
};

/** Selects the credential for an endpoint; credentials are never sent to other endpoints. */
export function authorizationFor(credentials: Credentials, kind: CredentialUse): string {
  const { bearer, basic, basicProblem, own } = credentials;
  if (kind !== 'bearer' && basicProblem !== undefined) throw new RestError('UNAUTHENTICATED', basicProblem);
  const authorization = { bearer, basic, introspection: basic ?? own }[kind];
  if (authorization !== undefined) return authorization;
  throw new RestError(kind === 'introspection' ? 'NOT_CONFIGURED' : 'UNAUTHENTICATED', MISSING[kind]);
}
