import { type GraphQLArgument, getNamedType, getNullableType, isEnumType, isListType } from 'graphql';
import type { CallFault } from '../../rest/call-fault.ts';
import { RestError } from '../../rest/errors.ts';
import { readList } from '../../rest/list.ts';
import type { FilterValues, Resource, Row } from '../../rest/resource.ts';
import type { RestSession } from '../../rest/session.ts';
import { resourcesOf } from '../../schema/fields/metadata.ts';
import { schema } from '../../schema/index.ts';
import { SLOW } from './connection.ts';
import type { Report } from './report.ts';

const FIELDS = schema.getQueryType()?.getFields();

/** Each with those filters that have to be tested: their parameter names are not in the service's description. */
export const LISTS = resourcesOf(schema).map((resource) => ({
  resource,
  filters: FIELDS?.[resource.name]?.args.filter(({ name }) => resource.filters[name]?.assumed) ?? [],
}));

interface FirstRow {
  readonly row?: Row;
  /** Whether the response had rows, including rows that the gateway rejected as invalid. */
  readonly hasRows: boolean;
  readonly error?: RestError;
}

export type FirstRows = ReadonlyMap<Resource, FirstRow>;

/** What the checks of lists need. */
export interface Checkup {
  readonly session: RestSession;
  readonly report: Report;
  readonly administrationId: string;
}

async function readFirstRow(
  { session }: Checkup,
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

/** Reads the first row of each list. Once the token is rejected, lists that take it are not read. */
export async function readFirstRows(checkup: Checkup): Promise<FirstRows> {
  const { session, administrationId } = checkup;
  const rows = new Map<Resource, FirstRow>();
  let isTokenRejected = false;
  for (const { resource } of LISTS) {
    const { credential, filters } = resource;
    if (credential === 'bearer' ? isTokenRejected : session.credentials.basic === undefined) continue;
    const result = await readFirstRow(
      checkup,
      resource,
      filters.administrationId ? { administrationId } : {},
    );
    rows.set(resource, result);
    isTokenRejected ||= credential === 'bearer' && result.error?.code === 'UNAUTHENTICATED';
  }
  return rows;
}

const WRONG_ADDRESS = 'Check that REST_URL leads to the service, and not to a proxy or a login page.';
const ADVICE: { readonly [fault in CallFault]?: string } = {
  unknown_path: 'Check the path in REST_URL. The gateway adds /v1 itself.',
  invalid_body: WRONG_ADDRESS,
  unexpected_body: WRONG_ADDRESS,
  status_3xx: 'Set REST_URL to where the service redirects.',
  status_5xx: 'Look at the log of the service.',
  answer_timeout: SLOW,
  body_timeout: SLOW,
};
const RENAME_ADMINISTRATION =
  'The administration may have another parameter. Set it in REST_PARAMETER_NAMES (see below) and check again: ' +
  'the filters of this list wait for that.';

/** The service's own message if it sent one, since that is the most specific; otherwise the gateway's. */
export function messageOf({ upstream, message }: RestError): string {
  return upstream?.message ?? message;
}

/** Returns false if the parameter of the administration may have another name. Without a `result` it was not asked. */
export function checkList(resource: Resource, result: FirstRow | undefined, report: Report): boolean {
  const { name, credential, filters } = resource;
  const { error, row, hasRows = false } = result ?? {};
  const why = credential === 'basic' ? 'REST_CLIENT_ID is not set' : 'the token is refused';
  if (result === undefined) report.add('skipped', name, `not asked: ${why}`);
  else if (error === undefined) report.add('passed', name, row ? 'answers' : 'answers, without a row');
  else if (error.code === 'UNAUTHENTICATED') report.add('skipped', name, 'the credential is refused');
  else if (error.code === 'FORBIDDEN') report.add('skipped', name, `no scope: ${messageOf(error)}`);
  else {
    const { fault, upstream } = error;
    // With the words of the log and the metrics; what the service refuses is said by its own message.
    const words =
      fault === 'status_4xx' ? '' : ` (${[fault, upstream?.status].filter(Boolean).join(', status ')})`;
    // Rows that come with an error are of another administration: the service ignored the parameter.
    const isNameSuspect = filters.administrationId?.assumed && (error.code === 'BAD_USER_INPUT' || hasRows);
    const advice = isNameSuspect ? RENAME_ADMINISTRATION : fault && ADVICE[fault];
    report.add('failed', name, `${messageOf(error)}${words}`, advice);
    return !isNameSuspect;
  }
  return true;
}

/** Outside the times that any record of the service can have. */
const DISTANT_PAST = '1970-01-01T00:00:00Z';
const DISTANT_FUTURE = '2100-01-01T00:00:00Z';
const NONEXISTENT_ID = 'receivables-graphql-doctor';

interface FilterTest extends Checkup {
  readonly resource: Resource;
  readonly filter: GraphQLArgument;
  /** Of the list without the filter. */
  readonly row: FirstRow['row'];
}

/** Tells whether the service knows the name of the filter's parameter. */
export async function checkFilter(test: FilterTest): Promise<'fine' | 'wrong name' | 'rejected token'> {
  const { session, report, resource, filter } = test;
  const list = resource.name;
  const name = `\`${session.parameterNames[list]?.[filter.name] ?? resource.filters[filter.name]?.name}\``;
  const result = await tryFilter(test);
  const add = (outcome: 'passed' | 'failed' | 'skipped', message: string, advice?: string) =>
    report.add(outcome, `  ${filter.name}`, message, advice);
  const code = typeof result === 'object' ? result.error?.code : undefined;
  const message = typeof result === 'object' && result.error ? messageOf(result.error) : String(result);
  const advice = `Set ${list}.${filter.name} in REST_PARAMETER_NAMES; see below.`;
  if (result === 'honoured') add('passed', `honoured, as ${name}`);
  else if (result === 'ignored')
    add('failed', `${name} is ignored: rows come that it must leave out`, advice);
  // Without the filter the list can be read, so it is the filter that the service rejects.
  else if (code === 'BAD_USER_INPUT') add('failed', `${name} is refused: ${message}`, advice);
  else if (code === undefined || code === 'FORBIDDEN' || code === 'NOT_FOUND')
    add('skipped', `cannot tell: ${message}`);
  else add('failed', message);
  if (result === 'ignored' || code === 'BAD_USER_INPUT') return 'wrong name';
  return code === 'UNAUTHENTICATED' ? 'rejected token' : 'fine';
}

/**
 * A service may silently ignore a parameter that it does not know. So the filter is sent with a value that must
 * leave rows out: if they still come, it was ignored. Another text is why nobody can tell.
 */
async function tryFilter(test: FilterTest) {
  const { resource, filter, administrationId, row } = test;
  const { name } = filter;
  const type = getNullableType(filter.type);
  const read = (value: string | readonly string[]) =>
    readFirstRow(test, resource, { administrationId, [name]: value });
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
    const values = type.getValues().slice(0, 2);
    const rows: unknown[] = [];
    for (const { name: value } of values) {
      const result = await read(value.toLowerCase());
      if (!result.row) return result.error ? result : 'honoured';
      rows.push(result.row.internalId);
    }
    return rows[0] === rows[1] ? 'ignored' : 'honoured';
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
