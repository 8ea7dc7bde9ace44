import { randomBytes } from 'node:crypto';
import { hashableKey } from '../composite-key.ts';
import type { RestResponse } from '../rest/client/attempt.ts';
import { errorFromResponse } from '../rest/client/error-response.ts';
import { RestError } from '../rest/errors.ts';
import { isObject, parseJson } from '../rest/json.ts';
import type { RefreshCoordinator } from '../rest/refresh-coordinator.ts';
import type { TextCodec } from '../rest/wire-text.ts';
import { createSeal, type Names, type Seal } from './names.ts';
import { refreshOnce, type SendOutcome, type SharedStates } from './refresh-protocol.ts';

/** Refreshes each token once among all replicas; only those who have the token can read the outcome. */
export function createRefreshes(
  states: SharedStates,
  names: Pick<Names, 'refresh'>,
  { secret, restTimeoutMs }: { readonly secret: string; readonly restTimeoutMs: number },
): RefreshCoordinator {
  return {
    async refresh(authorization, refreshToken, send, text) {
      const seal = createSeal(hashableKey(authorization, refreshToken), secret);
      let response: Promise<RestResponse> | undefined;
      /** How the send of this replica ended, for others. */
      const sendHere = async (): Promise<SendOutcome> => {
        let isSent = false;
        try {
          response = send(() => {
            isSent = true;
          });
          return sealResponse(seal, await response, text);
        } catch (error) {
          if (!isSent || isUnconnected(error)) return { kind: 'unsent' };
          const refusal = error instanceof RestError ? sealRefusal(seal, error) : undefined;
          return refusal ?? { kind: 'unknown' };
        }
      };
      const verdict = await refreshOnce(states, {
        key: names.refresh(authorization, refreshToken),
        owner: randomBytes(12).toString('base64url'),
        send: sendHere,
        sendMs: restTimeoutMs,
      });
      const { kind } = verdict;
      if (kind === 'sent here') return response ?? Promise.reject(interrupted());
      if (kind === 'alone') return send();
      if (kind === 'interrupted') throw interrupted();
      if (kind === 'refused') throw openRefusal(seal, verdict.sealed) ?? outcomeUnknown();
      const opened = kind === 'done' ? openResponse(seal, verdict.sealed, text) : undefined;
      return opened ?? Promise.reject(outcomeUnknown());
    },
  };
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

/** With ordinary strings: other processes may hold text of the service in another way. */
export function sealResponse(
  seal: Seal,
  { status, body, bytes }: RestResponse,
  text: TextCodec,
): SendOutcome {
  const json = JSON.stringify({ status, body: text.decodeJson(body), bytes });
  return { kind: 'done', sealed: seal.seal(json, 'done') };
}

export function openResponse(seal: Seal, sealed: string, text: TextCodec): RestResponse | undefined {
  const response = parseJson(seal.open(sealed, 'done') ?? '');
  if (!isObject(response)) return undefined;
  const { status, body, bytes } = response;
  if (typeof status !== 'number' || typeof bytes !== 'number') return undefined;
  return { status, body: text.encodeJson(body), bytes };
}

/** A refusal is a 4xx: of any other error it is not known whether the service has used the token. */
export function sealRefusal(seal: Seal, { upstream, retryAfter }: RestError): SendOutcome | undefined {
  const { status = 0, code, message } = upstream ?? {};
  if (status < 400 || status > 499) return undefined;
  const sealed = seal.seal(JSON.stringify({ status, code, message, retryAfter }), 'refused');
  return { kind: 'refused', sealed };
}

/** The error as the replica got it that has sent the token. */
export function openRefusal(seal: Seal, sealed: string): RestError | undefined {
  const refusal = parseJson(seal.open(sealed, 'refused') ?? '');
  if (!isObject(refusal) || typeof refusal.status !== 'number') return undefined;
  const { status, retryAfter } = refusal;
  const seconds = typeof retryAfter === 'number' ? String(retryAfter) : undefined;
  return errorFromResponse({ method: 'POST', path: '/oauth/token', status }, refusal, seconds, []);
}
