import { RestError } from '../../rest/errors.ts';
import { walkList } from '../../rest/list.ts';
import type { FilterValues, Resource, Row } from '../../rest/resource.ts';
import type { RestSession } from '../../rest/session.ts';
import { resourcesOf } from '../../schema/fields/metadata.ts';
import { schema } from '../../schema/index.ts';
import { adviceOnFault } from './connection.ts';
import type { Outcome, Report } from './report.ts';

export const RESOURCES = resourcesOf(schema);

/** What a check came to, and whether the service has another name for the parameter. */
interface Finding {
  readonly outcome: Outcome;
  readonly message: string;
  readonly advice?: string;
  readonly isWrongName?: boolean;
  readonly error?: RestError;
}

/** Reads each list and tries its filters with assumed names, one call at a time, until the token is rejected. */
export async function checkLists(session: RestSession, administrationId: string, report: Report) {
  /** The lists and arguments whose parameters have other names than are sent. */
  const wrongNames: [list: string, argument: string][] = [];
  /** What the lists that take the token came to; undefined for one that answers. */
  const outcomes: (RestError | undefined)[] = [];
  const isRejected = () => outcomes.at(-1)?.code === 'UNAUTHENTICATED';
  for (const resource of RESOURCES) {
    const { name: list, credential, filters } = resource;
    const tell = (check: string, argument: string, finding: Finding) => {
      report.add(finding.outcome, check, finding.message, finding.advice);
      if (finding.isWrongName) wrongNames.push([list, argument]);
    };
    const isAsked = credential === 'bearer' || session.options.credentials.basic !== undefined;
    if (!isAsked) report.add('skipped', list, 'not asked: REST_CLIENT_ID is not set');
    // It is not sent again.
    if (!isAsked || (credential === 'bearer' && isRejected())) continue;
    const first = await readFirstRow(session, resource, filters.administrationId ? { administrationId } : {});
    if (credential === 'bearer') outcomes.push(first.error);
    tell(list, 'administrationId', listFinding(resource, first));
    if (first.error) continue;
    for (const [argument, { assumed }] of Object.entries(filters)) {
      if (!assumed || isRejected()) continue;
      const finding = await checkFilter(session, resource, argument, administrationId, first.row);
      tell(`  ${argument}`, argument, finding);
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
  const { rows, failure: error } = await walkList(session, resource, { filters, fields: {}, first: 1 });
  if (error instanceof RestError) return { hasRows: (session.calls[callIndex]?.rows ?? 0) > 0, error };
  if (error) throw error;
  const [row] = rows;
  if (row instanceof RestError) return { hasRows: true, error: row };
  return { hasRows: row !== undefined, ...(row && { row }) };
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
  const isWrongName = filters.administrationId?.assumed === true && (code === 'BAD_USER_INPUT' || hasRows);
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
  argument: string,
  administrationId: string,
  row: Row | undefined,
): Promise<Finding> {
  const { name, takes } = resource.filters[argument] ?? {};
  const sent = `\`${session.options.parameterNames[resource.name]?.[argument] ?? name}\``;
  const unknown = (why: string): Finding => ({ outcome: 'skipped', message: `cannot tell: ${why}` });
  const wrong = (what: string): Finding => {
    const advice = `Set ${resource.name}.${argument} in REST_PARAMETER_NAMES; see below.`;
    return { outcome: 'failed', message: `${sent} is ${what}`, advice, isWrongName: true };
  };
  const isAdministration = argument === 'administrationId';
  const noRow = unknown('the list has no row to leave out');
  if (row === undefined && !isAdministration) return noRow;
  const read = (value: string | readonly string[]) =>
    readFirstRow(session, resource, { administrationId, [argument]: value });
  let answer: FirstRow;
  let isIgnored: boolean;
  if (takes?.names) {
    // Any value may match rows, but no row has two values: the same row for both means the filter was ignored.
    const [one = '', other = ''] = takes.names.keys();
    const [first, second] = [await read(one), await read(other)];
    answer = first.error ? first : second;
    isIgnored = first.row !== undefined && first.row.internalId === second.row?.internalId;
  } else {
    const like = isAdministration ? administrationId : argument === 'ids' ? row?.internalId : undefined;
    const distant = argument.endsWith('Before') ? DISTANT_PAST : DISTANT_FUTURE;
    const nobody = takes?.kind === 'moment' ? distant : nonexistentIdLike(like);
    answer = await read(takes?.isList ? [nobody] : nobody);
    isIgnored = answer.hasRows;
  }
  const { error } = answer;
  if (isIgnored) return wrong('ignored: rows come that it must leave out');
  const isRefused = error?.code === 'FORBIDDEN' || error?.code === 'NOT_FOUND';
  // The list was read with the administration, so an error there is about its value: the service reads it.
  const isRead = isAdministration && (isRefused || error?.code === 'BAD_USER_INPUT');
  if (error && !isRead) {
    // Without the filter the list can be read, so it is the filter that the service rejects.
    if (error.code === 'BAD_USER_INPUT') return wrong(`refused: ${messageOf(error)}`);
    return isRefused ? unknown(messageOf(error)) : { outcome: 'failed', message: messageOf(error), error };
  }
  return row || isRead ? { outcome: 'passed', message: `honoured, as ${sent}` } : noRow;
}

/** An id that no record has, in the format of a real one so that the service does not reject it as malformed. */
function nonexistentIdLike(id = ''): string {
  if (/^\d+$/.test(id)) return '0';
  return /^[\da-f-]+$/i.test(id) ? id.replace(/[\da-f]/gi, '0') : NONEXISTENT_ID;
}
