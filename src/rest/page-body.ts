import { getOrCreate } from '../memoize.ts';
import type { RestResponse } from './client/attempt.ts';
import { invalid, RestError, type Upstream } from './errors.ts';
import type { Fields } from './fields.ts';
import { isAbsent, isObject } from './json.ts';
import type { Page, ReadRow, Resource, Row } from './resource.ts';
import { rowMaker } from './rows.ts';

const NO_RECORD = 'a record without an identifier';
const FOREIGN = 'records of another administration than the one asked for';
const NO_ADMINISTRATION = 'a record whose administration is no text';

/** A longer id could not be sent to the service. */
const MAX_ID_LENGTH = 1000;

/** Reads a response body as a page of rows. */
export function readBody(
  { body, date, bytes }: Pick<RestResponse, 'body' | 'date' | 'bytes'>,
  { path, members }: Resource,
  {
    fields,
    administrationId,
  }: {
    readonly fields: Fields;
    readonly administrationId: string | readonly string[] | undefined;
  },
): Page {
  const upstream: Upstream = { method: 'GET', path };
  const { data, pagination } = isObject(body) ? body : {};
  if (!Array.isArray(data)) throw invalid(upstream, 'a page without a list of records');
  // One instance per kind of error, since there may be as many invalid rows as a body has values.
  let errors: Map<string, RestError> | undefined;
  const errorOf = (what: string) => {
    errors ??= new Map();
    return getOrCreate(errors, what, () => invalid(upstream, what));
  };
  const ids = data.length > 1 ? new Set<string>() : undefined;
  const rows: ReadRow[] = [];
  const make = rowMaker(members, fields);
  for (const record of data) {
    const row = isObject(record) ? make(record) : undefined;
    if (!isValidRow(row)) {
      rows.push(errorOf(NO_RECORD));
      continue;
    }
    // Duplicate rows are dropped.
    if (ids?.has(row.internalId)) continue;
    ids?.add(row.internalId);
    rows.push(typeof administrationId === 'string' ? inAdministration(row, administrationId, errorOf) : row);
  }
  const cursor = cursorOf(pagination, upstream);
  if (cursor !== undefined && rows.length === 0)
    throw invalid(upstream, 'an empty page that says more follow');
  const page = { rows, bytes, date, cursor };
  return errors ? { ...page, isBroken: true, foreign: errors.get(FOREIGN) } : page;
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
  return errorOf(typeof given === 'string' ? FOREIGN : NO_ADMINISTRATION);
}

function cursorOf(pagination: unknown, upstream: Upstream): string | undefined {
  if (isAbsent(pagination)) return undefined;
  const cursor = isObject(pagination) ? pagination.cursor : undefined;
  if (cursor === null) return undefined;
  if (typeof cursor !== 'string' || cursor === '')
    throw invalid(upstream, 'a page with an unreadable cursor');
  return cursor;
}
