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
import type { CredentialKind, FilterValues, ParameterNames, Resource } from './resource.ts';
import type { Call, RestSession } from './session.ts';

/** A read of one page. Its query and parameters are built only when used. */
export class PageCall implements Call {
  readonly method = 'GET';
  readonly endpoint: string;
  readonly path: string;
  readonly credential: CredentialKind;
  /** Identifies the list and the position where the page starts, regardless of the fields and the page size. */
  readonly key: string;
  readonly #resource: Resource;
  readonly #names: ParameterNames;
  readonly #request: PageRequest;
  readonly #text: string;

  /** If the page itself is cached, its key is the same in whichever order values are given. */
  constructor(resource: Resource, names: ParameterNames, request: PageRequest) {
    const { part, cursor, perPage, keep } = request;
    this.endpoint = resource.endpoint;
    this.path = resource.path;
    this.credential = resource.credential;
    const filters = keep && hasSeveralValues(part.filters) ? sortedText(resource, names, part) : part.text;
    this.key = compositeKey(resource.path, filters, cursor);
    this.#text = queryText(part.text, cursor, perPage);
    this.#resource = resource;
    this.#names = names;
    this.#request = request;
  }

  get query() {
    return this.#resource.takesFields ? `${this.#text}&${encodeFields(this.#request.fields)}` : this.#text;
  }

  get parameters() {
    const parameters = parametersOf(this.#resource, this.#names, this.#request);
    if (!this.#resource.takesFields) return parameters;
    return { ...parameters, fields: fieldsParameter(this.#request.fields) };
  }
}

/** The service returns records in its own order, whatever the order of the values. */
function sortedText(resource: Resource, names: ParameterNames, { filters }: Part): string {
  const sorted = mapLists(filters, (values) => [...values].sort());
  return encodeFilters(resource, names, sorted);
}

function hasSeveralValues(filters: FilterValues): boolean {
  for (const argument in filters) {
    const value = filters[argument];
    if (Array.isArray(value) && value.length > 1) return true;
  }
  return false;
}

/** Gets a page from the cache, from a call in flight, or from the service: it may contain more than requested. */
export function readPage(
  session: RestSession,
  resource: Resource,
  request: PageRequest,
): SentPage | Promise<SentPage> {
  const call = new PageCall(resource, session.parameterNames, request);
  // Taken before the call is sent, so that its response cannot be cached in the generation after a write.
  const generation = session.generation(resource.credential);
  const cached = request.keep && !session.bypassCache ? cachedPage(generation, call.key, request) : undefined;
  if (cached) {
    session.recordCacheHit(call, cached.page.rows.length, cached.expiresAt);
    return { page: cached.page, generation };
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
  call: PageCall,
  generation: Generation,
  cancellation: Cancellation,
): Promise<SentPage> {
  const read = (response: RestResponse) =>
    readBody(response, resource, { fields, administrationId: filters.administrationId }, session.text);
  const page = await session.receive(call, read, cancellation);
  if (session.cache.isEnabled && (session.storesLists || !keep) && !page.foreign) {
    if (keep && !page.isBroken) cachePage(generation, call.key, { page, perPage, fields });
    cacheRecords(generation, resource, filters, fields, page, session.text);
  }
  return { page, generation };
}
