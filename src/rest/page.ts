import { cacheRecords } from './cache/record-cache.ts';
import type { CachedPage, Generation, SentPage } from './cache/rest-cache.ts';
import type { Cancellation } from './client/cancellation.ts';
import { covers, type Fields, mergeFields } from './fields.ts';
import { fromLatin1 } from './latin1.ts';
import { isRow, readBody } from './page-body.ts';
import { PageCall } from './page-call.ts';
import type { Part, Query } from './query.ts';
import type { Page, Resource, Row } from './resource.ts';
import type { RestSession } from './session.ts';
import { isUrl } from './url.ts';

export interface PageRequest {
  readonly part: Part;
  readonly fields: Fields;
  readonly perPage: number;
  readonly cursor?: string | undefined;
  /** Whether the page is cached as such, beside its records. */
  readonly keep: boolean;
}

/** A page from the cache, from a call in flight that brings it, or from the service: it may hold more than asked for. */
export function readPage(
  session: RestSession,
  resource: Resource,
  { part, fields: selected, perPage, cursor, keep }: PageRequest,
): SentPage | Promise<SentPage> {
  const fields = resource.takesFields ? selected : {};
  const query = { filters: part.filters, fields, perPage, cursor };
  const call = new PageCall(resource, session.parameterNames, part, query);
  // Taken before the call is sent, so that what it brings cannot get into the generation after a write.
  const generation = session.generation(resource.credential);
  const cached = keep && !session.bypassCache ? generation.page(call.key).entry : undefined;
  const page = cached && pageFrom(cached.value, query);
  if (cached && page) {
    session.recordCacheHit(call, page.rows.length, cached.expiresAt);
    return { page, generation };
  }

  const wider = cached && widened(session, resource, part, query, cached.value);
  const sent = wider ?? { query, call };
  const since = session.bypassCache ? session.startedAt : undefined;
  const { isCoalesced, response } = generation.inFlight.pages.join(
    { key: `${call.key} ${sent.query.perPage}`, fields, sentFields: sent.query.fields, since },
    session.cancellation,
    (cancellation) => fetchPage(session, resource, sent.query, sent.call, { generation, keep, cancellation }),
  );
  return isCoalesced ? session.awaitCoalesced(call, response) : response;
}

async function fetchPage(
  session: RestSession,
  resource: Resource,
  { filters, fields, perPage }: Query,
  call: PageCall,
  { generation, keep, cancellation }: { generation: Generation; keep: boolean; cancellation: Cancellation },
): Promise<SentPage> {
  const { body, bytes } = await session.send(call, cancellation);
  const page = readBody(body, bytes, resource, filters.administrationId);
  if (session.cache.isEnabled && !page.foreign) {
    if (keep && !page.isBroken) generation.page(call.key).set({ page, perPage, fields }, bytes);
    cacheRecords(generation, resource, filters, fields, page);
  }
  return { page, generation };
}

/** A cached page, or as many of its first rows as are wanted; undefined where it holds too few fields or rows. */
function pageFrom(cached: CachedPage, { fields, perPage }: Query): Page<Row> | undefined {
  if (!covers(cached.fields, fields)) return undefined;
  const { page } = cached;
  const { rows, cursor, bytes } = page;
  const last = rows[perPage - 1];
  if (rows.length > perPage && isRow(last)) {
    const share = Math.ceil((bytes * perPage) / rows.length);
    return { rows: rows.slice(0, perPage), cursor: fromLatin1(last.id), bytes: share };
  }
  // A page that is shorter than it was asked to be is all there is of it, or all that the service gives at a time.
  return cursor === undefined || rows.length === perPage || cached.perPage === perPage ? page : undefined;
}

/**
 * The call with the fields that are cached of the page as well, and for as many rows: what it brings then answers for
 * both selections, where two that take turns would otherwise push each other out. Left alone where the URL would get
 * too long.
 */
function widened(session: RestSession, resource: Resource, part: Part, asked: Query, cached: CachedPage) {
  const query = {
    ...asked,
    fields: mergeFields(cached.fields, asked.fields),
    perPage: Math.max(cached.perPage, asked.perPage),
  };
  const call = new PageCall(resource, session.parameterNames, part, query);
  const length = session.client.baseLength + call.path.length + 1 + call.query.length;
  return isUrl(length) ? { query, call } : undefined;
}
