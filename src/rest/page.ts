import { compositeKey } from '../composite-key.ts';
import { cachedPage, cachePage } from './cache/page-cache.ts';
import { cacheRecords } from './cache/record-cache.ts';
import type { Generation, SentPage } from './cache/rest-cache.ts';
import type { RestResponse } from './client/attempt.ts';
import type { Cancellation } from './client/cancellation.ts';
import type { Fields } from './fields.ts';
import { readBody } from './page-body.ts';
import { PageCall } from './page-call.ts';
import type { Part, Query } from './query.ts';
import type { Resource } from './resource.ts';
import type { RestSession } from './session.ts';

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
  const cached = keep && !session.bypassCache ? cachedPage(generation, call.key, query) : undefined;
  if (cached) {
    session.recordCacheHit(call, cached.page.rows.length, cached.expiresAt);
    return { page: cached.page, generation };
  }

  const since = session.bypassCache ? session.startedAt : undefined;
  const { isCoalesced, response } = generation.inFlight.pages.join(
    { key: compositeKey(call.key, perPage), fields, since },
    session.cancellation,
    (cancellation) => {
      session.requireCall();
      return fetchPage(session, resource, query, call, { generation, keep, cancellation });
    },
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
  const read = (response: RestResponse) =>
    readBody(response, resource, filters.administrationId, session.text);
  const page = await session.receive(call, read, cancellation);
  if (session.cache.isEnabled && (session.storesLists || !keep) && !page.foreign) {
    if (keep && !page.isBroken) cachePage(generation, call.key, { page, perPage, fields });
    cacheRecords(generation, resource, filters, fields, page, session.text);
  }
  return { page, generation };
}
