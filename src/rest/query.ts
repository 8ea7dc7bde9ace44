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
/** Reserved in a URL for the next cursor, an id of unknown length. */
const CURSOR_ROOM = 60;
/** Reserved for `fields`, where a filter must split at the same values for any selection. */
const FIELDS_ROOM = 1_530;
/** An upper bound for everything else in a URL, where that is not known yet. */
const ROOM_BESIDE_VALUES = 2_000;

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

/** Only the longest list is split. Without `fields`, it is split at the same values for any selection. */
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
    throw badInput(`A value of \`${argument}\` does not fit into a URL. Shorten it, or select fewer fields.`);
  return splitValues(values, room).map((segment) =>
    buildSegment(resource, parameterNames, { ...filters, [argument]: segment }),
  );
}

export function roomForValues(otherLength: number): number {
  return MAX_URL_BYTES - ROOM_BESIDE_VALUES - otherLength;
}

function buildSegment(resource: Resource, names: ParameterNames, filters: FilterValues): FilterSegment {
  const parameters: Record<string, FilterValues[string]> = {};
  const texts = Object.entries(filters).map(([argument, value]) => {
    const name = names[resource.name]?.[argument] ?? resource.filters[argument]?.name ?? argument;
    parameters[name] = value;
    const text = typeof value === 'string' ? encodeValue(argument, value) : encodeList(argument, value);
    return `${encode(name)}=${text}`;
  });
  const { administrationId: administration } = filters;
  const administrationId = typeof administration === 'string' ? administration : undefined;
  return { administrationId, filters, parameters, text: texts.join('&') };
}

function encodeList(argument: string, values: readonly string[]): string {
  return values.map((value) => encodeItem(argument, value)).join(',');
}

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

/** Memoized per selection, which lives as long as its document. */
const encodedFields = weakMemoizePair(
  (members: Members, fields: FieldTree) => `fields=${encode(fieldsParameter(members, fields))}`,
);
