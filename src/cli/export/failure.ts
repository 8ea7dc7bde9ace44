import { isObject, parseJson } from '../../rest/json.ts';

/** Why an export ends before its list does, in words for whoever runs it. */
export class ExportFailure extends Error {
  override readonly name = 'ExportFailure';
  /** 2 for what is wrong with the command line, 1 for all else. */
  readonly status: 1 | 2;
  /** Whether the same request may succeed later. */
  readonly isTransient: boolean;
  /** How long the gateway asks to wait. */
  readonly retryAfterMs: number;
  /** Whether rows of this response are missing, so that none of them can be kept. */
  readonly hasGap: boolean;

  constructor(
    message: string,
    options: { status?: 1 | 2; isTransient?: boolean; retryAfterMs?: number; hasGap?: boolean } = {},
  ) {
    super(message);
    this.status = options.status ?? 1;
    this.isTransient = options.isTransient ?? false;
    this.retryAfterMs = options.retryAfterMs ?? 0;
    this.hasGap = options.hasGap ?? false;
  }
}

/** Codes of errors that are over after a while. */
const TRANSIENT_CODES = ['UPSTREAM_UNAVAILABLE', 'UPSTREAM_TIMEOUT', 'RATE_LIMITED', 'OVERLOADED'];
/** For responses without a code, such as those of a proxy. */
const TRANSIENT_STATUSES = [429, 502, 503, 504];

/** An error as the gateway writes it into the last line of an export. */
export function failureOf(error: { readonly [key: string]: unknown }, retryAfterMs = 0): ExportFailure {
  const { message, code, retryAfter } = error;
  const text = typeof message === 'string' ? message : 'The gateway gives no reason.';
  const isTransient = TRANSIENT_CODES.some((transient) => transient === code);
  const wait = typeof retryAfter === 'number' ? retryAfter * 1_000 : 0;
  return new ExportFailure(typeof code === 'string' ? `${text} (${code})` : text, {
    isTransient,
    retryAfterMs: Math.max(wait, retryAfterMs),
  });
}

/** A response that is no export: the error of a gateway, or of something in front of it. */
export function failureOfResponse(status: number, retryAfter: string | null, body: string): ExportFailure {
  const retryAfterMs = waitOf(retryAfter);
  const error = firstErrorIn(body);
  if (isObject(error?.extensions) && typeof error.extensions.code === 'string')
    return failureOf({ ...error.extensions, message: error.message }, retryAfterMs);
  return new ExportFailure(`The gateway answers with status ${status}, and no reason.`, {
    isTransient: TRANSIENT_STATUSES.includes(status),
    retryAfterMs,
  });
}

function firstErrorIn(body: string): { readonly [key: string]: unknown } | undefined {
  const answer = parseJson(body);
  const [error] = isObject(answer) && Array.isArray(answer.errors) ? answer.errors : [];
  return isObject(error) ? error : undefined;
}

/** Retry-After is a number of seconds, or a date. */
function waitOf(retryAfter: string | null): number {
  if (retryAfter === null) return 0;
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - Date.now();
  return ms > 0 ? ms : 0;
}
