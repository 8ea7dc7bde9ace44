import { badRequestError, type DemoRequest, HttpError, isJsonObject, parseRequestJson } from './http.ts';

export type Parameters = Readonly<Record<string, string | undefined>>;

/** Decodes a query string or a form; rejects duplicates and invalid encoding. */
export function decodePairs(text: string): Parameters {
  if (/%(?![0-9a-f]{2})/i.test(text))
    throw badRequestError('A percent sign must be followed by two hex digits.');
  const pairs = [...new URLSearchParams(text)];
  const values = Object.fromEntries(pairs);
  if (Object.keys(values).length < pairs.length) throw badRequestError('A parameter may be given once only.');
  return values;
}

export function rejectUnknown(given: object, known: readonly string[] = []): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) throw badRequestError(`There is no parameter ${unknown} here.`);
}

export function isForm({ mediaType }: DemoRequest): boolean {
  return mediaType === 'application/x-www-form-urlencoded';
}

/** Reads a form body, for endpoints that accept only forms; an absent body is an empty form. */
export function readForm(request: DemoRequest): Parameters {
  if (!isForm(request) && (request.mediaType !== '' || request.body.length > 0)) throw unsupported(request);
  return decodePairs(request.body.toString());
}

/** Reads a JSON object or a form; form values are strings, under the names as sent. */
export function readRequestBody(request: DemoRequest): Record<string, unknown> {
  if (isForm(request)) return readForm(request);
  if (request.mediaType !== 'application/json') throw unsupported(request);
  const value = parseRequestJson(request.body.toString());
  if (!isJsonObject(value)) throw badRequestError('The body must be a JSON object.');
  return value;
}

function unsupported({ mediaType }: DemoRequest): HttpError {
  return new HttpError(415, 'unsupported_media_type', `The body may not be of the type "${mediaType}".`);
}

export function readInteger(text: string, name: string, from: number, to: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= from && value <= to) return value;
  throw badRequestError(`${name} must be an integer from ${from} to ${to}, not ${text}.`);
}

/** Parses a UTC timestamp into milliseconds. Days that do not exist are rejected, not rolled over. */
function readMoment(text: string, name: string): number {
  const isUtc = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/.test(text);
  const moment = isUtc ? Date.parse(text) : Number.NaN;
  const isReal = !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(text.slice(0, 19));
  if (isReal) return moment;
  throw badRequestError(
    `${name} must be an ISO 8601 moment in UTC such as 2025-01-31T12:00:00Z, not ${text}.`,
  );
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
    if (allowed.includes(text)) return (record) => record[field] === text;
    throw badRequestError(`${name} must be one of ${allowed.join(', ')}, not ${text}.`);
  };
}

const byMoment =
  (isWanted: (moment: number, limit: number) => boolean) =>
  (field: string): Filter =>
  (text, name) => {
    const limit = readMoment(text, name);
    return (record) => isWanted(Date.parse(String(record[field])), limit);
  };

export const isAfter = byMoment((moment, limit) => moment > limit);
export const isBefore = byMoment((moment, limit) => moment < limit);
