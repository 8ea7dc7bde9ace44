import { compositeKey } from '../composite-key.ts';
import { weakMemoize } from '../memoize.ts';
import type { ListCache } from './cache/list-cache.ts';
import type { Generation } from './cache/rest-cache.ts';
import { asError, invalidResponse } from './errors.ts';
import { covers, createFieldTree, type FieldTree, LEAF, unionOfAll } from './fields.ts';
import { createPageReader, readLookupPage } from './pages.ts';
import { type FilterSegment, MAX_PER_PAGE, splitFilters } from './query.ts';
import { isRow, type Resource, type Row, withRequiredFields } from './resource.ts';
import type { RestSession } from './session.ts';

export interface LookupKey {
  readonly filter: string;
  readonly field: string;
}

export const BY_ID = { filter: 'ids', field: 'internalId' } as const;

/** Returns the id if a list is filtered by one id and nothing else: such lookups can be batched. */
export function getSingleId(
  { filters: { administrationId } }: Resource,
  { ids, administrationId: _, ...others }: { readonly [argument: string]: unknown },
): string | undefined {
  if (administrationId === undefined || !Array.isArray(ids) || Object.keys(others).length > 0)
    return undefined;
  const [id, ...more] = new Set<unknown>(ids);
  return typeof id === 'string' && more.length === 0 ? id : undefined;
}

/** Requests only fields that are not cached. Does not reject: each value of the key gets a record, null or an error. */
export async function lookUp(
  session: RestSession,
  resource: Resource,
  administrationId: string,
  key: LookupKey,
  selectionByValue: ReadonlyMap<string, FieldTree>,
): Promise<Map<string, Row | null | Error>> {
  const { path } = resource;
  const isById = key.filter === BY_ID.filter;
  const results = new Map<string, Row | null | Error>();
  const getFields = (selected: Iterable<FieldTree>) =>
    withRequiredFields(resource, unionOfAll(new Set(isById ? selected : [...selected, getKeyFields(key)])));
  /** For a key other than an id, the cache has a page for each value, with the only record or empty. */
  const getPageKey = (value: string) => compositeKey(key.filter, value);

  /** Adds cached records to the result. Returns the missing selections. */
  function readCache(listCache: ListCache): ReadonlyMap<string, FieldTree> {
    const missing = new Map<string, FieldTree>();
    for (const [value, selection] of selectionByValue) {
      const fields = getFields([selection]);
      const cached = isById ? listCache.getRecord(value) : undefined;
      const isCovered = cached && (!cached.record || covers(cached.fields, fields));
      const page = isCovered
        ? { rows: [cached.record], bytes: cached.bytes }
        : listCache.getPage(getPageKey(value), { fields, perPage: 1 });
      const [row = null] = page?.rows ?? [];
      // Records are shared by id: since this page was cached, another read may have changed the value.
      if (page && (row === null || (isRow(row) && row[key.field] === value))) {
        results.set(value, row);
        session.retainBytes(page.bytes);
      } else missing.set(value, selection);
    }
    if (results.size === 0) return missing;
    const values = [...results.keys()];
    const name = resource.filters[key.filter]?.name ?? key.filter;
    const parameters = () => ({ administration_id: administrationId, [name]: values });
    session.addCall({ method: 'GET', path, parameters }, 'cache', results.size);
    return missing;
  }

  function split(keyValues: readonly string[], fields: FieldTree): FilterSegment[] {
    return splitFilters(session.service, resource, { administrationId, [key.filter]: keyValues }, fields);
  }

  /** Matches records by key, never by position: they may be missing, reordered or duplicated. */
  async function fetchSegment(
    generation: Generation,
    segment: FilterSegment,
    fields: FieldTree,
  ): Promise<void> {
    const filterValue = segment.filters[key.filter] ?? [];
    const keyValues = typeof filterValue === 'string' ? [filterValue] : filterValue;
    const remaining = new Set(keyValues);
    // A value of a key other than an id may match many records and crowd out other values, so read full pages.
    const perPage = isById || keyValues.length === 1 ? keyValues.length : MAX_PER_PAGE;
    let problem: Error | null = null;
    let sentAt = 0;
    const listCache = () => generation.getListCache(path, administrationId);
    const cachePage = (value: string, rows: readonly Row[], bytes: number) =>
      listCache()?.addPage({ rows, bytes, sentAt }, { fields, perPage: 1 }, getPageKey(value));
    try {
      const next = createPageReader(session, resource, readLookupPage, { segment, fields });
      for (let page = await next(perPage); page; page = await next(perPage)) {
        ({ sentAt } = page);
        let isFiltered = true;
        for (const row of page.rows) {
          const value = isRow(row) ? row[key.field] : undefined;
          if (!isRow(row)) problem ??= row;
          else if (typeof value === 'string' && remaining.delete(value)) {
            results.set(value, row);
            // `readLookupPage` has cached records by id.
            if (!isById) cachePage(value, [row], Math.ceil(page.bytes / page.rows.length));
          } else if (typeof value !== 'string' || !keyValues.includes(value)) isFiltered = false;
        }
        if (!isFiltered) {
          // The service ignores the filter, so reading on is useless.
          problem ??= invalidResponse({ method: 'GET', path }, 'a record that was not requested');
          break;
        }
        if (remaining.size === 0) return;
        // Several records may share a value. Request the remaining values separately, to skip duplicates.
        const [remainder] =
          page.cursor !== undefined && remaining.size < keyValues.length ? split([...remaining], fields) : [];
        if (remainder) return await fetchSegment(generation, remainder, fields);
      }
    } catch (error) {
      problem = asError(error);
    }
    // The remaining values have no record, unless there was a problem: their records may be what could not be read.
    for (const value of remaining) {
      results.set(value, problem);
      if (problem) continue;
      if (isById) listCache()?.addRecord(value, { record: null, fields: LEAF, bytes: 0, sentAt });
      else cachePage(value, [], 0);
    }
  }

  let missing = selectionByValue;
  try {
    // Taken before any call is sent, so that a late response is not cached after a write.
    const generation = session.getCredentialCache(resource.credential).getGeneration();
    const listCache = session.cache.reads ? generation.getListCache(path, administrationId) : undefined;
    if (listCache) missing = readCache(listCache);
    if (missing.size === 0) return results;
    const fields = getFields(missing.values());
    const fetches = split([...missing.keys()], fields).map((segment) => {
      session.service.client.events?.onLookup(segment.filters[key.filter]?.length ?? 0);
      return fetchSegment(generation, segment, fields);
    });
    for (const fetched of fetches) await fetched;
  } catch (error) {
    for (const value of missing.keys()) results.set(value, asError(error));
  }
  return results;
}

/** Memoized, so that unions with it are memoized too. */
const getKeyFields = weakMemoize(({ field }: LookupKey) => createFieldTree([field]));
