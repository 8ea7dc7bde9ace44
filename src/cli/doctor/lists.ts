import { RestError } from '../../rest/errors.ts';
import { readList } from '../../rest/list.ts';
import type { FilterValues, Resource, Row } from '../../rest/resource.ts';
import type { RestSession } from '../../rest/session.ts';
import { RESOURCES } from '../../schema/index.ts';
import { getAdvice } from './connection.ts';
import type { Report } from './report.ts';

/** The result of each read with the token: its error, or undefined if it succeeded. */
export type Outcomes = (RestError | undefined)[];

interface CheckContext {
  readonly session: RestSession;
  readonly administrationId: string;
  readonly report: Report;
}

/** Reads each list and tries its filters with assumed names, one call at a time, until the token is rejected. */
export async function checkLists(context: CheckContext): Promise<Outcomes> {
  const { session, administrationId, report } = context;
  const outcomes: Outcomes = [];
  const isRejected = () => outcomes.at(-1)?.code === 'UNAUTHENTICATED';
  for (const resource of RESOURCES) {
    const { name, credential, filters } = resource;
    if (session.options.credentials[credential] === undefined) {
      report.skipped(name, 'not read: REST_CLIENT_ID is not set');
      continue;
    }
    if (credential === 'bearer' && isRejected()) continue;
    const first = await readFirstRow(session, resource, filters.administrationId ? { administrationId } : {});
    if (credential === 'bearer') outcomes.push(first.error);
    reportList(resource, first, report);
    if (first.error) continue;
    for (const [argument, { assumed }] of Object.entries(filters)) {
      if (!assumed || isRejected()) continue;
      const error = await checkFilter(context, resource, argument, first.row);
      if (error) outcomes.push(error);
    }
  }
  return outcomes;
}

type FirstRow = Awaited<ReturnType<typeof readFirstRow>>;

async function readFirstRow(session: RestSession, list: Resource, filters: FilterValues) {
  const { rows, failure } = await readList(session, list, { filters, fields: {}, first: 1 });
  const firstRow = failure ?? rows[0];
  // Rows that the gateway rejects as invalid count too.
  const hasRows = (session.calls.at(-1)?.rows ?? 0) > 0;
  if (firstRow instanceof RestError) return { hasRows, error: firstRow };
  if (firstRow instanceof Error) throw firstRow;
  return { hasRows, row: firstRow };
}

/** Prefers the service's own message, which is more specific. */
export function getMessage({ upstream, message }: RestError): string {
  return upstream?.message ?? message;
}

function reportList({ name, filters }: Resource, { error, row, hasRows }: FirstRow, report: Report) {
  if (error === undefined) return report.passed(name, row ? 'can be read' : 'can be read, but is empty');
  const { code, errorType, upstream } = error;
  if (code === 'UNAUTHENTICATED') return report.skipped(name, 'the credential was rejected');
  if (code === 'FORBIDDEN') return report.skipped(name, `no scope: ${getMessage(error)}`);
  // Adds the error type of log and metrics, unless the service's message explains the problem.
  const type =
    errorType === 'status_4xx' ? '' : ` (${[errorType, upstream?.status].filter(Boolean).join(', status ')})`;
  // Rows with an error belong to another administration: the service ignored the parameter.
  const isWrongName = filters.administrationId?.assumed === true && (code === 'BAD_USER_INPUT' || hasRows);
  if (isWrongName) report.wrongNames.push([name, 'administrationId']);
  const rename = 'The administration may have another parameter: set it (see below), and check again.';
  report.failed(name, `${getMessage(error)}${type}`, isWrongName ? rename : getAdvice(errorType));
}

const DISTANT_PAST = '1970-01-01T00:00:00Z';
const DISTANT_FUTURE = '2100-01-01T00:00:00Z';
const NO_RECORD = 'the list has no record to exclude';

/** Sends a value that must exclude rows: if rows come, the service ignores the parameter, so its name is wrong. */
async function checkFilter(
  { session, administrationId, report }: CheckContext,
  resource: Resource,
  argument: string,
  row: Row | undefined,
): Promise<RestError | undefined> {
  const { name, takes } = resource.filters[argument] ?? {};
  const parameter = `\`${session.service.parameterNames[resource.name]?.[argument] ?? name}\``;
  const check = `  ${argument}`;
  const skip = (reason: string) => void report.skipped(check, `not checked: ${reason}`);
  const failName = (problem: string) => {
    const advice = `Set ${resource.name}.${argument} in REST_PARAMETER_NAMES; see below.`;
    report.failed(check, `${parameter} is ${problem}`, advice);
    report.wrongNames.push([resource.name, argument]);
    return undefined;
  };
  const isAdministration = argument === 'administrationId';
  if (row === undefined && !isAdministration) return skip(NO_RECORD);
  const read = (value: string) =>
    readFirstRow(session, resource, { administrationId, [argument]: takes?.isList ? [value] : value });
  let filtered: FirstRow;
  let isIgnored: boolean;
  if (takes?.names) {
    // Any value may match rows, but no row has two values: the same row for both means the filter was ignored.
    const [firstValue = '', secondValue = ''] = takes.names.keys();
    const first = await read(firstValue);
    filtered = first.error ? first : await read(secondValue);
    isIgnored = first.row !== undefined && first.row.internalId === filtered.row?.internalId;
  } else {
    const realId = isAdministration ? administrationId : argument === 'ids' ? row?.internalId : undefined;
    const distant = argument.endsWith('Before') ? DISTANT_PAST : DISTANT_FUTURE;
    filtered = await read(takes?.kind === 'timestamp' ? distant : nonexistentIdLike(realId));
    isIgnored = filtered.hasRows;
  }
  const { error } = filtered;
  if (isIgnored) return failName('ignored: the response has records that it must exclude');
  const isForbidden = error?.code === 'FORBIDDEN' || error?.code === 'NOT_FOUND';
  // The list was read with the real administration, so this error is about the value: the service reads it.
  const isRead = isAdministration && (isForbidden || error?.code === 'BAD_USER_INPUT');
  if (isRead || (row && !error)) return void report.passed(check, `works, as ${parameter}`);
  if (!error || isForbidden) return skip(error ? getMessage(error) : NO_RECORD);
  // The list works without the filter, so the service rejects the filter.
  if (error.code === 'BAD_USER_INPUT') return failName(`rejected: ${getMessage(error)}`);
  report.failed(check, getMessage(error));
  return error;
}

/** Returns an id that no record has, in the format of a real one so that it is not rejected as malformed. */
function nonexistentIdLike(id = ''): string {
  if (/^\d+$/.test(id)) return '0';
  return /^[\da-f-]+$/i.test(id) ? id.replace(/[\da-f]/gi, '0') : 'receivables-graphql-doctor';
}
