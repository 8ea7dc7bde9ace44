import { createHmac } from 'node:crypto';

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
  const hash = (use: string, text = '') => createHmac('sha256', secret).update(`${use}\0${text}`).digest();
  const name = (use: string, text?: string) => `${PREFIX}:${use}:${hash(use, text).toString('base64url')}`;
  return {
    credentialKey: hash('credentials'),
    checkKey: name('check'),
    invalidations: name('invalidations'),
    refreshes: name('refreshes'),
    // An `Authorization` value has no NUL, so no two pairs have the same text.
    refresh: (authorization, refreshToken) => name('refresh', `${authorization}\0${refreshToken}`),
    calls: (credential) => name('calls', credential),
  };
}
