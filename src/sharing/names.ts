import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { hashableKey } from '../composite-key.ts';

export type Names = ReturnType<typeof createNames>;

/** Names that replicas share. All are keyed hashes: without the secret they reveal nothing. */
export function createNames(secret: string) {
  const hash = (...parts: readonly string[]) =>
    createHmac('sha256', secret)
      .update(hashableKey(...parts))
      .digest();
  const name = (use: string, ...parts: readonly string[]) =>
    `receivables:${use}:${hash(use, ...parts).toString('base64url')}`;
  return {
    /** The key for hashes of credentials, with which all replicas know a credential by the same hash. */
    credentialKey: hash('credentials'),
    checkKey: name('check'),
    invalidations: name('invalidations'),
    refresh: (authorization: string, refreshToken: string) => name('refresh', authorization, refreshToken),
    calls: (credential: string) => name('calls', credential),
  };
}

const ALGORITHM = 'aes-256-gcm';
/** A sealed text is a nonce, a tag, and what they seal. */
const NONCE_BYTES = 12;
const HEAD_BYTES = NONCE_BYTES + 16;

/** Seals texts for those who know the same secrets. */
export function createSeal(source: string, secret: string) {
  const key = Buffer.from(hkdfSync('sha256', source, secret, 'receivables-graphql refresh', 32));
  return {
    seal(text: string): string {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, nonce);
      const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), content]).toString('base64');
    },
    /** Undefined if the text was not sealed so, or was changed. */
    open(sealed: string): string | undefined {
      const bytes = Buffer.from(sealed, 'base64');
      try {
        const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), {
          authTagLength: HEAD_BYTES - NONCE_BYTES,
        });
        decipher.setAuthTag(bytes.subarray(NONCE_BYTES, HEAD_BYTES));
        return Buffer.concat([decipher.update(bytes.subarray(HEAD_BYTES)), decipher.final()]).toString(
          'utf8',
        );
      } catch {
        return undefined;
      }
    },
  };
}
