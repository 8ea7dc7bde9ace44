import { compositeKey } from '../composite-key.ts';
import { getOrCreate } from '../memoize.ts';
import type { Generation } from './cache/rest-cache.ts';
import type { PageQuery } from './cache/shelf.ts';
import type { RestResponse } from './client/attempt.ts';
import { invalid, type RestError } from './errors.ts';
import { isAbsent, isObject } from './json.ts';
import { type PageRequest, pageCall } from './query.ts';
import type { Page, ReadRow, Resource } from './resource.ts';
import { FOREIGN, inAdministration, isValidRow, rowMaker } from './rows.ts';
import type { Call, RestSession } from './session.ts';

export function readPage(
  session: RestSession,
  resource: Resource,
  request: PageRequest,
): Page | Promise<Page> {
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
    read: (response, sentAt) => readBody(response, resource, request, administrationId, sentAt),
  });
}

interface CachedRead extends PageQuery {
  readonly call: Call;
  /** Taken before the call is sent, so that its response cannot be cached in the generation after a write. */
  readonly generation: Generation;
  readonly administrationId?: string | undefined;
  /** The list, and where the page starts in it, regardless of its fields and its size. */
  readonly key: string;
  /** Whether to cache the page itself, in addition to its records. */
  readonly keep: boolean;
  readonly isStored: boolean;
  read(response: RestResponse, sentAt: number): Page;
}

/** Gets a page from the cache, from a call in flight, or from the service: it may contain more than requested. */
export function readThrough(session: RestSession, request: CachedRead): Page | Promise<Page> {
  const { call, generation, administrationId, key, perPage, fields, keep } = request;
  const shelf = () => generation.shelf(call.path, administrationId);
  const cached = keep && session.readsCache ? shelf().page(key, request) : undefined;
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
      const read = (received: RestResponse) => request.read(received, sentAt);
      return session.receive(call, read, cancellation).then((page) => {
        if (request.isStored && session.service.cache.isEnabled && !page.foreign)
          shelf().addPage(page, request, keep ? key : undefined);
        return page;
      });
    },
  );
  return isCoalesced ? session.awaitCoalesced(call, response) : response;
}

/** Reads a response body as a page of rows. */
function readBody(
  { body, date, bytes }: RestResponse,
  { path, members }: Resource,
  { fields }: PageRequest,
  administrationId: string | undefined,
  sentAt: number,
): Page {
  const refuse = (what: string) => invalid({ method: 'GET', path }, what);
  const { data, pagination } = isObject(body) ? body : {};
  if (!Array.isArray(data)) throw refuse('a page without a list of records');
  // One instance per kind of error, since there may be as many invalid rows as a body has values.
  const errors = new Map<string, RestError>();
  const errorOf = (what: string) => getOrCreate(errors, what, refuse);
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
  const cursor = next ?? undefined;
  const page = { rows, bytes, date, cursor, sentAt };
  return errors.size > 0 ? { ...page, isBroken: true, foreign: errors.get(FOREIGN) } : page;
}
