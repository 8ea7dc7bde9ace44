import { compositeKey } from '../composite-key.ts';
import { getOrCreate } from '../memoize.ts';
import type { PageQuery } from './cache/list-cache.ts';
import type { RestResponse } from './client/attempt.ts';
import { invalidResponse, RestError } from './errors.ts';
import { isNullish, isObject } from './json.ts';
import { makeCall } from './make-call.ts';
import { MAX_PER_PAGE, type PageRequest, pageCall } from './query.ts';
import { isRow, type Page, type Resource, type RowOrError } from './resource.ts';
import { checkAdministration, getRowMapper, isValidRow, WRONG_ADMINISTRATION } from './rows.ts';
import type { RestSession } from './session.ts';
import { isSendable } from './url.ts';

export const ROWS_BEFORE = 2;

/** The service's cursor in a segment of a filter. The segment is null if one URL holds the whole filter. */
export interface ListPosition {
  readonly segment: number | null;
  readonly cursor: string;
  /** Ids of rows before this record, the nearest first, in case it is deleted. Absent if the cursor is not an id. */
  readonly fallbackCursors?: readonly string[];
}

/** How many rows to step back when the records of cursors were deleted: up to the start of a full page. */
const STEPS_BACK = [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 499];

const RECORD_GONE =
  'The REST service does not know the record of `after`: it may have been deleted, with those before it. Read the list from its start, without `after`.';

/** Reads a page. A cached page, or one in flight, may have more fields and rows than requested. */
type ReadPage = (session: RestSession, resource: Resource, request: PageRequest) => Page | Promise<Page>;

interface PageReadOptions extends Omit<PageRequest, 'perPage' | 'cursor'> {
  readonly after?: ListPosition | undefined;
}

/** Each call reads the next page. A generator would take several promises for each page. */
export function createPageReader(
  session: RestSession,
  resource: Resource,
  readPage: ReadPage,
  { segment, fields, after }: PageReadOptions,
) {
  const invalidPage = (what: string, cause?: unknown) =>
    invalidResponse({ method: 'GET', path: resource.path }, what, cause);
  const sent = new Set<string>();
  /** Cursors to continue after, with their distance from the last row: fallbacks if that was deleted. */
  let cursors = new Map<string | undefined, number>([[after?.cursor, 0]]);
  for (const cursor of after?.fallbackCursors ?? []) cursors.set(cursor, 0);
  let isStarted = false;

  return async (wanted: number): Promise<Page | undefined> => {
    let page: Page | undefined;
    let failure: RestError | undefined;
    for (const [cursor, stepsBack] of cursors) {
      if (isStarted && !isSendable(cursor ?? '')) throw invalidPage('a cursor that is too long for a URL');
      if (cursor !== undefined) sent.add(cursor);
      const perPage = Math.min(wanted + stepsBack, MAX_PER_PAGE);
      try {
        page = await readPage(session, resource, { segment, fields, perPage, cursor });
        break;
      } catch (error) {
        if (cursor === undefined || !isUnknownCursor(error)) throw error;
        failure ??= error;
      }
    }
    if (!page && cursors.size === 0) return undefined;
    // The service returned these records a moment ago, so the caller's argument is not the reason.
    if (!page && isStarted) throw invalidPage('no page after records that it had just sent', failure);
    // A bad argument, whatever the status of the response.
    if (!page) {
      const message = `${RECORD_GONE} ${failure?.message}`;
      throw new RestError('BAD_USER_INPUT', message, { upstream: failure?.upstream, cause: failure });
    }
    session.retainBytes(page.bytes);
    if (session.cancellation.isAborted) throw session.cancellation.error();
    if (page.cursor !== undefined && sent.has(page.cursor)) throw invalidPage('the same cursor twice');
    cursors = getCursors(page);
    isStarted = true;
    return page;
  };
}

/** Returns the service's cursor and the ids of earlier rows, which are cursors too; none after the last page. */
function getCursors({ rows, cursor }: Page): Map<string | undefined, number> {
  const cursors = new Map<string | undefined, number>();
  if (cursor === undefined) return cursors;
  cursors.set(cursor, 0);
  for (const stepsBack of STEPS_BACK) {
    const row = rows.at(-1 - stepsBack);
    if (isRow(row) && row.internalId !== cursor) cursors.set(row.internalId, stepsBack);
  }
  return cursors;
}

