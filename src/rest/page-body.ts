import { getOrCreate } from '../memoize.ts';
import type { RestResponse } from './client/attempt.ts';
import { invalid, RestError, type Upstream } from './errors.ts';
import type { Fields } from './fields.ts';
import { isAbsent, isObject } from './json.ts';
import { type PickedSize, pickOf } from './pick.ts';
import { MAX_PER_PAGE } from './query.ts';
import type { Page, ReadRow, Resource, Row } from './resource.ts';
import { isText, type TextCodec, type WireText } from './wire-text.ts';

const NO_RECORD = 'a record without an identifier';
const FOREIGN = 'records of another administration than the one asked for';
const NO_ADMINISTRATION = 'a record whose administration is no text';

/** A longer id could not be sent to the service, and one of a megabyte would take a hundred milliseconds to encode. */
const MAX_ID_BYTES = 1000;

/** One more than is ever asked for, so that a list knows that more follow. */
const MAX_ROWS = MAX_PER_PAGE + 1;

/**
 * Reads a response body as a page, validated as far as the gateway itself relies on it. Rows beyond those that may be
 * asked for are not read; the next page starts behind the last one that is, so that none is skipped.
 */
export function readBody(
  { body, date }: Pick<RestResponse, 'body' | 'date'>,
  { path }: Resource,
  {
    fields,
    administrationId,
  }: {
    readonly fields: Fields;
    readonly administrationId: string | readonly string[] | undefined;
  },
  text: TextCodec,
): Page {
  const upstream: Upstream = { method: 'GET', path };
  const { data, pagination } = isObject(body) ? body : {};
  if (!Array.isArray(data)) throw invalid(upstream, 'a page without a list of records');
  const administration = typeof administrationId === 'string' ? text.encode(administrationId) : undefined;
  // One instance per kind of error, since there may be as many invalid rows as a body has values.
  let errors: Map<string, RestError> | undefined;
  const errorOf = (what: string) => {
    errors ??= new Map();
    return getOrCreate(errors, what, () => invalid(upstream, what));
  };
  const ids = data.length > 1 ? new Set<WireText>() : undefined;
  const rows: ReadRow[] = [];
  const pick = pickOf(fields);
  const size: PickedSize = { bytes: 0 };
  for (const row of data) {
    if (rows.length === MAX_ROWS) break;
    if (!isValidRow(row, text)) {
      rows.push(errorOf(NO_RECORD));
      continue;
    }
    // Duplicate rows are dropped.
    if (ids?.has(row.id)) continue;
    ids?.add(row.id);
    const own = administration === undefined ? row : inAdministration(row, administration, errorOf);
    const picked = own instanceof RestError ? own : pick(own, size);
    rows.push(isRow(picked) ? picked : own);
  }
  const last = rows.length === MAX_ROWS ? rows.findLast(isRow) : undefined;
  const cursor = last ? last.id : cursorOf(pagination, upstream);
  if (cursor !== undefined && rows.length === 0)
    throw invalid(upstream, 'an empty page that says more follow');
  const bytes = size.bytes + String(cursor ?? '').length + (date?.length ?? 0);
  const page = { rows, bytes, date, cursor };
  return errors ? { ...page, isBroken: true, foreign: errors.get(FOREIGN) } : page;
}

/** For what was just received. Only the id is checked, which must be neither empty nor too long to be a cursor. */
export function isValidRow<R extends Row>(value: unknown, text: TextCodec): value is R {
  // It has no fewer bytes than characters, of which there may be a million.
  if (!isRow(value) || String(value.id).length > MAX_ID_BYTES) return false;
  const { length } = text.bytes(value.id);
  return length > 0 && length <= MAX_ID_BYTES;
}

/** For what was checked when it was received: whether it is a record, rather than an error or nothing. */
export function isRow(value: unknown): value is Row {
  return isObject(value) && isText(value.id);
}

/**
 * A service that does not know a filter's name may ignore it and return records of every administration: such rows are
 * never passed on. A row without an administration belongs to the requested one, whose id is given as the service's text.
 */
export function inAdministration(
  row: Row,
  administration: WireText,
  errorOf: (what: string) => RestError,
): ReadRow {
  const given: unknown = row.administration_id;
  if (given === administration) return row;
  // The row was just parsed for us alone: a copy of one with a thousand members takes milliseconds.
  if (isAbsent(given)) return Object.assign(row, { administration_id: administration });
  return errorOf(isText(given) ? FOREIGN : NO_ADMINISTRATION);
}

function cursorOf(pagination: unknown, upstream: Upstream): WireText | undefined {
  if (isAbsent(pagination)) return undefined;
  const cursor = isObject(pagination) ? pagination.cursor : undefined;
  if (cursor === null) return undefined;
  if (!isText(cursor) || String(cursor) === '') throw invalid(upstream, 'a page with an unreadable cursor');
  return cursor;
}
