import { bytesOf, textOf } from './bytes.ts';
import { invalid, type Upstream } from './errors.ts';
import { covers, type Fields, fieldsParameter } from './fields.ts';
import { isObject } from './json.ts';
import type { Memory } from './memory.ts';
import { encodeFields, type Part, parametersOf, type Query, queryText } from './query.ts';
import {
  type CredentialKind,
  type Page,
  type ParameterNames,
  type Resource,
  type Row,
  recordKey,
} from './resource.ts';
import { type Call, callRest, memoryOf, noteRemembered, type RestSession, shareCall } from './session.ts';
import { isSendable } from './url.ts';

export interface Walk<R extends Row> {
  readonly part: Part;
  readonly fields: Fields;
  readonly cursor?: string | undefined;
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
  walk: Walk<R>,
): Promise<void> {
  const seen: string[] = [];
  let { cursor } = walk;
  do {
    if (cursor !== undefined) seen.push(cursor);
    const page = pageOf(resource, await readPage(session, resource, walk, cursor));
    session.hold(page.bytes);
    cursor = page.cursor;
    if (cursor !== undefined && seen.includes(cursor)) {
      throw invalid({ method: 'GET', path: resource.path }, 'the same cursor twice');
    }
    if (!walk.visit(page)) return;
    if (cursor !== undefined && !isSendable(cursor)) {
      throw invalid({ method: 'GET', path: resource.path }, 'a cursor that is too long for a URL');
    }
  } while (cursor !== undefined);
}

/** A read of one page. What is sent and what is shown of it is put together only where somebody asks for it. */
class PageCall implements Call {
  readonly method = 'GET';
  readonly endpoint: string;
  readonly path: string;
  readonly credential: CredentialKind;
  /** Names the page, whatever is wanted of its records. */
  readonly key: string;
  readonly #resource: Resource;
  readonly #names: ParameterNames;
  readonly #asked: Query;
  readonly #text: string;

  constructor(resource: Resource, names: ParameterNames, part: Part, asked: Query) {
    this.endpoint = resource.endpoint;
    this.path = resource.path;
    this.credential = resource.credential;
    this.#text = queryText(part.text, asked.cursor, asked.perPage);
    this.key = `${resource.path}?${this.#text}`;
    this.#resource = resource;
    this.#names = names;
    this.#asked = asked;
  }

  get query() {
    return this.#resource.takesFields ? `${this.#text}&${encodeFields(this.#asked.fields)}` : this.#text;
  }

  get parameters() {
    const parameters = parametersOf(this.#resource, this.#names, this.#asked);
    if (!this.#resource.takesFields) return parameters;
    return { ...parameters, fields: fieldsParameter(this.#asked.fields) };
  }
}

/** A page from what is remembered, from a call under way that brings it, or from the service. */
function readPage(
  session: RestSession,
  resource: Resource,
  { part, fields: selected, wanted, keep }: Omit<Walk<Row>, 'visit'>,
  cursor: string | undefined,
): Page<Row> | Promise<Page<Row>> {
  const fields = resource.takesFields ? selected : {};
  const asked = { filters: part.filters, fields, perPage: wanted(), cursor };
  const call = new PageCall(resource, session.parameterNames, part, asked);
  const memory = memoryOf(session, resource.credential);
  const place = memory.at(call.key);
  const known = keep && !session.fresh ? place.known : undefined;
  if (known?.page && covers(known.fields, fields)) {
    noteRemembered(session, call, known.page.rows.length, known.until);
    return known.page;
  }

  const { joined, answer } = memory.pages.join(call.key, fields, session.caller, async (caller) => {
    const { body, bytes } = await callRest(session, call, caller);
    const page = readBody(body, bytes, resource, part.filters.administrationId);
    if (keep && session.memories.isKept) {
      place.remember({ page, fields, bytes });
      rememberRecords(memory, resource, asked, page);
    }
    return page;
  });
  return joined ? shareCall(session, call, answer) : answer;
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
