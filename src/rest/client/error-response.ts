import { type ErrorCode, RestError, type Upstream } from '../errors.ts';

const LONGEST_MESSAGE = 500;

/** An answer outside 2xx as an error: mapped by status class, with the service's own words for a 4xx. */
export function errorFromResponse(
  upstream: Upstream & { status: number },
  body: unknown,
  retryAfter: string | string[] | undefined,
  secrets: readonly string[],
): RestError {
  const { status } = upstream;
  const code = codeOf(status);
  const words = status >= 400 && status < 500 ? ownWords(body, secrets) : {};
  const explanation = words.message === undefined ? '' : ` It said: ${words.message}`;
  return new RestError(code, `${SAYING[code] ?? `The REST service answered ${status}.`}${explanation}`, {
    upstream: { ...upstream, ...words },
    retryAfter: seconds(retryAfter),
  });
}

const SAYING: { readonly [code in ErrorCode]?: string } = {
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

function ownWords(body: unknown, secrets: readonly string[]): { code?: string; message?: string } {
  if (typeof body !== 'object' || body === null) return {};
  return {
    ...('code' in body && typeof body.code === 'string' && { code: tidy(body.code, secrets) }),
    ...('message' in body && typeof body.message === 'string' && { message: tidy(body.message, secrets) }),
  };
}

/**
 * A service that quotes a secret back must not make us show it. In a URL or a form it is encoded, wholly or in part, so
 * words that hold one once they are decoded are shown decoded.
 */
function tidy(words: string, secrets: readonly string[]): string {
  const shown = hide(words, secrets);
  const decoded = decodePercents(shown);
  const hidden = hide(decoded, secrets);
  return (hidden === decoded ? shown : hidden).slice(0, LONGEST_MESSAGE);
}

function hide(words: string, secrets: readonly string[]): string {
  return secrets.reduce((text, secret) => text.replaceAll(secret, '[secret]'), words);
}

/** Unlike `decodeURIComponent`, it takes any text, with percent signs that encode nothing. */
function decodePercents(words: string): string {
  return words.replace(/(?:%[\da-f]{2})+/gi, (encoded) =>
    Buffer.from(encoded.replaceAll('%', ''), 'hex').toString('utf8'),
  );
}

/** Retry-After is a number of seconds or a date. */
function seconds(retryAfter: string | string[] | undefined): number | undefined {
  if (typeof retryAfter !== 'string') return undefined;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter);
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}
