import { badRequestError, type DemoRequest, HttpError, isJsonObject, parseRequestJson } from './http.ts';

/** Decodes a query string or a form; rejects duplicates and invalid encoding. */
export function decodePairs(text: string): ReadonlyMap<string, string> {
  if (/%(?![0-9a-f]{2})/i.test(text))
    throw badRequestError('A percent sign must be followed by two hex digits.');
  const values = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (values.has(name)) throw badRequestError(`${name} may be given once only.`);
    values.set(name, value);
  }
  return values;
}

export function rejectUnknown(given: Iterable<string>, known: readonly string[]): void {
  for (const name of given) {
    if (!known.includes(name)) throw badRequestError(`There is no parameter ${name} here.`);
  }
}

/** Parses a UTC timestamp into milliseconds. Days that do not exist are rejected, not rolled over. */
function readMoment(text: string, name: string): number {
  const isUtc = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/.test(text);
  const moment = isUtc ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(moment) || new Date(moment).toISOString().slice(0, 19) !== text.slice(0, 19)) {
    throw badRequestError(
      `${name} must be an ISO 8601 moment in UTC such as 2025-01-31T12:00:00Z, not ${text}.`,
    );
  }
  return moment;
}

export function readInteger(text: string, name: string, from: number, to: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= from && value <= to)) {
    throw badRequestError(`${name} must be an integer from ${from} to ${to}, not ${text}.`);
  }
  return value;
}

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
export function readRequestBody(request: DemoRequest): Record<string, unknown> {
  requireMediaType(request, [JSON_TYPE, FORM_TYPE]);
  if (isForm(request)) return Object.fromEntries(decodePairs(request.body.toString()));
  const value = parseRequestJson(request.body.toString());
  if (!isJsonObject(value)) throw badRequestError('The body must be a JSON object.');
  return value;
}

function requireMediaType({ mediaType, body }: DemoRequest, accepted: readonly string[]): void {
  const isAbsent = mediaType === '' && body.length === 0;
  if (isAbsent || accepted.includes(mediaType)) return;
  const message = `The body must be ${accepted.join(' or ')}, not ${mediaType}.`;
  throw new HttpError(415, 'unsupported_media_type', message);
}

/** Parses a parameter once, and returns the predicate for records. */
export type Filter = (text: string, name: string) => (record: Readonly<Record<string, unknown>>) => boolean;

/** Takes a comma-separated list; an empty item is a client error. */
export function isOneOf(field: string): Filter {
  return (text, name) => {
    const wanted = new Set<unknown>(text.split(','));
    if (wanted.has('')) throw badRequestError(`${name} has an empty value in its list.`);
    return (record) => wanted.has(record[field]);
  };
}

export function isExactly(allowed: readonly string[], field: string): Filter {
  return (text, name) => {
    if (!allowed.includes(text))
      throw badRequestError(`${name} must be one of ${allowed.join(', ')}, not ${text}.`);
    return (record) => record[field] === text;
  };
}

export const isAfter = (field: string) => byMoment(field, (moment, limit) => moment > limit);
export const isBefore = (field: string) => byMoment(field, (moment, limit) => moment < limit);

function byMoment(field: string, isWanted: (moment: number, limit: number) => boolean): Filter {
  return (text, name) => {
    const limit = readMoment(text, name);
    return (record) => isWanted(Date.parse(String(record[field])), limit);
  };
}
