import { getOrCreate } from '../memoize.ts';
import type { RestResponse } from './client/attempt.ts';
import { invalid, RestError } from './errors.ts';
import type { Fields } from './fields.ts';
import { isAbsent, isObject } from './json.ts';
import type { Page, ReadRow, Resource, Row } from './resource.ts';
import { rowMaker } from './rows.ts';

const FOREIGN = 'records of another administration than the one asked for';

/** A longer id could not be sent to the service. */
const MAX_ID_LENGTH = 1000;

interface Asked {
  readonly fields: Fields;
  readonly administrationId: string | undefined;
  readonly sentAt: number;
}

/** Reads a response body as a page of rows. */
export function readBody(
  { body, date, bytes }: Pick<RestResponse, 'body' | 'date' | 'bytes'>,
  { path, members }: Resource,
  { fields, administrationId, sentAt }: Asked,
): Page {
  const refuse = (what: string) => invalid({ method: 'GET', path }, what);
  const { data, pagination } = isObject(body) ? body : {};
  if (!Array.isArray(data)) throw refuse('a page without a list of records');
  // One instance per kind of error, since there may be as many invalid rows as a body has values.
  const errors = new Map<string, RestError>();
  const errorOf = (what: string) => getOrCreate(errors, what, refuse);
  const ids = new Set<string>();
  const rows: ReadRow[] = [];
  const make = rowMaker(members, fields);
  for (const record of data) {
    const row = isObject(record) ? make(record) : undefined;
    if (!isValidRow(row)) rows.push(errorOf('a record without an identifier'));
    // Duplicate rows are dropped.
    else if (!ids.has(row.internalId)) {
      ids.add(row.internalId);
      rows.push(administrationId === undefined ? row : inAdministration(row, administrationId, errorOf));
    }
  }
  const cursor = cursorIn(pagination);
  if (cursor === '') throw refuse('a page with an unreadable cursor');
  if (cursor !== undefined && rows.length === 0) throw refuse('an empty page that says more follow');
  const page = { rows, bytes, date, cursor, sentAt };
  return errors.size > 0 ? { ...page, isBroken: true, foreign: errors.get(FOREIGN) } : page;
}

/** Whether a row that was just made has an id that is neither empty nor too long to be a cursor. */
export function isValidRow(row: unknown): row is Row {
  if (!isObject(row)) return false;
  const { internalId } = row;
  return typeof internalId === 'string' && internalId !== '' && internalId.length <= MAX_ID_LENGTH;
}

export function isRow(row: ReadRow | undefined): row is Row {
  return row !== undefined && !(row instanceof RestError);
}

/**
 * A service that does not know a filter's name may ignore it and return records of every administration: such rows are
 * never passed on. A row without an administration belongs to the requested one.
 */
export function inAdministration(
  row: Row,
  administrationId: string,
  errorOf: (what: string) => RestError,
): ReadRow {
  const given: unknown = row.administrationId;
  if (given === administrationId) return row;
  if (isAbsent(given)) return Object.assign(row, { administrationId });
  return errorOf(typeof given === 'string' ? FOREIGN : 'a record whose administration is no text');
}

/** Empty if it cannot be read. */
function cursorIn(pagination: unknown): string | undefined {
  if (isAbsent(pagination)) return undefined;
  const cursor = isObject(pagination) ? pagination.cursor : '';
  if (cursor === null) return undefined;
  return typeof cursor === 'string' ? cursor : '';
}
