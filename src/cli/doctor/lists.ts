import { type GraphQLArgument, getNamedType, getNullableType, isEnumType, isListType } from 'graphql';
import { RestError } from '../../rest/errors.ts';
import { readList } from '../../rest/list.ts';
import type { FilterValues, Resource, Row } from '../../rest/resource.ts';
import type { RestSession } from '../../rest/session.ts';
import { resourcesOf } from '../../schema/fields/metadata.ts';
import { schema } from '../../schema/index.ts';
import { adviceOnFault } from './connection.ts';
import type { Outcome, Report } from './report.ts';

const FIELDS = schema.getQueryType()?.getFields();

/** Each with those filters that have to be tested: their parameter names are not in the service's description. */
export const LISTS = resourcesOf(schema).map((resource) => ({
  resource,
  filters: FIELDS?.[resource.name]?.args.filter(({ name }) => resource.filters[name]?.assumed) ?? [],
}));

/** What the checks of lists need. */
interface Checkup {
  readonly session: RestSession;
  readonly report: Report;
  readonly administrationId: string;
}

/** Reads each list and tries its filters, one call at a time, until the token is rejected. */
export async function checkLists(checkup: Checkup) {
  const { session, report, administrationId } = checkup;
  /** The lists and arguments whose parameters have other names than are sent. */
  const wrongNames: [list: string, argument: string][] = [];
  /** What the lists that take the token came to; undefined for one that answers. */
  const outcomes: (RestError | undefined)[] = [];
  for (const { resource, filters } of LISTS) {
    const { name, credential } = resource;
    if (credential === 'basic' && session.credentials.basic === undefined) {
      report.add('skipped', name, 'not asked: REST_CLIENT_ID is not set');
      continue;
    }
    const given = resource.filters.administrationId ? { administrationId } : {};
    const { error, row, hasRows } = await readFirstRow(session, resource, given);
    if (credential === 'bearer') outcomes.push(error);
    if (error === undefined) report.add('passed', name, row ? 'answers' : 'answers, without a row');
    else if (reportError(resource, error, hasRows, report) === 'wrong name')
      wrongNames.push([name, 'administrationId']);
    for (const filter of error ? [] : filters) {
      const result = await tryFilter({ ...checkup, resource, filter, row });
      if (reportFilter({ ...checkup, resource, filter }, result) === 'wrong name')
        wrongNames.push([name, filter.name]);
      if (typeof result === 'object') outcomes.push(result.error);
      if (outcomes.at(-1)?.code === 'UNAUTHENTICATED') break;
    }
    // It is not sent again.
    if (outcomes.at(-1)?.code === 'UNAUTHENTICATED') break;
  }
  return { wrongNames, outcomes };
}

interface FirstRow {
  readonly row?: Row;
  /** Whether the response had rows, including rows that the gateway rejected as invalid. */
  readonly hasRows: boolean;
  readonly error?: RestError;
}

async function readFirstRow(
  session: RestSession,
  resource: Resource,
  filters: FilterValues,
): Promise<FirstRow> {
  const callIndex = session.calls.length;
  try {
    const { rows } = await readList(session, resource, { filters, fields: {}, first: 1 });
    const [row] = rows;
    if (row instanceof RestError) return { hasRows: true, error: row };
    return { hasRows: row !== undefined, ...(row && { row }) };
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    return { hasRows: (session.calls[callIndex]?.rows ?? 0) > 0, error };
  }
}

const RENAME_ADMINISTRATION =
  'The administration may have another parameter. Set it in REST_PARAMETER_NAMES (see below) and check again: ' +
  'the filters of this list wait for that.';

/** The service's own message if it sent one, since that is the most specific; otherwise the gateway's. */
export function messageOf({ upstream, message }: RestError): string {
  return upstream?.message ?? message;
}

function reportError({ name, filters }: Resource, error: RestError, hasRows: boolean, report: Report) {
  const { code, fault, upstream } = error;
  if (code === 'UNAUTHENTICATED') return report.add('skipped', name, 'the credential is refused');
  if (code === 'FORBIDDEN') return report.add('skipped', name, `no scope: ${messageOf(error)}`);
  // With the words of the log and the metrics; what the service refuses is said by its own message.
  const words =
    fault === 'status_4xx' ? '' : ` (${[fault, upstream?.status].filter(Boolean).join(', status ')})`;
  // Rows that come with an error are of another administration: the service ignored the parameter.
  const isNameSuspect = filters.administrationId?.assumed && (code === 'BAD_USER_INPUT' || hasRows);
  const advice = isNameSuspect ? RENAME_ADMINISTRATION : adviceOnFault(fault);
  report.add('failed', name, `${messageOf(error)}${words}`, advice);
  return isNameSuspect ? 'wrong name' : undefined;
}

