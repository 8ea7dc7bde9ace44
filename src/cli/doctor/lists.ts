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

/** What a check came to, and whether the service has another name for the parameter. */
interface Finding {
  readonly outcome: Outcome;
  readonly message: string;
  readonly advice?: string;
  readonly isWrongName?: boolean;
  readonly error?: RestError;
}

/** Reads each list and tries its filters, one call at a time, until the token is rejected. */
export async function checkLists(session: RestSession, administrationId: string, report: Report) {
  /** The lists and arguments whose parameters have other names than are sent. */
  const wrongNames: [list: string, argument: string][] = [];
  /** What the lists that take the token came to; undefined for one that answers. */
  const outcomes: (RestError | undefined)[] = [];
  const isRejected = () => outcomes.at(-1)?.code === 'UNAUTHENTICATED';
  const tell = (name: string, list: string, argument: string, finding: Finding) => {
    report.add(finding.outcome, name, finding.message, finding.advice);
    if (finding.isWrongName) wrongNames.push([list, argument]);
  };
  for (const { resource, filters } of LISTS) {
    const { name, credential } = resource;
    const isAsked = credential === 'bearer' || session.credentials.basic !== undefined;
    if (!isAsked) report.add('skipped', name, 'not asked: REST_CLIENT_ID is not set');
    // It is not sent again.
    if (!isAsked || (credential === 'bearer' && isRejected())) continue;
    const given = resource.filters.administrationId ? { administrationId } : {};
    const first = await readFirstRow(session, resource, given);
    if (credential === 'bearer') outcomes.push(first.error);
    tell(name, name, 'administrationId', listFinding(resource, first));
    for (const filter of first.error ? [] : filters) {
      if (isRejected()) break;
      const finding = await checkFilter(session, resource, filter, administrationId, first.row);
      tell(`  ${filter.name}`, name, filter.name, finding);
      if (finding.error) outcomes.push(finding.error);
    }
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

/** The service's own message if it sent one, since that is the most specific; otherwise the gateway's. */
export function messageOf({ upstream, message }: RestError): string {
  return upstream?.message ?? message;
}

function listFinding({ filters }: Resource, { error, row, hasRows }: FirstRow): Finding {
  if (error === undefined) return { outcome: 'passed', message: row ? 'answers' : 'answers, without a row' };
  const { code, fault, upstream } = error;
  if (code === 'UNAUTHENTICATED') return { outcome: 'skipped', message: 'the credential is refused' };
  if (code === 'FORBIDDEN') return { outcome: 'skipped', message: `no scope: ${messageOf(error)}` };
  // With the words of the log and the metrics; what the service refuses is said by its own message.
  const words =
    fault === 'status_4xx' ? '' : ` (${[fault, upstream?.status].filter(Boolean).join(', status ')})`;
  // Rows that come with an error are of another administration: the service ignored the parameter.
  const isAssumed = filters.administrationId?.assumed ?? false;
  const isWrongName = isAssumed && (code === 'BAD_USER_INPUT' || hasRows);
  const rename = 'The administration may have another parameter: set it (see below), and check again.';
  const advice = isWrongName ? rename : adviceOnFault(fault);
  return { outcome: 'failed', message: `${messageOf(error)}${words}`, advice, isWrongName };
}

/** Outside the times that any record of the service can have. */
const DISTANT_PAST = '1970-01-01T00:00:00Z';
const DISTANT_FUTURE = '2100-01-01T00:00:00Z';
const NONEXISTENT_ID = 'receivables-graphql-doctor';

/**
 * Whether the service knows the name of the filter's parameter. It may silently ignore one that it does not know, so the
 * filter is sent with a value that must leave rows out: if they still come, it was ignored.
 */
async function checkFilter(
  session: RestSession,
  resource: Resource,
  { name, type: given }: GraphQLArgument,
  administrationId: string,
  row: Row | undefined,
): Promise<Finding> {
  const sent = `\`${session.parameterNames[resource.name]?.[name] ?? resource.filters[name]?.name}\``;
  const honoured: Finding = { outcome: 'passed', message: `honoured, as ${sent}` };
  const unknown = (why: string): Finding => ({ outcome: 'skipped', message: `cannot tell: ${why}` });
  const wrong = (what: string): Finding => {
    const advice = `Set ${resource.name}.${name} in REST_PARAMETER_NAMES; see below.`;
    return { outcome: 'failed', message: `${sent} is ${what}`, advice, isWrongName: true };
  };
  const ignored = wrong('ignored: rows come that it must leave out');
  const failed = (error: RestError): Finding => {
    // Without the filter the list can be read, so it is the filter that the service rejects.
    if (error.code === 'BAD_USER_INPUT') return wrong(`refused: ${messageOf(error)}`);
    if (error.code === 'FORBIDDEN' || error.code === 'NOT_FOUND') return unknown(messageOf(error));
    return { outcome: 'failed', message: messageOf(error), error };
  };
  const read = (value: string | readonly string[]) =>
    readFirstRow(session, resource, { administrationId, [name]: value });
  const noRow = unknown('the list has no row to leave out');
  if (name === 'administrationId') {
    const { hasRows, error } = await read(nonexistentIdLike(administrationId));
    if (hasRows) return ignored;
    // The list was read with this parameter, so an error here is about its value: the service reads it.
    if (error && ['FORBIDDEN', 'NOT_FOUND', 'BAD_USER_INPUT'].includes(error.code)) return honoured;
    if (error) return failed(error);
    return row ? honoured : noRow;
  }
  if (row === undefined) return noRow;
  const type = getNullableType(given);
  if (isEnumType(type)) {
    // Any value may match rows, but no row has two values: the same row for both means the filter was ignored.
    const [one, other] = type.getValues().map((value) => value.name.toLowerCase());
    const [first, second] = [await read(one ?? ''), await read(other ?? '')];
    const error = first.error ?? second.error;
    if (error) return failed(error);
    return first.row && first.row.internalId === second.row?.internalId ? ignored : honoured;
  }
  const isList = isListType(type);
  if (!isList && getNamedType(type).name !== 'DateTime') return unknown('no value of it must leave rows out');
  const nobody = [name === 'ids' ? nonexistentIdLike(row.internalId) : NONEXISTENT_ID];
  // The name of a DateTime argument ends in Before or After.
  const { hasRows, error } = await read(
    isList ? nobody : name.endsWith('Before') ? DISTANT_PAST : DISTANT_FUTURE,
  );
  if (hasRows) return ignored;
  return error ? failed(error) : honoured;
}

/** An id that no record has, in the format of a real one so that the service does not reject it as malformed. */
function nonexistentIdLike(id: string): string {
  if (/^\d+$/.test(id)) return '0';
  return /^[\da-f-]+$/i.test(id) ? id.replace(/[\da-f]/gi, '0') : NONEXISTENT_ID;
}
