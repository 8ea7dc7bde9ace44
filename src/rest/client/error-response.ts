import { faultOfStatus } from '../call-fault.ts';
import { type ErrorCode, RestError, type Upstream } from '../errors.ts';
import { isObject } from '../json.ts';

const MAX_MESSAGE_LENGTH = 500;
/** By which a secret is found: to look for all of a long one could take the product of both lengths. */
const HEAD_LENGTH = 64;

/** The error of a response outside 2xx; of a 4xx with the service's code and message. `missing` is what a 404 means. */
export function errorFromResponse(
  upstream: Upstream & { status: number },
  body: unknown,
  retryAfter: string | string[] | undefined,
  secrets: readonly string[],
  missing: 'record' | 'path' = 'record',
): RestError {
  const { status } = upstream;
  const code = codeOf(status);
  const details = status >= 400 && status < 500 ? serviceError(body, secrets) : {};
  const isPathUnknown = code === 'NOT_FOUND' && missing === 'path';
  const meaning = isPathUnknown ? NO_SUCH_PATH : (MESSAGES[code] ?? `The REST service answered ${status}.`);
  const explanation = details.message === undefined ? '' : ` It said: ${details.message}`;
  return new RestError(code, `${meaning}${explanation}`, {
    upstream: { ...upstream, ...details },
    fault: isPathUnknown ? 'unknown_path' : faultOfStatus(status),
    retryAfter: readRetryAfter(retryAfter),
  });
}

const NO_SUCH_PATH =
  'The REST service has nothing at this path. The operator of the gateway should check REST_URL.';

const MESSAGES: { readonly [code in ErrorCode]?: string } = {
  UNAUTHENTICATED: 'The REST service did not accept the credential.',
  FORBIDDEN: 'The REST service does not allow this.',
  NOT_FOUND: 'The REST service does not know this record.',
  BAD_USER_INPUT: 'The REST service did not accept the request.',
  RATE_LIMITED: 'The REST service asks to slow down.',
  UPSTREAM_UNAVAILABLE: 'The REST service failed.',
};

function codeOf(status: number): ErrorCode {
  if (status === 401) return 'UNAUTHENTICATED';
  if (status === 403) return 'FORBIDDEN';
  if (status === 404) return 'NOT_FOUND';
  if (status === 429) return 'RATE_LIMITED';
  if (status >= 400 && status < 500) return 'BAD_USER_INPUT';
  if (status >= 500) return 'UPSTREAM_UNAVAILABLE';
  return 'UPSTREAM_INVALID_RESPONSE';
}

function serviceError(body: unknown, secrets: readonly string[]): { code?: string; message?: string } {
  const { code, message } = isObject(body) ? body : {};
  return {
    ...(typeof code === 'string' && { code: redact(code, secrets) }),
    ...(typeof message === 'string' && { message: redact(message, secrets) }),
  };
}

/** Redacts secrets that the service quotes back. Text with a secret that is percent-encoded, even in part, is decoded. */
function redact(text: string, secrets: readonly string[]): string {
  const redacted = secrets.reduce(replaceSecret, text);
  const decoded = decodePercents(redacted);
  const decodedRedacted = secrets.reduce(replaceSecret, decoded);
  return (decodedRedacted === decoded ? redacted : decodedRedacted).slice(0, MAX_MESSAGE_LENGTH);
}

function replaceSecret(text: string, secret: string): string {
  const head = secret.slice(0, HEAD_LENGTH);
  let redacted = '';
  let end = 0;
  for (let start = text.indexOf(head); start >= 0; start = text.indexOf(head, end)) {
    redacted += `${text.slice(end, start)}[secret]`;
    end = start + secret.length;
  }
  return redacted + text.slice(end);
}

/** Unlike `decodeURIComponent`, accepts any text, including stray percent signs. */
function decodePercents(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (encoded) =>
    Buffer.from(encoded.replaceAll('%', ''), 'hex').toString('utf8'),
  );
}

/**
 * Retry-After is a number of seconds, or a date, which begins with its weekday: Node also reads `-1` and `1.5` as dates.
 * Of hundreds of digits it would be infinite, which JSON cannot say.
 */
export function readRetryAfter(retryAfter: string | string[] | undefined): number | undefined {
  if (typeof retryAfter !== 'string') return undefined;
  if (/^\d+$/.test(retryAfter)) return Math.min(Number.MAX_SAFE_INTEGER, Number(retryAfter));
  const milliseconds = /^[a-z]/i.test(retryAfter) ? Date.parse(retryAfter) - Date.now() : Number.NaN;
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, Math.ceil(milliseconds / 1000));
}
