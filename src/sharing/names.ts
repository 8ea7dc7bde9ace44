import { createHmac } from 'node:crypto';
import { hashableKey } from '../composite-key.ts';

/** Names that replicas share. All are keyed hashes: without the secret they reveal nothing. */
export interface Names {
  /** The key for hashes of credentials, with which all replicas know a credential by the same hash. */
  readonly credentialKey: Buffer;
  readonly checkKey: string;
  readonly invalidations: string;
  readonly refreshes: string;
  refresh(authorization: string, refreshToken: string): string;
  calls(credential: string): string;
}

const PREFIX = 'receivables';

export function createNames(secret: string): Names {
  const hash = (...parts: readonly string[]) =>
    createHmac('sha256', secret)
      .update(hashableKey(...parts))
      .digest();
  const name = (use: string, ...parts: readonly string[]) =>
    `${PREFIX}:${use}:${hash(use, ...parts).toString('base64url')}`;
  return {
    credentialKey: hash('credentials'),
    checkKey: name('check'),
    invalidations: name('invalidations'),
    refreshes: name('refreshes'),
    refresh: (authorization, refreshToken) => name('refresh', authorization, refreshToken),
    calls: (credential) => name('calls', credential),
  };
}