interface FilterTest extends Checkup {
  readonly resource: Resource;
  readonly filter: GraphQLArgument;
  /** Of the list without the filter. */
  readonly row: Row | undefined;
}

type FilterResult = Awaited<ReturnType<typeof tryFilter>>;

/** Tells whether the service knows the name of the filter's parameter. */
function reportFilter(
  { session, report, resource, filter }: Omit<FilterTest, 'row'>,
  result: FilterResult,
): 'wrong name' | undefined {
  const list = resource.name;
  const name = `\`${session.parameterNames[list]?.[filter.name] ?? resource.filters[filter.name]?.name}\``;
  const add = (outcome: Outcome, message: string, advice?: string) =>
    report.add(outcome, `  ${filter.name}`, message, advice);
  const error = typeof result === 'object' ? result.error : undefined;
  const message = error ? messageOf(error) : String(result);
  // Without the filter the list can be read, so it is the filter that the service rejects.
  const isRefused = error?.code === 'BAD_USER_INPUT';
  if (result === 'ignored' || isRefused) {
    const what = isRefused ? `refused: ${message}` : 'ignored: rows come that it must leave out';
    add('failed', `${name} is ${what}`, `Set ${list}.${filter.name} in REST_PARAMETER_NAMES; see below.`);
    return 'wrong name';
  }
  if (result === 'honoured') add('passed', `honoured, as ${name}`);
  else if (error === undefined || error.code === 'FORBIDDEN' || error.code === 'NOT_FOUND')
    add('skipped', `cannot tell: ${message}`);
  else add('failed', message);
  return undefined;
}

/** Outside the times that any record of the service can have. */
const DISTANT_PAST = '1970-01-01T00:00:00Z';
const DISTANT_FUTURE = '2100-01-01T00:00:00Z';
const NONEXISTENT_ID = 'receivables-graphql-doctor';

/**
 * A service may silently ignore a parameter that it does not know. So the filter is sent with a value that must
 * leave rows out: if they still come, it was ignored. Another text is why nobody can tell.
 */
async function tryFilter({ session, resource, filter, administrationId, row }: FilterTest) {
  const { name } = filter;
  const type = getNullableType(filter.type);
  const read = (value: string | readonly string[]) =>
    readFirstRow(session, resource, { administrationId, [name]: value });
  const noRow = 'the list has no row to leave out';
  if (name === 'administrationId') {
    // The list was read with this parameter, so an error here is about its value: the service reads it.
    const result = await read(nonexistentIdLike(administrationId));
    if (result.hasRows) return 'ignored';
    const isRead = ['FORBIDDEN', 'NOT_FOUND', 'BAD_USER_INPUT'].includes(result.error?.code ?? '');
    if (result.error) return isRead ? 'honoured' : result;
    return row ? 'honoured' : noRow;
  }
  if (row === undefined) return noRow;
  if (isEnumType(type)) {
    // Any value may match rows, but no row has two values: the same row for both means the filter was ignored.
    const [one, other] = type.getValues();
    const results = [await read(`${one?.name.toLowerCase()}`), await read(`${other?.name.toLowerCase()}`)];
    const ids = results.map((result) => result.row?.internalId);
    return results.find(({ error }) => error) ?? (ids[0] && ids[0] === ids[1] ? 'ignored' : 'honoured');
  }
  const isList = isListType(type);
  if (!isList && getNamedType(type).name !== 'DateTime') return 'no value of it must leave rows out';
  const nobody = [name === 'ids' ? nonexistentIdLike(row.internalId) : NONEXISTENT_ID];
  // The name of a DateTime argument ends in Before or After.
  const result = await read(isList ? nobody : name.endsWith('Before') ? DISTANT_PAST : DISTANT_FUTURE);
  if (result.hasRows) return 'ignored';
  return result.error ? result : 'honoured';
}

/** An id that no record has, in the format of a real one so that the service does not reject it as malformed. */
function nonexistentIdLike(id: string): string {
  if (/^\d+$/.test(id)) return '0';
  return /^[\da-f-]+$/i.test(id) ? id.replace(/[\da-f]/gi, '0') : NONEXISTENT_ID;
}
