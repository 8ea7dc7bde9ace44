import { type GraphQLArgument, getNamedType, getNullableType, isEnumType, isListType } from 'graphql';
import { RestError } from '../../rest/errors.ts';
import type { ParameterNames, Resource, Row } from '../../rest/resource.ts';
import type { RestSession } from '../../rest/session.ts';
import { readFirstRow } from './lists.ts';
import { type Finding, failed, messageOf, passed, skipped } from './report.ts';

/** Outside the times that any record of the service can have. */
const DISTANT_PAST = '1970-01-01T00:00:00Z';
const DISTANT_FUTURE = '2100-01-01T00:00:00Z';
const NONEXISTENT_ID = 'receivables-graphql-doctor';

interface FilterTest {
  readonly session: RestSession;
  readonly resource: Resource;
  readonly filter: Pick<GraphQLArgument, 'name' | 'type'>;
  readonly administrationId: string;
  /** The first row of the list without the filter. */
  readonly row: Row | undefined;
}

/** An error is the service's response to a request with the filter. */
type FilterResult = 'honoured' | 'ignored' | { readonly inconclusive: string } | RestError;

const NO_ROW: FilterResult = { inconclusive: 'the list has no row to leave out' };

/**
 * A service may silently ignore a parameter that it does not know. So the filter is sent with a value that must
 * leave rows out: if they still come, it was ignored.
 */
export async function testFilter(test: FilterTest): Promise<FilterResult> {
  const { session, resource, filter, administrationId, row } = test;
  const type = getNullableType(filter.type);
  const read = (value: string | readonly string[]) =>
    readFirstRow(session, resource, { administrationId, [filter.name]: value });

  if (filter.name === 'administrationId') {
    // The list was read with this parameter, so an error here is about its value: the service reads it.
    const { hasRows, error } = await read(nonexistentIdLike(administrationId));
    if (hasRows) return 'ignored';
    if (error) return ['FORBIDDEN', 'NOT_FOUND', 'BAD_USER_INPUT'].includes(error.code) ? 'honoured' : error;
    return row ? 'honoured' : NO_ROW;
  }
  if (row === undefined) return NO_ROW;
  if (isEnumType(type)) {
    // Any value may match rows, but no row has two values: the same row for both means the filter was ignored.
    const [one, other] = type.getValues();
    if (one === undefined || other === undefined) return { inconclusive: 'it has no two values to compare' };
    const first = await read(one.value);
    if (!first.row) return first.error ?? 'honoured';
    const second = await read(other.value);
    if (!second.row) return second.error ?? 'honoured';
    return second.row.id === first.row.id ? 'ignored' : 'honoured';
  }
  const value = valueOfNoRow(filter, session.text.decode(row.id));
  if (value === undefined) return { inconclusive: 'no value of it must leave rows out' };
  const { hasRows, error } = await read(value);
  return hasRows ? 'ignored' : (error ?? 'honoured');
}

function valueOfNoRow({ name, type }: FilterTest['filter'], id: string) {
  if (isListType(getNullableType(type))) return [name === 'ids' ? nonexistentIdLike(id) : NONEXISTENT_ID];
  if (getNamedType(type).name !== 'DateTime') return undefined;
  // The name of a DateTime argument ends in Before or After.
  return name.endsWith('Before') ? DISTANT_PAST : DISTANT_FUTURE;
}

/** An id that no record has, in the format of a real one so that the service does not reject it as malformed. */
function nonexistentIdLike(id: string): string {
  if (/^\d+$/.test(id)) return '0';
  return /^[\da-f-]+$/i.test(id) ? id.replace(/[\da-f]/gi, '0') : NONEXISTENT_ID;
}

export function filterFinding({ session, resource, filter }: FilterTest, result: FilterResult): Finding {
  const { name: argument } = filter;
  const list = resource.name;
  const name = `\`${session.parameterNames[list]?.[argument] ?? resource.filters[argument]?.name}\``;
  const unrecognised = (message: string): Finding => ({
    ...failed(argument, message, `Set ${list}.${argument} in REST_PARAMETER_NAMES; see below.`),
    list,
    unrecognisedFilter: { list, argument },
  });

  if (result === 'honoured') return { ...passed(argument, `honoured, as ${name}`), list };
  if (result === 'ignored') return unrecognised(`${name} is ignored: rows come that it must leave out`);
  const message = result instanceof RestError ? messageOf(result) : result.inconclusive;
  const code = result instanceof RestError ? result.code : undefined;
  // Without the filter the list can be read, so it is the filter that the service rejects.
  if (code === 'BAD_USER_INPUT') return unrecognised(`${name} is refused: ${message}`);
  const isUnknown = code === undefined || code === 'FORBIDDEN' || code === 'NOT_FOUND';
  return { ...(isUnknown ? skipped(argument, `cannot tell: ${message}`) : failed(argument, message)), list };
}

/** REST_PARAMETER_NAMES as configured, with a placeholder for each name that is wrong; undefined if none is. */
export function suggestParameterNames(
  configured: ParameterNames,
  findings: readonly Finding[],
): ParameterNames | undefined {
  const filters = findings.flatMap(({ unrecognisedFilter }) => unrecognisedFilter ?? []);
  if (filters.length === 0) return undefined;
  const names: Record<string, Record<string, string>> = structuredClone(configured);
  for (const { list, argument } of filters) {
    names[list] = { ...names[list], [argument]: '<its true name>' };
  }
  return names;
}
