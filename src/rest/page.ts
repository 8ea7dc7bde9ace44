import type { Upstream } from './errors.ts';
import { invalid } from './errors.ts';
import { isObject } from './json.ts';
import { encodeParameters, parametersOf, type Query } from './query.ts';
import type { Resource, Row } from './resource.ts';
import { callRest, type RestSession } from './session.ts';

/** One page as the service gave it, checked. */
export interface Page<R extends Row> {
  readonly rows: readonly R[];
  /** Where the next page starts; absent on the last page. */
  readonly cursor?: string;
}

/** The pages of a query one after another, each as long as the reader says it still wants. */
export async function* readPages<R extends Row>(
  session: RestSession,
  resource: Resource<R>,
  query: Omit<Query, 'perPage'>,
  wanted: () => number,
): AsyncGenerator<Page<R>, void> {
  const seen = new Set<string>();
  let { cursor } = query;
  do {
    if (cursor !== undefined) seen.add(cursor);
    const page = await readPage(session, resource, { ...query, cursor, perPage: wanted() });
    cursor = page.cursor;
    if (cursor !== undefined && seen.has(cursor)) {
      throw invalid({ method: 'GET', path: resource.path }, 'the same cursor twice');
    }
    yield page;
  } while (cursor !== undefined);
}

async function readPage<R extends Row>(
  session: RestSession,
  resource: Resource<R>,
  query: Query,
): Promise<Page<R>> {
  const { path, credential } = resource;
  const parameters = parametersOf(resource, session.parameterNames, query);
  const body = await callRest(session, {
    method: 'GET',
    path,
    query: encodeParameters(parameters),
    credential,
    parameters,
  });

  const upstream: Upstream = { method: 'GET', path };
  const { data, pagination } = isObject(body) ? body : {};
  if (!Array.isArray(data)) throw invalid(upstream, 'a page without a list of records');

  const { administrationId } = query.filters;
  const rows = data.map((row: unknown) => {
    if (!isRow<R>(row)) throw invalid(upstream, 'a record without an identifier');
    return typeof administrationId === 'string' ? inAdministration(row, administrationId, upstream) : row;
  });
  const cursor = cursorOf(pagination, upstream);
  if (cursor === undefined) return { rows };
  if (rows.length === 0) throw invalid(upstream, 'an empty page that says more follow');
  return { rows, cursor };
}

/** Only the identifier is checked here: GraphQL checks each selected field as it is written out. */
export function isRow<R extends Row>(value: unknown): value is R {
  return isObject(value) && typeof value.id === 'string';
}

/**
 * A service that does not know a filter's name may ignore it and answer for every administration: such rows
 * are never passed on. A row that leaves its administration out belongs to the one that was asked for.
 */
export function inAdministration<R extends Row>(row: R, administrationId: string, upstream: Upstream): R {
  if (row.administration_id === administrationId) return row;
  if (row.administration_id !== undefined && row.administration_id !== null) {
    throw invalid(upstream, 'records of another administration than the one asked for');
  }
  return { ...row, administration_id: administrationId };
}

function cursorOf(pagination: unknown, upstream: Upstream): string | undefined {
  if (pagination === undefined || pagination === null) return undefined;
  const cursor = isObject(pagination) ? pagination.cursor : undefined;
  if (cursor === null) return undefined;
  if (typeof cursor !== 'string' || cursor === '')
    throw invalid(upstream, 'a page with an unreadable cursor');
  return cursor;
}
