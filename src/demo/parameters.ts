import { badRequest } from './http-error.ts';

/** Decodes a query string or a form; rejects duplicates and invalid encoding. */
export function decodePairs(text: string): ReadonlyMap<string, string> {
  if (/%(?![0-9a-f]{2})/i.test(text)) throw badRequest('A percent sign must be followed by two hex digits.');
  const values = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (values.has(name)) throw badRequest(`${name} may be given once only.`);
    values.set(name, value);
  }
  return values;
}

export function rejectUnknown(given: Iterable<string>, known: readonly string[]): void {
  for (const name of given) {
    if (!known.includes(name)) throw badRequest(`There is no parameter ${name} here.`);
  }
}

/** Parses a comma-separated list; an empty item is a client error. */
export function readList(text: string, name: string): string[] {
  const items = text.split(',');
  if (items.includes('')) throw badRequest(`${name} has an empty value in its list.`);
  return items;
}

/** Parses a UTC timestamp into milliseconds. Days that do not exist are rejected, not rolled over. */
export function readMoment(text: string, name: string): number {
  const isUtc = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/.test(text);
  const moment = isUtc ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(moment) || new Date(moment).toISOString().slice(0, 19) !== text.slice(0, 19)) {
    throw badRequest(`${name} must be an ISO 8601 moment in UTC such as 2025-01-31T12:00:00Z, not ${text}.`);
  }
  return moment;
}

export function readInteger(text: string, name: string, from: number, to: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= from && value <= to)) {
    throw badRequest(`${name} must be an integer from ${from} to ${to}, not ${text}.`);
  }
  return value;
}
