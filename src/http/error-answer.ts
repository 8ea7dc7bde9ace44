import { negotiate, typeFor } from './negotiation.ts';
import type { RequestError } from './request-error.ts';

/** Responses belong to one caller, and may hold tokens: no proxy may store them. */
export const NO_STORE = 'private, no-store';
/** What the responses of operations depend on, beside the credentials. */
export const VARY = 'Accept, Accept-Encoding';

/** The headers and the body of a response to a refused request. */
export function errorAnswer(
  { status, code, message, headers, answers }: RequestError,
  requestId: string,
  accept?: string,
) {
  const one = { errors: [{ message, extensions: { code, requestId } }] };
  const body = JSON.stringify(answers === undefined ? one : Array.from({ length: answers }, () => one));
  return {
    status,
    headers: {
      ...headers,
      'content-type': `${typeFor(status, negotiate(accept))}; charset=utf-8`,
      'cache-control': NO_STORE,
      vary: VARY,
      'x-request-id': requestId,
    },
    body: Buffer.from(body),
  };
}
