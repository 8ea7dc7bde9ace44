import type { DemoRequest } from './http.ts';
import { badRequest, HttpError } from './http-error.ts';
import { isObject, parseJson } from './json.ts';
import { decodePairs } from './parameters.ts';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

export function isForm(request: DemoRequest): boolean {
  return request.mediaType === FORM_TYPE;
}

/** Reads a form body, for endpoints that accept only forms; an absent body is an empty form. */
export function readForm(request: DemoRequest): ReadonlyMap<string, string> {
  requireMediaType(request, [FORM_TYPE]);
  return decodePairs(request.body.toString());
}

/** Reads a JSON object or a form; form values are strings, under the names as sent. */
export function readBody(request: DemoRequest): Record<string, unknown> {
  requireMediaType(request, [JSON_TYPE, FORM_TYPE]);
  if (isForm(request)) return Object.fromEntries(decodePairs(request.body.toString()));
  const value = parseJson(request.body.toString());
  if (!isObject(value)) throw badRequest('The body must be a JSON object.');
  return value;
}

function requireMediaType({ mediaType, body }: DemoRequest, accepted: readonly string[]): void {
  const isAbsent = mediaType === '' && body.length === 0;
  if (isAbsent || accepted.includes(mediaType)) return;
  throw new HttpError(
    415,
    'unsupported_media_type',
    `The body must be ${accepted.join(' or ')}, not ${mediaType}.`,
  );
}
