import { randomBytes } from 'node:crypto';
import { hashableKey } from '../composite-key.ts';
import type { RestResponse } from '../rest/client/attempt.ts';
import { errorFromResponse } from '../rest/client/error-response.ts';
import { RestError } from '../rest/errors.ts';
import { isObject, parseJson } from '../rest/json.ts';
import type { RefreshCoordinator } from '../rest/refresh-coordinator.ts';
import { createSeal, type Names } from './names.ts';
import { refreshOnce, type SendOutcome, type SharedStates } from './refresh-protocol.ts';

/** Refreshes each token once among all replicas; only those who have the token can read the outcome. */
export function createRefreshes(
  states: SharedStates,
  names: Pick<Names, 'refresh'>,
  { secret, restTimeoutMs }: { readonly secret: string; readonly restTimeoutMs: number },
): RefreshCoordinator {
  return {
    async refresh(authorization, refreshToken, send) {
      const seal = createSeal(hashableKey(authorization, refreshToken), secret);
      const outcomeOf = (kind: 'done' | 'refused', value: object): SendOutcome => ({
        kind,
        sealed: seal.seal(JSON.stringify(value), kind),
      });
      let response: Promise<RestResponse> | undefined;
      /** How the send of this replica ended, for others. */
      const sendHere = async (): Promise<SendOutcome> => {
        let isSent = false;
        try {
          response = send(() => {
            isSent = true;
          });
          const { status, body, bytes } = await response;
          // With ordinary strings: other processes may hold text of the service in another way.
          return outcomeOf('done', { status, bytes, body });
        } catch (error) {
          if (!isSent || isUnconnected(error)) return { kind: 'unsent' };
          const { upstream, retryAfter } = error instanceof RestError ? error : {};
          const { status = 0, code, message } = upstream ?? {};
          // Of any other error it is not known whether the service has used the token.
          if (status < 400 || status > 499) return { kind: 'unknown' };
          return outcomeOf('refused', { status, code, message, retryAfter });
        }
      };
      const verdict = await refreshOnce(states, {
        key: names.refresh(authorization, refreshToken),
        owner: randomBytes(12).toString('base64url'),
        send: sendHere,
        sendMs: restTimeoutMs,
      });
      const { kind } = verdict;
      if (kind === 'sent here' && response) return response;
      const sealed = 'sealed' in verdict ? seal.open(verdict.sealed, kind) : undefined;
      const outcome = parseJson(sealed ?? '');
      if (!isObject(outcome) || typeof outcome.status !== 'number') throw outcomeUnknown();
      const { status, body, bytes, retryAfter } = outcome;
      if (kind === 'done') return { status, body, bytes: Number(bytes) };
      const seconds = retryAfter === undefined ? undefined : String(retryAfter);
      throw errorFromResponse(
        { method: 'POST', path: '/oauth/token' },
        { status, body: outcome, retryAfter: seconds },
      );
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

function outcomeUnknown(): RestError {
  return new RestError(
    'REFRESH_OUTCOME_UNKNOWN',
    'The refresh token was sent, and its answer was lost, so it must not be sent again. If another process has ' +
      'stored newer tokens, use those; otherwise authorize again.',
  );
}
