import { randomBytes } from 'node:crypto';
import { hashableKey } from '../composite-key.ts';
import type { RestResponse } from '../rest/client/attempt.ts';
import { errorFromResponse } from '../rest/client/error-response.ts';
import { RestError } from '../rest/errors.ts';
import { isObject, parseJson } from '../rest/json.ts';
import type { RefreshCoordinator } from '../rest/session.ts';
import { createSeal, type Names } from './names.ts';
import { FREE, refreshOnce, type SharedStates, UNKNOWN } from './refresh-once.ts';

/** Refreshes each token once among all replicas; only those who have the token can read the outcome. */
export function createRefreshes(
  states: SharedStates,
  names: Pick<Names, 'refresh'>,
  { secret, restTimeoutMs }: { readonly secret: string; readonly restTimeoutMs: number },
): RefreshCoordinator {
  return {
    async refresh(authorization, refreshToken, sendToken) {
      const { seal, open } = createSeal(hashableKey(authorization, refreshToken), secret);
      const sealed = (kind: 'done' | 'refused', value: object) =>
        `${kind} ${seal(JSON.stringify(value), kind)}`;
      let response: Promise<RestResponse> | undefined;
      const send = async (): Promise<string> => {
        let isSent = false;
        try {
          response = sendToken(() => {
            isSent = true;
          });
          return sealed('done', await response);
        } catch (error) {
          if (!isSent || isUnconnected(error)) return FREE;
          const { upstream, retryAfter } = error instanceof RestError ? error : {};
          const { status = 0, code, message } = upstream ?? {};
          // Of any other error it is not known whether the service has used the token.
          if (status < 400 || status > 499) return UNKNOWN;
          return sealed('refused', { status, code, message, retryAfter });
        }
      };
      const key = names.refresh(authorization, refreshToken);
      const owner = randomBytes(12).toString('base64url');
      const state = await refreshOnce(states, { key, owner, send, sendMs: restTimeoutMs });
      if (state === undefined && response) return response;
      const [kind = '', text = ''] = (state ?? UNKNOWN).split(' ');
      const outcome = parseJson(open(text, kind) ?? '');
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
const UNCONNECTED = /^(?:EAI_AGAIN|ECONNREFUSED|E(?:HOST|NET)UNREACH|ENOTFOUND|UND_ERR_CONNECT_TIMEOUT)$/;

function isUnconnected(error: unknown): boolean {
  const cause = error instanceof RestError ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && UNCONNECTED.test(String(cause.code));
}

function outcomeUnknown(): RestError {
  return new RestError(
    'REFRESH_OUTCOME_UNKNOWN',
    'The refresh token was sent, and its answer was lost, so it must not be sent again. If another process has ' +
      'stored newer tokens, use those; otherwise authorize again.',
  );
}
