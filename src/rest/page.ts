import { textOf } from './bytes.ts';
import type { Caller } from './caller.ts';
import type { Entry } from './entries.ts';
import { covers, type Fields, mergeFields } from './fields.ts';
import type { Generation, SentPage } from './memory.ts';
import { readBody } from './page-body.ts';
import { PageCall } from './page-call.ts';
import type { Part, Query } from './query.ts';
import { cacheRecords } from './records.ts';
import type { Page, Resource, Row } from './resource.ts';
import { callRest, generationOf, noteRemembered, type RestSession, shareCall } from './session.ts';
import { isUrl } from './url.ts';

export interface PageRequest {
  readonly part: Part;
  readonly fields: Fields;
  readonly perPage: number;
  readonly cursor?: string | undefined;
  /** Whether the page is cached as such, beside its records. */
  readonly keep: boolean;
}

/** A page from the cache, from a call under way that brings it, or from the service. */
export function readPage(
  session: RestSession,
  resource: Resource,
  { part, fields: selected, perPage, cursor, keep }: PageRequest,
): SentPage | Promise<SentPage> {
  const fields = resource.takesFields ? selected : {};
  const query = { filters: part.filters, fields, perPage, cursor };
  const call = new PageCall(resource, session.parameterNames, part, query);
  // Taken before the call is sent, so that what it brings cannot get into the generation after a write.
  const generation = generationOf(session, resource.credential);
  const known = keep && !session.fresh ? generation.at(call.key).known : undefined;
  const page = known && cachedPage(known, query);
  if (known && page) {
    noteRemembered(session, call, page.rows.length, known.until);
    return { page, generation };
  }

  const wider = known?.page && widened(session, resource, part, query, known);
  const wanted = {
    key: `${call.key} ${perPage}`,
    fields,
    brings: wider?.fields ?? fields,
    since: session.fresh ? session.startedAt : undefined,
  };
  const { joined, answer } = generation.pages.join(wanted, session.caller, (caller) =>
    fetchPage(session, resource, { ...query, fields: wanted.brings }, wider?.call ?? call, {
      generation,
      keep,
      caller,
    }),
  );
  return joined ? shareCall(session, call, answer) : answer;
}

async function fetchPage(
  session: RestSession,
  resource: Resource,
  { filters, fields, perPage }: Query,
  call: PageCall,
  { generation, keep, caller }: { generation: Generation; keep: boolean; caller: Caller },
): Promise<SentPage> {
  const { body, bytes } = await callRest(session, call, caller);
  const page = readBody(body, bytes, resource, filters.administrationId);
  if (session.memories.isKept) {
    if (keep) generation.at(call.key).remember({ page, perPage, fields, bytes });
    cacheRecords(generation, resource, filters, fields, page);
  }
  return { page, generation };
}

/** A cached page, or as many of its first rows as are wanted; undefined where it holds too few fields or rows. */
function cachedPage(known: Entry, { fields, perPage }: Query): Page<Row> | undefined {
  const { page } = known;
  if (page === undefined || !covers(known.fields, fields)) return undefined;
  const { rows, cursor, bytes } = page;
  const last = rows[perPage - 1];
  if (rows.length > perPage && last !== undefined) {
    const share = Math.ceil((bytes * perPage) / rows.length);
    return { rows: rows.slice(0, perPage), cursor: textOf(last.id), bytes: share };
  }
  // A page that is shorter than it was asked to be is all there is of it, or all that the service gives at a time.
  return cursor === undefined || rows.length === perPage || known.perPage === perPage ? page : undefined;
}

/**
 * The call with the fields that are cached of the page as well: what it brings then answers for both selections, where
 * two that take turns would otherwise push each other out. Left alone where the URL would get too long.
 */
function widened(session: RestSession, resource: Resource, part: Part, query: Query, known: Entry) {
  const fields = mergeFields(known.fields, query.fields);
  const call = new PageCall(resource, session.parameterNames, part, { ...query, fields });
  const length = session.client.baseLength + call.path.length + 1 + call.query.length;
  return isUrl(length) ? { call, fields } : undefined;
}
