import { type ErrorCode, RestError } from '../errors.ts';
import { isObject } from '../json.ts';

const MAX_MESSAGE_LENGTH = 500;

/** Codes and messages by status. Other statuses have those of their hundred. */
const MEANINGS = new Map<number, readonly [ErrorCode, string]>([
  [400, ['BAD_USER_INPUT', 'The REST service rejected the request.']],
  [401, ['UNAUTHENTICATED', 'The REST service rejected the credential.']],
  [403, ['FORBIDDEN', 'The REST service does not allow this.']],
  [404, ['NOT_FOUND', 'The REST service does not know this record.']],
  [429, ['RATE_LIMITED', 'The REST service received too many requests. Retry later.']],
  [500, ['UPSTREAM_UNAVAILABLE', 'The REST service failed.']],
]);
const NO_SUCH_PATH =
  'The REST service does not know this path or administration. The operator of the gateway should check REST_URL.';

/** Returns the error of a response outside 2xx. A 4xx includes the service's code and message, without secrets. */
export function errorFromResponse(
  { method, path, query }: { readonly method: string; readonly path: string; readonly query?: string },
  { status, body, retryAfter }: { status: number; body?: unknown; retryAfter?: unknown },
  secrets: readonly string[] = [],
): RestError {
  const hundred = status >= 500 ? 500 : Math.floor(status / 100) * 100;
  const [code, words = `The REST service responded with status ${status}.`] = MEANINGS.get(status) ??
    MEANINGS.get(hundred) ?? ['UPSTREAM_INVALID_RESPONSE'];
  // The path of a write names a record, and a cursor one that may be gone. Other paths are the same for all callers.
  const isPathUnknown = status === 404 && method !== 'PATCH' && !new URLSearchParams(query).has('cursor');
  const meaning = isPathUnknown ? NO_SUCH_PATH : words;
  // The service may quote secrets, also as they are encoded in a URL.
  const hidden = secrets.flatMap((secret) => [secret, encodeURIComponent(secret.toWellFormed())]);
  const said: { code?: string; message?: string } = {};
  for (const name of ['code', 'message'] as const) {
    const text = hundred === 400 && isObject(body) ? body[name] : undefined;
    if (typeof text !== 'string') continue;
    const shown = hidden.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);
    said[name] = shown.slice(0, MAX_MESSAGE_LENGTH);
  }
  const errorType = status >= 500 ? 'status_5xx' : hundred === 400 ? 'status_4xx' : 'status_3xx';
  const detail = said.message === undefined ? '' : ` Its message: ${said.message}`;
  return new RestError(code, meaning + detail, {
    upstream: { method, path, status, ...said },
    errorType: isPathUnknown ? 'unknown_path' : errorType,
    retryAfter: readRetryAfter(retryAfter),
  });
}

/** Returns what must not be shown: a token, or a client secret and the encoded credential. */
export function getSecrets(authorization: string): string[] {
  const credential = authorization.replace(/^\S+ +/, '');
  const [, clientSecret = ''] = Buffer.from(credential, 'base64').toString().split(/:(.*)/s);
  // Shorter texts are not secrets, but parts of other words.
  return [credential, clientSecret].filter(({ length }) => length > 3);
}

/** A date begins with its weekday: Node also parses `-1` and `1.5` as dates. JSON has no infinity. */
export function readRetryAfter(retryAfter: unknown): number | undefined {
  if (typeof retryAfter !== 'string') return undefined;
  if (/^\d+$/.test(retryAfter)) return Math.min(Number.MAX_SAFE_INTEGER, Number(retryAfter));
  const milliseconds = /^[a-z]/i.test(retryAfter) ? Date.parse(retryAfter) - Date.now() : Number.NaN;
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, Math.ceil(milliseconds / 1000));
}
