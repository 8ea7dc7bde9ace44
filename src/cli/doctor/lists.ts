import type { CallFault } from '../../rest/call-fault.ts';
import { RestError } from '../../rest/errors.ts';
import { readList } from '../../rest/list.ts';
import { rowsOf } from '../../rest/list-pages.ts';
import type { FilterValues, Resource, Row } from '../../rest/resource.ts';
import type { RestSession } from '../../rest/session.ts';
import { resourcesOf } from '../../schema/fields/metadata.ts';
import { schema } from '../../schema/index.ts';
import { SLOW } from './connection.ts';
import { type Finding, type Findings, failed, messageOf, passed, skipped } from './report.ts';

const FIELDS = schema.getQueryType()?.getFields();

/** Each with those filters that have to be tested: their parameter names are not in the service's description. */
export const LISTS = resourcesOf(schema).map((resource) => ({
  resource,
  filters: FIELDS?.[resource.name]?.args.filter(({ name }) => resource.filters[name]?.assumed) ?? [],
}));

type CheckedList = (typeof LISTS)[number];

interface FirstRowResult {
  readonly row?: Row;
  /** Whether the response had rows, including rows that the gateway rejected as invalid. */
  readonly hasRows: boolean;
  readonly error?: RestError;
}

export type FirstRows = ReadonlyMap<CheckedList, FirstRowResult>;

export async function readFirstRow(
  session: RestSession,
  resource: Resource,
  filters: FilterValues,
): Promise<FirstRowResult> {
  const callIndex = session.calls.length;
  try {
    const [row] = rowsOf(await readList(session, resource, { filters, fields: {}, first: 1 }));
    if (row instanceof RestError) return { hasRows: true, error: row };
    return { hasRows: row !== undefined, ...(row && { row }) };
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    return { hasRows: (session.calls[callIndex]?.rows ?? 0) > 0, error };
  }
}

/** Reads the first row of each list. Once the token is rejected, lists that take it are not read. */
export async function readFirstRows(session: RestSession, administrationId: string, findings: Findings) {
  const results = new Map<CheckedList, FirstRowResult>();
  let isTokenRejected = false;
  for (const list of LISTS) {
    const { name, credential, filters } = list.resource;
    if (credential === 'bearer' ? isTokenRejected : session.credentials.basic === undefined) continue;
    findings.checking(name);
    const administration = filters.administrationId ? { administrationId } : {};
    const result = await readFirstRow(session, list.resource, administration);
    results.set(list, result);
    isTokenRejected ||= credential === 'bearer' && result.error?.code === 'UNAUTHENTICATED';
  }
  return results;
}

const RENAME_ADMINISTRATION =
  'The administration may have another parameter. Set it in REST_PARAMETER_NAMES (see below) and check again: ' +
  'the filters of this list wait for that.';

/** With the words of the log and the metrics; what the service refuses is said by its own message. */
function describeFailure(error: RestError): string {
  const { fault, upstream } = error;
  const status = upstream?.status === undefined ? '' : `, status ${upstream.status}`;
  const isRefusal = fault === undefined || fault === 'status_4xx';
  return isRefusal ? messageOf(error) : `${messageOf(error)} (${fault}${status})`;
}

const WRONG_ADDRESS = 'Check that REST_URL leads to the service, and not to a proxy or a login page.';

/** What to do about a list that cannot be read. */
const LIST_ADVICE: { readonly [fault in CallFault]?: string } = {
  unknown_path: 'Check the path in REST_URL. The gateway adds /v1 itself.',
  invalid_body: WRONG_ADDRESS,
  unexpected_body: WRONG_ADDRESS,
  status_3xx: 'Set REST_URL to where the service redirects.',
  status_5xx: 'Look at the log of the service.',
  answer_timeout: SLOW,
  body_timeout: SLOW,
};

/** Whether a list can be read; without a `result` it was not requested. */
export function checkList({ resource }: CheckedList, result: FirstRowResult | undefined): Finding {
  const { name, credential, filters } = resource;
  if (result === undefined) {
    const why = credential === 'basic' ? 'REST_CLIENT_ID is not set' : 'the token is refused';
    return skipped(name, `not asked: ${why}`);
  }
  const { error, row, hasRows } = result;
  if (error === undefined) return passed(name, row ? 'answers' : 'answers, without a row');
  if (error.code === 'UNAUTHENTICATED') return skipped(name, 'the credential is refused');
  if (error.code === 'FORBIDDEN') return skipped(name, `no scope: ${messageOf(error)}`);
  // Rows that come with an error are of another administration: the service ignored the parameter.
  const isNameSuspect = error.code === 'BAD_USER_INPUT' || hasRows;
  if (!filters.administrationId?.assumed || !isNameSuspect)
    return failed(name, describeFailure(error), error.fault && LIST_ADVICE[error.fault]);
  const unrecognisedFilter = { list: name, argument: 'administrationId' };
  return { ...failed(name, describeFailure(error), RENAME_ADMINISTRATION), unrecognisedFilter };
}
