import { compositeKey } from '../composite-key.ts';
import { cachedPage, cachePage } from './cache/page-cache.ts';
import { cacheRecords } from './cache/record-cache.ts';
import type { Generation, SentPage } from './cache/rest-cache.ts';
import type { Cancellation } from './cancellation.ts';
import type { RestResponse } from './client/attempt.ts';
import { fieldsParameter } from './fields.ts';
import { readBody } from './page-body.ts';
import {
  encodeFields,
  encodeFilters,
  mapLists,
  type PageRequest,
  type Part,
  parametersOf,
  queryText,
} from './query.ts';
import type { FilterValues, ParameterNames, Resource } from './resource.ts';
import type { Call, RestSession } from './session.ts';

/**
 * The call that reads one page. Its query and parameters are built only when used. The key identifies the list and the
 * position where the page starts, regardless of the fields and the page size; if the page itself is cached, it is the
 * same in whichever order values are given.
 */
export function pageCall(
  resource: Resource,
  names: ParameterNames,
  request: PageRequest,
): Call & { readonly key: string } {
  const { part, cursor, perPage, keep, fields } = request;
  const { endpoint, path, credential, members, takesFields } = resource;
  const filters = keep && hasSeveralValues(part.filters) ? sortedText(resource, names, part) : part.text;
  const text = queryText(part.text, cursor, perPage);
  return {
    method: 'GET',
    endpoint,
    path,
    credential,
    key: compositeKey(path, filters, cursor),
    get query() {
      return takesFields ? `${text}&${encodeFields(members, fields)}` : text;
    },
    get parameters() {
      const parameters = parametersOf(resource, names, request);
      return takesFields ? { ...parameters, fields: fieldsParameter(members, fields) } : parameters;
    },
  };
}

/** The service returns records in its own order, whatever the order of the values. */
function sortedText(resource: Resource, names: ParameterNames, { filters }: Part): string {
  const sorted = mapLists(filters, (values) => [...values].sort());
  return encodeFilters(resource, names, sorted);
}

function hasSeveralValues(filters: FilterValues): boolean {
  return Object.values(filters).some((value) => Array.isArray(value) && value.length > 1);
}

/** Gets a page from the cache, from a call in flight, or from the service: it may contain more than requested. */
export function readPage(
  session: RestSession,
  resource: Resource,
  request: PageRequest,
): SentPage | Promise<SentPage> {
  const call = pageCall(resource, session.parameterNames, request);
  // Taken before the call is sent, so that its response cannot be cached in the generation after a write.
  const generation = session.generation(resource.credential);
  const cached = request.keep && !session.bypassCache ? cachedPage(generation, call.key, request) : undefined;
  if (cached) {
    session.recordCacheHit(call, cached.rows.length);
    return { page: cached, generation, sentAt: 0 };
  }

  const since = session.bypassCache ? session.startedAt : undefined;
  const { isCoalesced, response } = generation.inFlight.pages.join(
    { key: compositeKey(call.key, request.perPage), fields: request.fields, since },
    session.cancellation,
    (cancellation) => {
      session.requireCall();
      return fetchPage(session, resource, request, call, generation, cancellation);
    },
  );
  return isCoalesced ? session.awaitCoalesced(call, response) : response;
}

async function fetchPage(
  session: RestSession,
  resource: Resource,
  { part: { filters }, fields, perPage, keep }: PageRequest,
  call: ReturnType<typeof pageCall>,
  generation: Generation,
  cancellation: Cancellation,
): Promise<SentPage> {
  const read = (response: RestResponse) =>
    readBody(response, resource, { fields, administrationId: filters.administrationId });
  const sentAt = performance.now();
  const page = await session.receive(call, read, cancellation);
  const sent = { page, generation, sentAt };
  if (session.cache.isEnabled && (session.storesLists || !keep) && !page.foreign) {
    if (keep && !page.isBroken) cachePage(generation, call.key, { page, perPage, fields }, sentAt);
    cacheRecords(sent, resource, filters, fields);
  }
  return sent;
}
