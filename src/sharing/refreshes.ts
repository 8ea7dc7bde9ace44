import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { hashableKey } from '../composite-key.ts';
import type { RestResponse } from '../rest/client/attempt.ts';
import { errorFromResponse } from '../rest/client/error-response.ts';
import { RestError } from '../rest/errors.ts';
import { isObject } from '../rest/json.ts';
import type { RefreshCoordinator } from '../rest/session.ts';

/**
 * Replicas share the state of a refresh token, and change it by compare-and-set:
 *
 *     free → sent → done | refused | unknown
 *
 * `sent` is set before the token is sent and lasts a day, so that nobody else sends it, even if its holder dies. Each
 * state but `free` is a word and, after a space, its holder or its encrypted outcome.
 */
interface SharedStates {
  /** Sets the state if it is one of `from`, and returns the resulting state. Rejects if in doubt. */
  move(key: string, from: readonly string[], to: string, lifeMs: number): Promise<string>;
  pause(milliseconds: number): Promise<unknown>;
  now(): number;
}

export const FREE = '';
/** The service may or may not have used the token. */
export const UNKNOWN = 'unknown';

const SENT_MS = 86_400_000;
const OUTCOME_MS = 60_000;
/** Long enough for replicas that wait. The service may accept the same token later, such as after a 429. */
const REFUSAL_MS = 5_000;
/** How long a replica tries to reach Redis before it refreshes the token by itself. */
const CLAIM_MS = 500;
const POLL_MS = 100;
const MARGIN_MS = 2_000;

/** Refreshes each token once among all replicas. Only those who have the token can decrypt the outcome. */
export function createRefreshes(
  states: SharedStates,
  createKey: (authorization: string, refreshToken: string) => string,
  { secret, restTimeoutMs }: { readonly secret: string; readonly restTimeoutMs: number },
): RefreshCoordinator {
  return {
    async refresh(authorization, refreshToken, sendToken) {
      const { encrypt, decrypt } = createEncryption(hashableKey(authorization, refreshToken), secret);
      let response: Promise<RestResponse> | undefined;
      const send = async (): Promise<string> => {
        let isSent = false;
        try {
          response = sendToken(() => {
            isSent = true;
          });
          return `done ${encrypt(await response)}`;
        } catch (error) {
          const { upstream, retryAfter, cause } = error instanceof RestError ? error : {};
          const isUnconnected = isObject(cause) && UNCONNECTED.test(String(cause.code));
          if (!isSent || isUnconnected) return FREE;
          const { status = 0, code, message } = upstream ?? {};
          // After any other error, the service may have used the token.
          if (status < 400 || status > 499) return UNKNOWN;
          return `refused ${encrypt({ status, body: { code, message }, retryAfter: `${retryAfter ?? ''}` })}`;
        }
      };
      const key = createKey(authorization, refreshToken);
      const holderId = randomBytes(12).toString('base64url');
      const state = await refreshOnce(states, key, holderId, restTimeoutMs, send);
      if (state === undefined && response) return response;
      const [kind = '', encrypted = ''] = (state ?? UNKNOWN).split(' ');
      const outcome = decrypt(encrypted);
      if (!isObject(outcome) || typeof outcome.status !== 'number') throw OUTCOME_UNKNOWN;
      const { status, body, bytes, retryAfter } = outcome;
      if (kind === 'done') return { status, body, bytes: Number(bytes) };
      throw errorFromResponse({ method: 'POST', path: '/oauth/token' }, { status, body, retryAfter });
    },
  };
}

/** Codes of a connection that was never made: nothing was sent on it. */
const UNCONNECTED =
  /^(?:EAI_AGAIN|ECONNREFUSED|E(?:HOST|NET)UNREACH|ENOTFOUND|PROXY_[A-Z]+|UND_ERR_CONNECT_TIMEOUT)$/;

const OUTCOME_UNKNOWN = new RestError(
  'REFRESH_OUTCOME_UNKNOWN',
  'The refresh token was sent, but the response was lost. Do not send the token again. If another process has ' +
    'stored newer tokens, use those; otherwise authorize again.',
);

/**
 * Returns the outcome of another replica, if there is one. Otherwise calls `send`, which returns the next state: FREE
 * only if the token was certainly not sent.
 */
export async function refreshOnce(
  states: SharedStates,
  key: string,
  holderId: string,
  sendMs: number,
  send: () => Promise<string>,
): Promise<string | undefined> {
  const ownState = `sent ${holderId}`;
  const claim = () => states.move(key, [FREE], ownState, SENT_MS);
  const deadline = states.now() + sendMs + MARGIN_MS;
  let state = await retryFor(states, claim, CLAIM_MS);
  while (state !== undefined && state !== ownState) {
    if (!state.startsWith('sent ')) return state;
    if (states.now() >= deadline) return UNKNOWN;
    await states.pause(POLL_MS);
    state = await claim().catch(() => state);
  }
  const outcome = await send();
  const lifeMs = outcome.startsWith('refused ') ? REFUSAL_MS : OUTCOME_MS;
  // Not awaited. The state is still free if Redis could not be reached before.
  void retryFor(states, () => states.move(key, [ownState, FREE], outcome, lifeMs), OUTCOME_MS);
  return undefined;
}

/** Retries a move, which is safe to repeat. Returns undefined if the outcome stays in doubt. */
async function retryFor(states: SharedStates, move: () => Promise<string>, milliseconds: number) {
  const deadline = states.now() + milliseconds;
  for (;;) {
    try {
      return await move();
    } catch {
      if (states.now() >= deadline) return undefined;
      await states.pause(POLL_MS);
    }
  }
}

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts values as JSON, between a nonce and a tag. Decrypting needs the same source and secret. */
export function createEncryption(source: string, secret: string) {
  const key = Buffer.from(hkdfSync('sha256', source, secret, 'receivables-graphql refresh', 32));
  return {
    encrypt(value: unknown): string {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, nonce);
      const content = cipher.update(JSON.stringify(value), 'utf8');
      return Buffer.concat([nonce, content, cipher.final(), cipher.getAuthTag()]).toString('base64');
    },
    decrypt(encrypted: string): unknown {
      const bytes = Buffer.from(encrypted, 'base64');
      try {
        const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES));
        decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
        const content = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8');
        return JSON.parse(content + decipher.final('utf8'));
      } catch {
        return undefined;
      }
    },
  };
}
