import type { RestError } from '../rest/errors.ts';
import type { Row } from '../rest/resource.ts';
import type { RestSession } from '../rest/session.ts';
import type { AssumedFilter, CheckedList } from './lists.ts';
import { type Sample, sample } from './sample.ts';

/** Before and after all that a service can hold. */
const LONG_AGO = '1970-01-01T00:00:00Z';
const FAR_AHEAD = '2100-01-01T00:00:00Z';
const NOBODYS = 'receivables-graphql-doctor';

/** A filter of a list that answers. */
export interface Trial {
  readonly list: CheckedList;
  readonly filter: AssumedFilter;
  readonly administrationId: string;
  /** The first row of the list without the filter. */
  readonly row: Row | undefined;
}

/** An error says that the service does not take the filter. */
export type Verdict = 'honoured' | 'ignored' | { readonly unknown: string } | RestError;

const NO_ROW: Verdict = { unknown: 'the list has no row to leave out' };

/** A service that does not know a parameter may ignore it. That shows in rows which the filter must leave out. */
export async function tryFilter(session: RestSession, trial: Trial): Promise<Verdict> {
  const { filter, row } = trial;
  const { argument } = filter;
  if (argument === 'administrationId') return tryAdministration(session, trial);
  if (row === undefined) return NO_ROW;
  switch (filter.takes) {
    case 'values':
      return expectNone(session, trial, [argument === 'ids' ? impossibleLike(row.id) : NOBODYS]);
    case 'moment':
      // An argument for moments says in its name on which side of them a record must be.
      return expectNone(session, trial, argument.endsWith('Before') ? LONG_AGO : FAR_AHEAD);
    case 'choice':
      return contradict(session, trial, filter.choices);
    default:
      return { unknown: 'no value of it must leave rows out' };
  }
}

/** The list has answered under this name, so what is refused now is the value: it is read. */
async function tryAdministration(
  session: RestSession,
  { list, administrationId, row }: Trial,
): Promise<Verdict> {
  const other = { administrationId: impossibleLike(administrationId) };
  const { hasRows, error } = await sample(session, list.resource, other);
  if (hasRows) return 'ignored';
  if (error) return ['FORBIDDEN', 'NOT_FOUND', 'BAD_USER_INPUT'].includes(error.code) ? 'honoured' : error;
  return row ? 'honoured' : NO_ROW;
}

/** Sends a value that no record has. */
async function expectNone(
  session: RestSession,
  trial: Trial,
  value: string | readonly string[],
): Promise<Verdict> {
  const { hasRows, error } = await sampleWith(session, trial, value);
  if (hasRows) return 'ignored';
  return error ?? 'honoured';
}

/** No choice leaves out every record, but no record has two: the same row under both was chosen by neither. */
async function contradict(
  session: RestSession,
  trial: Trial,
  [one, other]: readonly string[],
): Promise<Verdict> {
  if (one === undefined || other === undefined) return { unknown: 'it has no two values to compare' };
  const first = await sampleWith(session, trial, one);
  if (!first.row) return first.error ?? 'honoured';
  const second = await sampleWith(session, trial, other);
  if (!second.row) return second.error ?? 'honoured';
  return second.row.id === first.row.id ? 'ignored' : 'honoured';
}

function sampleWith(
  session: RestSession,
  { list, filter, administrationId }: Trial,
  value: string | readonly string[],
): Promise<Sample> {
  return sample(session, list.resource, { administrationId, [filter.argument]: value });
}

/** An identifier of the same make as a real one, so that it is not refused for its looks, which no record has. */
function impossibleLike(identifier: string): string {
  if (/^\d+$/.test(identifier)) return '0';
  return /^[\da-f-]+$/i.test(identifier) ? identifier.replace(/[\da-f]/gi, '0') : NOBODYS;
}
