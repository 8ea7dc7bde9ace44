import { compositeKey } from '../composite-key.ts';
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
  /** Whether to cache the page itself, in addition to its records. */
  readonly keep: boolean;
}

/** Gets a page from the cache, from a call in flight, or from the service: it may contain more than requested. */
export function readPage(
  session: RestSession,
  resource: Resource,
  { part, fields: selected, perPage, cursor, keep }: PageRequest,
): SentPage | Promise<SentPage> {
  const fields = resource.takesFields ? selected : {};
  const query = { filters: part.filters, fields, perPage, cursor };
  const call = new PageCall(resource, session.parameterNames, part, query, keep);
  // Taken before the call is sent, so that its response cannot be cached in the generation after a write.
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
    { key: compositeKey(call.key, sent.query.perPage), fields, sentFields: sent.query.fields, since },
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

/** A cached page, or its first rows as requested; undefined if it has too few fields or rows. */
function pageFrom(cached: CachedPage, { fields, perPage }: Query): Page<Row> | undefined {
  if (!covers(cached.fields, fields)) return undefined;
  const { page } = cached;
  const { rows, cursor, bytes } = page;
  const last = rows[perPage - 1];
  if (rows.length > perPage && isRow(last)) {
    const share = Math.ceil((bytes * perPage) / rows.length);
    return { rows: rows.slice(0, perPage), cursor: fromLatin1(last.id), bytes: share };
  }
  // A page with fewer rows than requested is complete, or the most that the service returns at a time.
  return cursor === undefined || rows.length === perPage || cached.perPage === perPage ? page : undefined;
}

/**
 * The call extended by the fields and rows that are cached of the page, so that its response serves both selections:
 * otherwise two alternating selections would keep evicting each other. Undefined if the URL would be too long.
 */
function widened(session: RestSession, resource: Resource, part: Part, asked: Query, cached: CachedPage) {
  const query = {
    ...asked,
    fields: mergeFields(cached.fields, asked.fields),
    perPage: Math.max(cached.perPage, asked.perPage),
  };
  const call = new PageCall(resource, session.parameterNames, part, query, true);
  const length = session.client.baseLength + call.path.length + 1 + call.query.length;
  return isUrl(length) ? { query, call } : undefined;
}
