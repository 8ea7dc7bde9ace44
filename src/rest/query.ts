import { weakMemoizePair } from '../memoize.ts';
import type { PageQuery } from './cache/list-cache.ts';
import type { Call } from './call.ts';
import { badInput } from './errors.ts';
import { type FieldTree, fieldsParameter } from './fields.ts';
import type { FilterValues, ParameterNames, Resource } from './resource.ts';
import type { RestService } from './session.ts';
import { encode, encodedLength, encodeItem, encodeValue, MAX_URL_BYTES } from './url.ts';
import type { Members } from './values.ts';

export const MAX_PER_PAGE = 500;
export const DEFAULT_FIRST = 100;
export const MAX_VALUES = 500;
/** Reserved in a URL for the cursor of the next page, which is a record's id, where nothing tells how long ids are. */
const CURSOR_ROOM = 60;
/** The same for `fields`, where a filter is split at the same values, whatever is selected. */
const FIELDS_ROOM = 1_530;
/** Upper bound for base URL, path, parameter names, paging and the longest `fields`, where these are not known yet. */
const ROOM_BESIDE_VALUES = 2_000;

/** Filters that fit into one URL: as they are given, by the names of their parameters, and encoded. */
export interface FilterSegment {
  readonly administrationId: string | undefined;
  readonly filters: FilterValues;
  readonly parameters: FilterValues;
  readonly text: string;
}

export interface PageRequest extends PageQuery {
  readonly segment: FilterSegment;
  readonly cursor?: string | undefined;
}

export function pageCall(resource: Resource, { segment, cursor, perPage, fields }: PageRequest): Call {
  const { members, takesFields, path, credential } = resource;
  const filters = segment.text === '' ? '' : `${segment.text}&`;
  const cursorText = cursor === undefined ? '' : `cursor=${encodeValue('after', cursor)}&`;
  const fieldsText = takesFields ? `&${encodedFields(members, fields)}` : '';
  return {
    method: 'GET',
    endpoint: `GET ${path}`,
    path,
    query: `${filters}${cursorText}per_page=${perPage}${fieldsText}`,
    credential,
    parameters: () => ({
      ...segment.parameters,
      ...(cursor !== undefined && { cursor }),
      per_page: String(perPage),
      ...(takesFields && { fields: fieldsParameter(members, fields) }),
    }),
  };
}

/**
 * Splits filters into parts that the service accepts: one, unless the longest list has too many values or is too long
 * for a URL. Only that list is split, since splitting two would multiply the parts. Without `fields` there is room for
 * any, so that it is split at the same values, whatever is selected.
 */
export function splitFilters(
  { client, parameterNames }: RestService,
  resource: Resource,
  filters: FilterValues,
  fields?: FieldTree,
): FilterSegment[] {
  const { path, takesFields, members } = resource;
  const fieldsText = fields ? encodedFields(members, fields).length : FIELDS_ROOM;
  const beside =
    client.baseLength + path.length + '&per_page=500'.length + (takesFields ? fieldsText : 0) + CURSOR_ROOM;
  const whole = buildSegment(resource, parameterNames, filters);
  const left = MAX_URL_BYTES - beside - whole.text.length;
  const isShort = (value: string | readonly string[]) =>
    typeof value === 'string' || value.length <= MAX_VALUES;
  if (left >= 0 && Object.values(filters).every(isShort)) return [whole];
  const lists = Object.entries(filters).flatMap(([argument, values]) =>
    typeof values === 'string' ? [] : { argument, values, length: encodeList(argument, values).length },
  );
  const [longest] = lists.sort((a, b) => b.length - a.length);
  if (longest === undefined) return [whole];
  const { argument, values, length } = longest;
  const room = left + length;
  if (values.some((value) => encodedLength(value) >= room))
    throw badInput(`A value of \`${argument}\` is too long, or too much is asked beside it.`);
  return splitValues(values, room).map((segment) =>
    buildSegment(resource, parameterNames, { ...filters, [argument]: segment }),
  );
}

/** Room for values in a URL, whatever is selected, next to other filters of this length. */
export function roomForValues(others: number): number {
  return MAX_URL_BYTES - ROOM_BESIDE_VALUES - others;
}

function buildSegment(resource: Resource, names: ParameterNames, filters: FilterValues): FilterSegment {
  const parameters: Record<string, FilterValues[string]> = {};
  const texts = Object.entries(filters).map(([argument, value]) => {
    const name = names[resource.name]?.[argument] ?? resource.filters[argument]?.name ?? argument;
    parameters[name] = value;
    const text = typeof value === 'string' ? encodeValue(argument, value) : encodeList(argument, value);
    return `${encode(name)}=${text}`;
  });
  const { administrationId: given } = filters;
  const administrationId = typeof given === 'string' ? given : undefined;
  return { administrationId, filters, parameters, text: texts.join('&') };
}

function encodeList(argument: string, values: readonly string[]): string {
  return values.map((value) => encodeItem(argument, value)).join(',');
}

/** As few parts as there are URLs with so much room for them. */
export function splitValues(values: Iterable<string>, room: number): string[][] {
  const chunks: string[][] = [];
  let left = 0;
  for (const value of values) {
    const size = encodedLength(value) + 1;
    const current = chunks.at(-1);
    if (current && current.length < MAX_VALUES && size <= left) current.push(value);
    else {
      chunks.push([value]);
      left = room;
    }
    left -= size;
  }
  return chunks;
}

/** The encoded `fields` parameter; memoized per selection, which lives as long as its document. */
const encodedFields = weakMemoizePair(
  (members: Members, fields: FieldTree) => `fields=${encode(fieldsParameter(members, fields))}`,
);
