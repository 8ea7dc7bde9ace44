import { compositeKey } from '../composite-key.ts';
import { getOrCreate } from '../memoize.ts';
import type { Generation } from './cache/rest-cache.ts';
import type { Call } from './call.ts';
import type { RestResponse } from './client/attempt.ts';
import { invalid, RestError } from './errors.ts';
import { isAbsent, isObject } from './json.ts';
import { makeCall } from './make-call.ts';
import { MAX_PER_PAGE, type PageRequest, pageCall } from './query.ts';
import { isRow, type Page, type ReadRow, type Resource } from './resource.ts';
import { FOREIGN, inAdministration, isValidRow, rowMaker } from './rows.ts';
import type { RestSession } from './session.ts';
import { isSendable } from './url.ts';

export const ROWS_BEFORE = 2;

/**
 * A position in a list. A list whose filter is too long for one URL is read as several parts, one after another, so a
 * position is the index of a part (null if the list was read whole) and the service's cursor within it.
 */
export interface ListPosition {
  readonly part: number | null;
  readonly cursor: string;
  /** The ids of a few rows before it, the nearest first, should its own be deleted. Absent if its cursor is not its id. */
  readonly before?: readonly string[];
}

/** How many rows to step back when the rows used as cursors have been deleted: up to the start of a full page. */
const STEPS_BACK = [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 499];

const RECORD_GONE =
  'The REST service does not know the record of `after`: it may have been deleted, with those before it. Read the list from its start, without `after`.';

interface Walk extends Omit<PageRequest, 'perPage' | 'cursor'> {
  readonly after?: ListPosition | undefined;
}

/**
 * Reads one page after another: each call gives the next, of as many rows as are wanted, or more if they were cached or in
 * flight; undefined behind the last. Not a generator, which would take several promises for each page.
 */
export function pageReader(session: RestSession, resource: Resource, { part, fields, keep, after }: Walk) {
  const fault = (what: string, cause?: unknown) =>
    invalid({ method: 'GET', path: resource.path }, what, cause);
  const sent = new Set<string>();
  /** Rows to go on behind, and how far before the last one they stand: earlier ones in case that has been deleted. */
  let cursors = new Map<string | undefined, number>([[after?.cursor, 0]]);
  for (const cursor of after?.before ?? []) cursors.set(cursor, 0);
  let isStarted = false;

  return async (wanted: number): Promise<Page | undefined> => {
    let page: Page | undefined;
    let failure: RestError | undefined;
    for (const [cursor, stepsBack] of cursors) {
      if (isStarted && !isSendable(cursor ?? '')) throw fault('a cursor that is too long for a URL');
      if (cursor !== undefined) sent.add(cursor);
      const perPage = Math.min(wanted + stepsBack, MAX_PER_PAGE);
      try {
        page = await readPage(session, resource, { part, fields, perPage, cursor, keep });
        break;
      } catch (error) {
        if (cursor === undefined || !isUnknownCursor(error)) throw error;
        failure ??= error;
      }
    }
    if (!page && cursors.size === 0) return undefined;
    // Not the caller's fault where the service itself returned these rows a moment ago.
    if (!page && isStarted) throw fault('no page behind rows that it had just given', failure);
    // A bad argument, whatever the status of the response.
    if (!page) {
      const message = `${RECORD_GONE} ${failure?.message}`;
      throw new RestError('BAD_USER_INPUT', message, { upstream: failure?.upstream, cause: failure });
    }
    session.hold(page.bytes);
    if (session.cancellation.isAborted) throw session.cancellation.error();
    if (page.cursor !== undefined && sent.has(page.cursor)) throw fault('the same cursor twice');
    cursors = cursorsOf(page);
    isStarted = true;
    return page;
  };
}

/** The service's cursor, and the ids of earlier rows, which are cursors too; none behind the last page. */
function cursorsOf({ rows, cursor }: Page): Map<string | undefined, number> {
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

function readPage(session: RestSession, resource: Resource, request: PageRequest): Page | Promise<Page> {
  const { part, fields, perPage, cursor, keep } = request;
  const { administrationId: given } = part.filters;
  const administrationId = typeof given === 'string' ? given : undefined;
  return readThrough(session, {
    call: pageCall(resource, request),
    generation: session.credentialCache(resource.credential).generation(),
    administrationId,
    key: compositeKey(resource.path, part.text, cursor),
    fields,
    perPage,
    keep,
    isStored: session.options.storesLists !== false || !keep,
    read: (response, sentAt) => pageIn(response, resource, request, administrationId, sentAt),
  });
}

interface CachedRead extends Omit<PageRequest, 'part' | 'cursor'> {
  readonly call: Call;
  /** Taken before the call is sent, so that its response cannot be cached in the generation after a write. */
  readonly generation: Generation;
  readonly administrationId?: string | undefined;
  /** The list, and where the page starts in it, regardless of its fields and its size. */
  readonly key: string;
  readonly isStored: boolean;
  readonly read: (response: RestResponse, sentAt: number) => Page;
}

/** Gets a page from the cache, from a call in flight, or from the service: it may contain more than requested. */
export function readThrough(session: RestSession, request: CachedRead): Page | Promise<Page> {
  const { call, generation, administrationId, key, perPage, fields, keep } = request;
  const shelf = () => generation.shelf(call.path, administrationId);
  const cached = keep && !session.options.bypassCache ? shelf()?.page(key, request) : undefined;
  if (cached) {
    // An introspection is no list.
    session.record(call, 'cache', call.method === 'GET' ? cached.rows.length : null);
    return cached;
  }
  const { isCoalesced, response } = generation.pages.join(
    { key: compositeKey(key, perPage), fields, since: session.joinsSince },
    session.cancellation,
    (cancellation) => {
      const sentAt = performance.now();
      const read = (response: RestResponse) => request.read(response, sentAt);
      return makeCall(session, call, read, { cancellation }).then((page) => {
        if (request.isStored) shelf()?.addPage(page, request, keep ? key : undefined);
        return page;
      });
    },
  );
  return isCoalesced ? session.awaitCoalesced(call, response) : response;
}

function pageIn(
  { body, date, bytes }: RestResponse,
  { path, members }: Resource,
  { fields, keep }: PageRequest,
  administrationId: string | undefined,
  sentAt: number,
): Page {
  const refuse = (what: string) => invalid({ method: 'GET', path }, what);
  const { data, pagination } = isObject(body) ? body : {};
  if (!Array.isArray(data)) throw refuse('a page without a list of records');
  // One instance per kind of error, since there may be as many invalid rows as a body has values.
  const errors = new Map<string, RestError>();
  const errorOf = (what: string) => {
    // The service did not filter, so the page is of no use in a list; a lookup matches its rows by their keys.
    if (what === FOREIGN && keep) throw refuse(what);
    return getOrCreate(errors, what, refuse);
  };
  const make = rowMaker(members, fields);
  const rows = data.map((record): ReadRow => {
    const row = isObject(record) ? make(record) : undefined;
    if (!isValidRow(row)) return errorOf('a record without an identifier');
    return administrationId === undefined ? row : inAdministration(row, administrationId, errorOf);
  });
  // On the last page it is null, or there is no pagination.
  const next = isAbsent(pagination) ? null : isObject(pagination) ? pagination.cursor : undefined;
  if (next !== null && (typeof next !== 'string' || next === ''))
    throw refuse('a page with an unreadable cursor');
  if (next !== null && rows.length === 0) throw refuse('an empty page that says more follow');
  const page = { rows, bytes, sentAt, date, cursor: next ?? undefined };
  return errors.size > 0 ? { ...page, isBroken: true } : page;
}