function isUnknownCursor(error: unknown): error is RestError {
  return error instanceof RestError && [400, 404, 422].includes(error.upstream?.status ?? 0);
}

export const readListPage: ReadPage = (session, resource, request) => {
  const source = getPageSource(session, resource, request);
  const { call, listCache, key } = source;
  const cached = session.cache.reads ? listCache?.getPage(key, request) : undefined;
  if (cached) {
    session.addCall(call, 'cache', cached.rows.length);
    return cached;
  }
  return fetchPage(session, source, request, (response, sentAt) => {
    const page = parsePage(response, sentAt, resource, request, rejectPage);
    if (session.cache.cacheLists) listCache?.addPage(page, request, key);
    return page;
  });
};

/** Without a working filter the page is useless in a list. In a lookup, rows are matched by their keys. */
function rejectPage(error: RestError): never {
  throw error;
}

/** Caches only the records of a page, since other lookups ask for other keys. */
export const readLookupPage: ReadPage = (session, resource, request) => {
  const source = getPageSource(session, resource, request);
  return fetchPage(session, source, request, (response, sentAt) => {
    const page = parsePage(response, sentAt, resource, request, (error) => error);
    source.listCache?.addRecords(page, request.fields);
    return page;
  });
};

function getPageSource(session: RestSession, resource: Resource, request: PageRequest) {
  const { segment, cursor } = request;
  const { path, credential } = resource;
  // Taken before the call is sent, so that its response cannot be cached in the generation after a write.
  const generation = session.getCredentialCache(credential).getGeneration();
  const listCache = generation.getListCache(path, segment.administrationId);
  // Identifies the list and where the page starts, regardless of fields and size.
  const key = compositeKey(path, segment.text, cursor);
  return { call: pageCall(resource, request), generation, listCache, key };
}

export function fetchPage(
  session: RestSession,
  { call, generation, key }: Pick<ReturnType<typeof getPageSource>, 'call' | 'generation' | 'key'>,
  { fields, perPage }: PageQuery,
  read: (response: RestResponse, sentAt: number) => Page,
): Promise<Page> {
  const { isCoalesced, response } = generation.pagesInFlight.join(
    { key: compositeKey(key, perPage), fields, since: session.cache.joinsSince },
    session.cancellation,
    (cancellation, sentAt) => makeCall(session, call, (response) => read(response, sentAt), { cancellation }),
  );
  return isCoalesced ? session.awaitCoalesced(call, response) : response;
}

function parsePage(
  { body, date, bytes }: RestResponse,
  sentAt: number,
  { path, members }: Resource,
  { fields, segment: { administrationId } }: PageRequest,
  onWrongAdministration: (error: RestError) => RestError,
): Page {
  const invalidPage = (what: string) => invalidResponse({ method: 'GET', path }, what);
  const { data, pagination } = isObject(body) ? body : {};
  if (!Array.isArray(data)) throw invalidPage('a page without a list of records');
  // One instance per kind of error, since there may be as many invalid rows as a body has values.
  const errors = new Map<string, RestError>();
  const getError = (what: string) => {
    const error = getOrCreate(errors, what, invalidPage);
    return what === WRONG_ADMINISTRATION ? onWrongAdministration(error) : error;
  };
  const make = getRowMapper(members, fields);
  const rows = data.map((record): RowOrError => {
    const row = isObject(record) ? make(record) : undefined;
    if (!isValidRow(row)) return getError('a record without an identifier');
    return administrationId === undefined ? row : checkAdministration(row, administrationId, getError);
  });
  // On the last page the cursor is null, or there is no pagination.
  const next = isNullish(pagination) ? null : isObject(pagination) ? pagination.cursor : undefined;
  if (next !== null && (typeof next !== 'string' || next === ''))
    throw invalidPage('a page with an unreadable cursor');
  if (next !== null && rows.length === 0) throw invalidPage('an empty page with a cursor');
  const page = { rows, bytes, sentAt, date, cursor: next ?? undefined };
  return errors.size > 0 ? { ...page, hasInvalidRows: true } : page;
}
