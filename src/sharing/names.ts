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
const [NONCE_BYTES, TAG_BYTES] = [12, 16];

/** Seals texts for those who know the same secrets; `context` has to be the same when a text is opened. */
export function createSeal(source: string, secret: string) {
  const key = Buffer.from(hkdfSync('sha256', source, secret, 'receivables-graphql refresh', 32));
  return {
    seal(text: string, context: string): string {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(context));
      const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), content]).toString('base64');
    },
    /** Undefined if the text was not sealed so, or was changed. */
    open(sealed: string, context: string): string | undefined {
      const bytes = Buffer.from(sealed, 'base64');
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
      try {
        const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
        decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
        const content = bytes.subarray(NONCE_BYTES + TAG_BYTES);
        return Buffer.concat([decipher.update(content), decipher.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}
