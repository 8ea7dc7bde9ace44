import { invalid, RestError, type Upstream } from './errors.ts';
import { isObject } from './json.ts';
import { fromLatin1, isLatin1, type Latin1, toLatin1 } from './latin1.ts';
import { MAX_PER_PAGE } from './query.ts';
import type { Page, ReadRow, Resource, Row } from './resource.ts';

const NO_RECORD = 'a record without an identifier';
const FOREIGN = 'records of another administration than the one asked for';
const NO_ADMINISTRATION = 'a record whose administration is no text';

/**
 * An id is part of URLs, cursors and global ids. A longer one could not be sent to the service, and a megabyte would
 * take a hundred milliseconds to encode.
 */
const MAX_ID_LENGTH = 1000;

/** One more than is ever asked for, so that a list knows that more follow. */
const MAX_ROWS = MAX_PER_PAGE + 1;

/**
 * Reads a response body as a page, validated as far as the gateway itself relies on it. Rows beyond those that may be
 * asked for are not read; the next page starts behind the last one that is, so that none is skipped.
 */
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
  const errors = new RowErrors(upstream);
  const ids = new Set<Latin1>();
  const rows: ReadRow<Row>[] = [];
  for (const row of data) {
    if (rows.length === MAX_ROWS) break;
    if (!isRow(row)) {
      rows.push(errors.of(NO_RECORD));
      continue;
    }
    // Duplicate rows are dropped.
    if (ids.has(row.id)) continue;
    ids.add(row.id);
    rows.push(administration === undefined ? row : inAdministration(row, administration, errors));
  }
  const last = rows.length === MAX_ROWS ? rows.findLast(isRow) : undefined;
  const cursor = last ? fromLatin1(last.id) : cursorOf(pagination, upstream);
  if (cursor !== undefined && rows.length === 0)
    throw invalid(upstream, 'an empty page that says more follow');
  if (cursor === undefined && !errors.hasAny) return { rows, bytes };
  return { rows, bytes, ...(cursor !== undefined && { cursor }), ...errors.found };
}

/** Errors of invalid rows, one instance per kind of error, since there may be as many rows as a body has values. */
export class RowErrors {
  readonly #upstream: Upstream;
  #errors: Map<string, RestError> | undefined;

  constructor(upstream: Upstream) {
    this.#upstream = upstream;
  }

  of(what: string): RestError {
    this.#errors ??= new Map();
    const error = this.#errors.get(what) ?? invalid(this.#upstream, what);
    this.#errors.set(what, error);
    return error;
  }

  get hasAny(): boolean {
    return this.#errors !== undefined;
  }

  /** How the errors affect the page. */
  get found(): Pick<Page<Row>, 'isBroken' | 'foreign'> {
    if (this.#errors === undefined) return {};
    const foreign = this.#errors.get(FOREIGN);
    return { isBroken: true, ...(foreign && { foreign }) };
  }
}

/**
 * Only the id is checked here: GraphQL checks each selected field when it is serialized. An empty one is none, since as
 * a cursor it would lead nowhere, and neither is one that is too long.
 */
export function isRow<R extends Row>(value: unknown): value is R {
  if (!isObject(value) || !isLatin1(value.id)) return false;
  const { length } = String(value.id);
  return length > 0 && length <= MAX_ID_LENGTH;
}

/** Whether a row is a record of the resource or an error. */
export function isReadRow<R extends Row>(value: ReadRow<Row>): value is ReadRow<R> {
  return isRow(value) || value instanceof RestError;
}

/**
 * A service that does not know a filter's name may ignore it and return records of every administration: such rows are
 * never passed on. A row without an administration belongs to the requested one, whose id is given as Latin-1.
 */
export function inAdministration<R extends Row>(
  row: R,
  administration: Latin1,
  errors: RowErrors,
): ReadRow<R> {
  const given: unknown = row.administration_id;
  if (given === administration) return row;
  if (given === undefined || given === null) return { ...row, administration_id: administration };
  return errors.of(isLatin1(given) ? FOREIGN : NO_ADMINISTRATION);
}

function cursorOf(pagination: unknown, upstream: Upstream): string | undefined {
  if (pagination === undefined || pagination === null) return undefined;
  const cursor = isObject(pagination) ? pagination.cursor : undefined;
  if (cursor === null) return undefined;
  const text = isLatin1(cursor) ? fromLatin1(cursor) : '';
  if (text === '') throw invalid(upstream, 'a page with an unreadable cursor');
  return text;
}
