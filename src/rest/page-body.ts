import { invalid, type Upstream } from './errors.ts';
import { isObject } from './json.ts';
import { fromLatin1, toLatin1 } from './latin1.ts';
import type { Page, Resource, Row } from './resource.ts';

/** The body of an answer as a page, checked as far as the gateway itself relies on it. */
export function readBody(
  body: unknown,
  bytes: number,
  { path }: Resource,
  administrationId: string | readonly string[] | undefined,
): Page<Row> {
  const upstream: Upstream = { method: 'GET', path };
  const { data, pagination } = isObject(body) ? body : {};
  if (!Array.isArray(data)) throw invalid(upstream, 'a page without a list of records');
  const administration = typeof administrationId === 'string' ? toLatin1(administrationId) : undefined;
  const ids = new Set<string>();
  const rows: Row[] = [];
  for (const row of data) {
    if (!isRow(row)) throw invalid(upstream, 'a record without an identifier');
    // A row that comes twice is given once.
    if (ids.has(row.id)) continue;
    ids.add(row.id);
    rows.push(administration === undefined ? row : inAdministration(row, administration, upstream));
  }
  const cursor = cursorOf(pagination, upstream);
  if (cursor === undefined) return { rows, bytes };
  if (rows.length === 0) throw invalid(upstream, 'an empty page that says more follow');
  return { rows, cursor, bytes };
}

/** Only the identifier is checked here: GraphQL checks each selected field as it is written out. */
export function isRow<R extends Row>(value: unknown): value is R {
  return isObject(value) && typeof value.id === 'string';
}

/**
 * A service that does not know a filter's name may ignore it and answer for every administration: such rows
 * are never passed on. A row that leaves its administration out belongs to the one that was asked for, whose id is
 * given in bytes.
 */
export function inAdministration<R extends Row>(row: R, administration: string, upstream: Upstream): R {
  if (row.administration_id === administration) return row;
  if (row.administration_id !== undefined && row.administration_id !== null) {
    throw invalid(upstream, 'records of another administration than the one asked for');
  }
  return { ...row, administration_id: administration };
}

function cursorOf(pagination: unknown, upstream: Upstream): string | undefined {
  if (pagination === undefined || pagination === null) return undefined;
  const cursor = isObject(pagination) ? pagination.cursor : undefined;
  if (cursor === null) return undefined;
  if (typeof cursor !== 'string' || cursor === '')
    throw invalid(upstream, 'a page with an unreadable cursor');
  return fromLatin1(cursor);
}
