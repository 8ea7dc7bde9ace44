import { randomBytes } from 'node:crypto';
import { hashableKey } from '../composite-key.ts';
import type { RestResponse } from '../rest/client/attempt.ts';
import { RestError } from '../rest/errors.ts';
import type { RefreshCoordinator, SendToken } from '../rest/refresh-coordinator.ts';
import type { TextCodec } from '../rest/wire-text.ts';
import type { Names } from './names.ts';
import { refreshOnce, type SendOutcome, type SharedStates } from './refresh-protocol.ts';
import { createSeal, type Seal } from './seal.ts';
import { openRefusal, openResponse, sealRefusal, sealResponse } from './sealed-outcome.ts';

export interface RefreshesOptions {
  readonly states: SharedStates;
  readonly names: Pick<Names, 'refresh'>;
  readonly secret: string;
  /** How long a REST call takes at most. */
  readonly restTimeoutMs: number;
}

/** Refreshes each token once among all replicas; its outcome can be read only by those who have the token. */
export function createRefreshes(options: RefreshesOptions): RefreshCoordinator {
  const { states, names, secret, restTimeoutMs } = options;
  return {
    async refresh(authorization, refreshToken, send, text) {
      const seal = createSeal(hashableKey(authorization, refreshToken), secret);
      const here = new SendHere(send, seal, text);
      const verdict = await refreshOnce(states, {
        key: names.refresh(authorization, refreshToken),
        owner: randomBytes(12).toString('base64url'),
        send: () => here.run(),
        sendMs: restTimeoutMs,
      });
      switch (verdict.kind) {
        case 'sent here':
          return here.response();
        case 'alone':
          return send();
        case 'interrupted':
          throw interrupted();
        case 'done':
          return openResponse(seal, verdict.sealed, text) ?? Promise.reject(outcomeUnknown());
        case 'refused':
          throw openRefusal(seal, verdict.sealed) ?? outcomeUnknown();
        case 'unknown':
          throw outcomeUnknown();
      }
    },
  };
}

/** The send of this replica: how it ended, for others, and its own response or error. */
class SendHere {
  readonly #send: SendToken;
  readonly #seal: Seal;
  readonly #text: TextCodec;
  #response: Promise<RestResponse> | undefined;

  constructor(send: SendToken, seal: Seal, text: TextCodec) {
    this.#send = send;
    this.#seal = seal;
    this.#text = text;
  }

  async run(): Promise<SendOutcome> {
    let isSent = false;
    try {
      this.#response = this.#send(() => {
        isSent = true;
      });
      return sealResponse(this.#seal, await this.#response, this.#text);
    } catch (error) {
      if (!isSent || isUnconnected(error)) return { kind: 'unsent' };
      const refusal = error instanceof RestError ? sealRefusal(this.#seal, error) : undefined;
      return refusal ?? { kind: 'unknown' };
    }
  }

  response(): Promise<RestResponse> {
    return this.#response ?? Promise.reject(interrupted());
  }
}

/** Codes of a connection that was never made: nothing was sent on it. */
const UNCONNECTED = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function isUnconnected(error: unknown): boolean {
  if (!(error instanceof RestError)) return false;
  const { cause } = error;
  return cause instanceof Error && 'code' in cause && UNCONNECTED.has(String(cause.code));
}

function interrupted(): RestError {
  const message =
    'The refresh token was not sent, since the processes of the gateway lost touch. Try again in a moment.';
  return new RestError('OVERLOADED', message, { retryAfter: 1 });
}

function outcomeUnknown(): RestError {
  return new RestError(
    'REFRESH_OUTCOME_UNKNOWN',
    'The refresh token was sent, and its answer was lost, so it must not be sent again. If another process has ' +
      'stored newer tokens, use those; otherwise authorize again.',
  );
}
