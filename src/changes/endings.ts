import { type ErrorCode, RestError, type RestErrorOptions } from '../rest/errors.ts';
import type { ChangeSource } from './change.ts';

/** How a stream ends other than by its reader, or what it is told meanwhile. */
export interface Ending extends Pick<RestErrorOptions, 'retryAfter' | 'upstream'> {
  readonly code: ErrorCode;
  readonly message: string;
}

/** Between two attempts while the service cannot be read, unless it asks for more or polls are rarer anyway. */
const MAX_RETRY_MS = 60_000;

/** However long the service asks to be left alone: a wrong header must not end a stream without a word. */
const MAX_ASKED_MS = 300_000;

const RESUME = 'Subscribe again with `after: <cursor>`.';

export const TOO_SLOW: Ending = {
  code: 'SLOW_CONSUMER',
  message: `The changes were read too slowly. ${RESUME}`,
};
export const STOPPING: Ending = {
  code: 'SERVER_STOPPING',
  message: `This gateway is being stopped. ${RESUME}`,
};
export const EXPIRING: Ending = {
  code: 'UNAUTHENTICATED',
  message: 'The access token expires. Subscribe again with a new one, and with `after: <cursor>`.',
};

export function expired({ kind, retentionMs = 0 }: ChangeSource): Ending {
  const days = Math.round(retentionMs / 86_400_000);
  const message =
    `The service lists deleted records for ${days} days, and the stream would start before that, so some of ` +
    `${kind} may be missing. Read everything anew, and subscribe without \`since\` and \`after\`.`;
  return { code: 'CHANGES_EXPIRED', message };
}

/** Errors that another attempt with the same credential would meet again. */
const FINAL_CODES = ['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND', 'BAD_USER_INPUT', 'NOT_CONFIGURED'];

export function isFinal({ code }: RestError): boolean {
  return FINAL_CODES.includes(code);
}

/** How long to wait after so many failures in a row. */
export function retryDelay(error: unknown, pollMs: number, failures: number): number {
  const asked = error instanceof RestError ? (error.retryAfter ?? 0) * 1_000 : 0;
  const most = Math.max(MAX_RETRY_MS, pollMs);
  const own = Math.min(most, pollMs * 2 ** Math.min(failures, 10));
  return Math.max(own, Math.min(asked, MAX_ASKED_MS));
}

/** Says how a stream can be had nevertheless. */
export function withRetryAdvice(error: RestError, { kind }: ChangeSource): RestError {
  const { code, message, upstream } = error;
  if (code !== 'FORBIDDEN') return error;
  const end = /[.!?]$/.test(message) ? '' : '.';
  const advice =
    `${end} Check the administration. Leave ${kind} out of \`kinds\` if the token may read the administration, ` +
    'but not this list.';
  return new RestError(code, message + advice, { upstream, cause: error });
}

/** Of a service that cannot be read for now. */
export function noticeOf({ code, message, upstream }: RestError, waitMs: number): Ending {
  const retryAfter = Math.ceil(waitMs / 1_000);
  const goesOn = ` The stream goes on: the next attempt is in ${retryAfter} s.`;
  return { code, message: message + goesOn, upstream, retryAfter };
}
