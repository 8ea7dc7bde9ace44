import { compositeKey } from '../composite-key.ts';
import type { Cancellation } from './cancellation.ts';
import { fieldsParameter } from './fields.ts';
import { readBody } from './page-body.ts';
import { encodeFields, type PageRequest, parametersOf, queryText } from './query.ts';
import type { Page, Resource } from './resource.ts';
import type { Call, RestSession } from './session.ts';

/** The call that reads one page. Its query and parameters are built only when used. */
function pageCall({ parameterNames }: RestSession, resource: Resource, request: PageRequest): Call {
  const { endpoint, path, credential, members, takesFields } = resource;
  const { part, cursor, perPage, fields } = request;
  const text = queryText(part.text, cursor, perPage);
  return {
    method: 'GET',
    endpoint,
    path,
    credential,
    get query() {
      return takesFields ? `${text}&${encodeFields(members, fields)}` : text;
    },
    get parameters() {
      const parameters = parametersOf(resource, parameterNames, request);
      return takesFields ? { ...parameters, fields: fieldsParameter(members, fields) } : parameters;
    },
  };
}

/** Gets a page from the cache, from a call in flight, or from the service: it may contain more than requested. */
export function readPage(
  session: RestSession,
  resource: Resource,
  request: PageRequest,
): Page | Promise<Page> {
  const { part, cursor, perPage, fields, keep } = request;
  const { path, credential } = resource;
  const call = pageCall(session, resource, request);
  // The list, and where the page starts in it, regardless of its fields and its size.
  const key = compositeKey(path, part.text, cursor);
  const { administrationId: given } = part.filters;
  const administrationId = typeof given === 'string' ? given : undefined;
  // Taken before the call is sent, so that its response cannot be cached in the generation after a write.
  const generation = session.generation(credential);
  if (keep && session.readsCache) {
    const cached = generation.shelf(path, administrationId).page(key, request);
    if (cached) {
      session.record(call, 'cache', cached.rows.length);
      return cached;
    }
  }
  const isStored = session.cache.isEnabled && (session.options.storesLists !== false || !keep);
  const fetchPage = async (cancellation: Cancellation) => {
    const asked = { fields, administrationId, sentAt: performance.now() };
    const page = await session.receive(call, (response) => readBody(response, resource, asked), cancellation);
    if (isStored && !page.foreign)
      generation.shelf(path, administrationId).addPage(page, request, keep ? key : undefined);
    return page;
  };
  const { isCoalesced, response } = generation.pages.join(
    { key: compositeKey(key, perPage), fields, since: session.joinsSince },
    session.cancellation,
    (cancellation) => {
      session.requireCall();
      return fetchPage(cancellation);
    },
  );
  return isCoalesced ? session.awaitCoalesced(call, response) : response;
}
