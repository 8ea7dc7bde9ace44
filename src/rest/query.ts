import { badInput } from './errors.ts';
import { type Fields, fieldsParameter } from './fields.ts';
import type { FilterValues, ParameterNames, Resource } from './resource.ts';

export const MAX_PER_PAGE = 500;
const MAX_VALUES = 500;
const MAX_URL_BYTES = 4000;
/** Leaves room beside it for the longest `fields`. */
const MAX_VALUE_BYTES = 1000;
/** Kept free in a URL for the cursor of a next page, which is a record's identifier. */
const CURSOR_ROOM = 60;

/** Decoded query parameters; a list of values is still a list. */
export interface Parameters {
  readonly [name: string]: string | readonly string[];
}

export interface Query {
  readonly filters: FilterValues;
  /** What is wanted of each record, with what the gateway itself reads. */
  readonly fields: Fields;
  readonly perPage: number;
  readonly cursor?: string | undefined;
}

/** All parameters but `fields`. */
export function parametersOf(resource: Resource, names: ParameterNames, query: Query): Parameters {
  const parameters: Record<string, string | readonly string[]> = {};
  for (const [argument, value] of Object.entries(query.filters)) {
    const parameter = resource.filters[argument];
    if (parameter) parameters[names[resource.name]?.[argument] ?? parameter.name] = value;
  }
  if (query.cursor !== undefined) parameters.cursor = query.cursor;
  parameters.per_page = String(query.perPage);
  return parameters;
}

export function encodeParameters(parameters: Parameters): string {
  return Object.entries(parameters)
    .map(
      ([name, value]) => `${encode(name)}=${typeof value === 'string' ? encode(value) : encodeList(value)}`,
    )
    .join('&');
}

/** How many bytes of a URL are left for the values of one argument of a query. */
export function roomForValues(
  resource: Resource,
  names: ParameterNames,
  query: Query,
  argument: string,
  baseLength: number,
): number {
  const others = { ...query, filters: { ...query.filters, [argument]: [] } };
  const taken = [
    baseLength + resource.path.length,
    encodeParameters(parametersOf(resource, names, others)).length,
    resource.takesFields ? encodeFields(query.fields).length : 0,
    CURSOR_ROOM,
  ];
  return Math.max(0, MAX_URL_BYTES - taken.reduce((sum, length) => sum + length));
}

/**
 * Filters as the parts that the service can take: one, unless the longest list of values is too many or too long
 * for a URL. Only that one is split, since splitting two would multiply.
 */
export function splitFilters(filters: FilterValues, roomFor: (argument: string) => number): FilterValues[] {
  const longest = longestList(filters);
  if (longest === undefined) return [filters];
  const { argument, values } = longest;
  const parts = chunk(argument, [...new Set(values)], roomFor(argument));
  return parts.map((part) => ({ ...filters, [argument]: part }));
}

function longestList(filters: FilterValues): { argument: string; values: readonly string[] } | undefined {
  let longest: { argument: string; values: readonly string[] } | undefined;
  for (const [argument, values] of Object.entries(filters)) {
    if (typeof values === 'string') continue;
    for (const value of values) checkValue(argument, value);
    if (longest === undefined || encodeList(values).length > encodeList(longest.values).length)
      longest = { argument, values };
  }
  return longest;
}

function chunk(argument: string, values: readonly string[], room: number): string[][] {
  const chunks: string[][] = [];
  let current: string[] = [];
  let size = 0;
  for (const value of values) {
    const cost = encode(value).length + 1;
    if (cost > room)
      throw badInput(`A value of \`${argument}\` is too long, or too much is asked beside it.`);
    if (current.length === 0 || current.length === MAX_VALUES || size + cost > room) {
      current = [];
      chunks.push(current);
      size = 0;
    }
    current.push(value);
    size += cost;
  }
  return chunks;
}

/** The service separates values by commas and knows no escape: a comma inside one would make it two. */
export function checkValue(argument: string, value: string): void {
  if (value === '') throw badInput(`\`${argument}\` holds an empty value.`);
  if (value.includes(',')) {
    throw badInput(`\`${argument}\` holds a value with a comma, which cannot be sent.`);
  }
  if (encode(value).length > MAX_VALUE_BYTES) {
    throw badInput(`\`${argument}\` holds a value that is too long to be sent.`);
  }
}

function encodeList(values: readonly string[]): string {
  return values.map(encode).join(',');
}

/** Most values need no encoding at all. */
const PLAIN = /^[\w.~:-]*$/;

/** Commas and colons may stand in a query as they are, and the shorter URL holds more ids. */
function encode(value: string): string {
  if (PLAIN.test(value)) return value;
  try {
    return encodeURIComponent(value).replace(/%(?:2C|3A)/g, (code) => (code === '%2C' ? ',' : ':'));
  } catch {
    throw badInput('A value holds half of a surrogate pair, which cannot be sent.');
  }
}

const encodedFields = new WeakMap<Fields, string>();

/** `fields` as part of a query; made once for each selection, which lives as long as its document. */
export function encodeFields(fields: Fields): string {
  let encoded = encodedFields.get(fields);
  if (encoded === undefined) {
    encoded = `fields=${encode(fieldsParameter(fields))}`;
    encodedFields.set(fields, encoded);
  }
  return encoded;
}

/** An id as one segment of a path: it can neither leave its place nor become another endpoint. */
export function pathSegment(argument: string, id: string): string {
  if (/[/\\]|^\.{1,2}$/.test(id)) throw badInput(`\`${argument}\` is not an id.`);
  return encode(id);
}
