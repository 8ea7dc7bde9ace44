import { bytesOf, textOf } from './bytes.ts';
import { invalid, type Upstream } from './errors.ts';
import { covers, fieldsParameter } from './fields.ts';
import { isObject } from './json.ts';
import type { Memory } from './memory.ts';
import { encodeFields, encodeParameters, parametersOf, type Query } from './query.ts';
import { type Page, type Resource, type Row, recordKey } from './resource.ts';
import { callRest, memoryOf, noteRemembered, type RestSession, shareCall } from './session.ts';

export interface Walk<R extends Row> {
  readonly query: Omit<Query, 'perPage'>;
  /** How many rows the next page may have. */
  readonly wanted: () => number;
  /** Takes a page; false when no more are wanted. */
  readonly visit: (page: Page<R>) => boolean;
  /** Whether pages are remembered as such. */
  readonly keep: boolean;
}

/** Reads the pages of a query one after another, until no more are wanted or there are no more. */
export async function walkPages<R extends Row>(
  session: RestSession,
  resource: Resource<R>,
  { query, wanted, visit, keep }: Walk<R>,
): Promise<void> {
  const { filters, fields } = query;
  const seen: string[] = [];
  let { cursor } = query;
  do {
    if (cursor !== undefined) seen.push(cursor);
    const page = await readPage(session, resource, { filters, fields, cursor, perPage: wanted() }, keep);
    cursor = page.cursor;
    if (cursor !== undefined && seen.includes(cursor)) {
      throw invalid({ method: 'GET', path: resource.path }, 'the same cursor twice');
    }
    if (!visit(page)) return;
  } while (cursor !== undefined);
}

/** A page from what is remembered, from a call under way that brings it, or from the service. */
async function readPage<R extends Row>(
  session: RestSession,
  resource: Resource<R>,
  query: Query,
  keep: boolean,
): Promise<Page<R>> {
  const { path, credential, takesFields } = resource;
  const parameters = parametersOf(resource, session.parameterNames, query);
  const others = encodeParameters(parameters);
  const wanted = takesFields ? query.fields : {};
  const shown = takesFields ? { ...parameters, fields: fieldsParameter(wanted) } : parameters;
  const call = { method: 'GET', path, credential, parameters: shown } as const;

  const memory = memoryOf(session, credential);
  const key = `${path}?${others}`;
  const place = memory.at(key);
  const known = keep && !session.fresh ? place.known : undefined;
  if (known?.page && covers(known.fields, wanted)) {
    noteRemembered(session, call, known.page.rows.length, known.until);
    return pageOf(resource, known.page);
  }

  const { joined, answer } = memory.pages.join(memory.name(key), wanted, session.caller, async (caller) => {
    const sent = { ...call, query: takesFields ? `${others}&${encodeFields(wanted)}` : others };
    const { body, bytes } = await callRest(session, sent, caller);
    const page = readBody(body, bytes, resource, query.filters.administrationId);
    if (keep && session.memories.isKept) {
      place.remember({ page, fields: wanted, bytes });
      rememberRecords(memory, resource, query, page);
    }
    return page;
  });
  return pageOf(resource, await (joined ? shareCall(session, call, answer) : answer));
}

/** What a page has shown of a record need not be looked up again. */
function rememberRecords(
  memory: Memory,
  resource: Resource,
  { filters, fields }: Query,
  page: Page<Row>,
): void {
  const { administrationId } = filters;
  if (typeof administrationId !== 'string' || resource.filters.ids === undefined) return;
  const bytes = Math.ceil(page.bytes / page.rows.length);
  for (const record of page.rows) {
    memory
      .at(recordKey(resource, 'ids', administrationId, textOf(record.id)))
      .remember({ record, fields, bytes });
  }
}

/** Pages are remembered and shared for all resources alike: here one is a page of its resource again. */
function pageOf<R extends Row>({ path }: Resource<R>, page: Page<Row>): Page<R> {
  const { rows } = page;
  if (!rows.every(isRow<R>)) throw invalid({ method: 'GET', path }, 'a record without an identifier');
  return { ...page, rows };
}

function readBody(
  body: unknown,
  bytes: number,
  { path }: Resource,
  administrationId: string | readonly string[] | undefined,
): Page<Row> {
  const upstream: Upstream = { method: 'GET', path };
  const { data, pagination } = isObject(body) ? body : {};
  if (!Array.isArray(data)) throw invalid(upstream, 'a page without a list of records');
  const administration = typeof administrationId === 'string' ? bytesOf(administrationId) : undefined;
  const rows = data.map((row: unknown) => {
    if (!isRow(row)) throw invalid(upstream, 'a record without an identifier');
    return administration === undefined ? row : inAdministration(row, administration, upstream);
  });
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
  return textOf(cursor);
}
