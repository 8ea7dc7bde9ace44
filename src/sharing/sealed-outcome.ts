import type { RestResponse } from '../rest/client/attempt.ts';
import { errorFromResponse } from '../rest/client/error-response.ts';
import type { RestError } from '../rest/errors.ts';
import { isObject, parseJson } from '../rest/json.ts';
import type { TextCodec } from '../rest/wire-text.ts';
import type { SendOutcome } from './refresh-protocol.ts';
import type { Seal } from './seal.ts';

const CALL = { method: 'POST', path: '/oauth/token' } as const;

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
  return errorFromResponse({ ...CALL, status }, refusal, seconds, []);
}
