import { getOrCreate, weakMemoize } from '../memoize.ts';
import { BY_ID, type Key, mergeRecord, type ReadRecord, type Shelf } from './cache/shelf.ts';
import { asError, invalid, type RestError } from './errors.ts';
import { covers, type Fields, fieldsOf, mergeAll, missingFields, unionOfAll } from './fields.ts';
import { MAX_PER_PAGE, type Part, roomBeside, splitFilters } from './query.ts';
import { isRow, type Resource, type Row, withRequiredFields } from './resource.ts';
import type { RestSession } from './session.ts';
import { readPages } from './walk.ts';

export { BY_ID, type Key } from './cache/shelf.ts';

/** The single id that a list is filtered by, if by nothing else: it is a lookup, and can be batched with others. */
export function onlyId(
  { filters: { administrationId } }: Resource,
  { ids, administrationId: _, ...others }: { readonly [argument: string]: unknown },
): string | undefined {
  if (administrationId === undefined || !Array.isArray(ids) || Object.keys(others).length > 0)
    return undefined;
  const [id, ...more] = new Set<unknown>(ids);
  return typeof id === 'string' && more.length === 0 ? id : undefined;
}

/** The result for each key: its record, null if there is none, or the error. */
type Found = Map<string, Row | null | Error>;

/** Records to look up by a key, each with its own selection: what one of them needs is not asked of the others. */
interface RecordsLookup {
  readonly administrationId: string;
  readonly key: Key;
  readonly selections: ReadonlyMap<string, Fields>;
}

/** Looks up records by key. Cached records, and cached fields of records, are not requested again. Does not reject. */
export async function lookUp(
  session: RestSession,
  resource: Resource,
  request: RecordsLookup,
): Promise<Found> {
  const { administrationId, key, selections } = request;
  const { client, cache, parameterNames } = session.service;
  const { path, requiredFields } = resource;
  const isById = key.filter === BY_ID.filter;
  const found: Found = new Map();
  const missing = new Map(selections);
  const fieldsFor = (selected: Iterable<Fields>) =>
    withRequiredFields(resource, unionOfAll(new Set(isById ? selected : [...selected, fieldsOfKey(key)])));

  /** Collects the records that are cached with all wanted fields, and returns those that are cached in part. */
  function readCache(shelf: Shelf): Map<string, ReadRecord> {
    const partial = new Map<string, ReadRecord>();
    // Most records of a lookup have the same selection.
    const wanted = new Map<Fields, Fields>();
    for (const [value, selection] of selections) {
      const kept = shelf.record(key, value);
      if (kept === undefined) continue;
      const { read, bytes } = kept;
      const fields = getOrCreate(wanted, selection, () => fieldsFor([selection]));
      if (read === null || covers(read.fields, fields)) {
        found.set(value, read?.record ?? null);
        missing.delete(value);
        session.hold(bytes);
        // By another key than the id, all fields are requested: it may lead to another record by then.
      } else if (isById) partial.set(value, read);
    }
    if (found.size > 0) {
      const name = resource.filters[key.filter]?.name ?? key.filter;
      const parameters = { administration_id: administrationId, [name]: [...found.keys()] };
      session.record({ method: 'GET', path, parameters }, 'cache', found.size);
    }
    return partial;
  }

  /** The filters for these keys; a single part if they are some of the keys of another. */
  function split(keys: readonly string[], fields: Fields): Part[] {
    const filters: Record<string, string | readonly string[]> = { administrationId };
    // Not as a computed key of the literal, which V8 does not optimize.
    filters[key.filter] = keys;
    return splitFilters(resource, parameterNames, filters, roomBeside(resource, client.baseLength, fields));
  }

  /** Rows are matched by key, never by position: records may be missing, reordered or duplicated. */
  async function fetchPart(shelf: () => Shelf, part: Part, fields: Fields, rows: Found): Promise<Found> {
    let left = [part.filters[key.filter] ?? []].flat();
    for (const value of left) rows.set(value, null);
    const count = left.length;
    // Of a key that is no id there may be many records, which would take the place of those of other keys.
    const wanted = () => (isById || count === 1 ? count : MAX_PER_PAGE);
    let problem: RestError | null = null;
    let sentAt = 0;
    try {
      for await (const page of readPages(session, resource, { part, fields, keep: false }, wanted)) {
        ({ sentAt } = page);
        let isFiltered = true;
        for (const row of page.rows) {
          const keyed = isRow(row) ? row[key.field] : '';
          // No key is empty.
          const value = typeof keyed === 'string' ? keyed : '';
          if (!isRow(row)) problem ??= row;
          else if (!rows.has(value)) isFiltered = false;
          // The first record of a key, in the order of the service, is the one that is found by it.
          else if (rows.get(value) === null) {
            rows.set(value, row);
            // By their ids, records are cached with their page.
            if (cache.isEnabled && !isById) shelf().addKey(key, value, row.internalId, sentAt);
          }
        }
        left = left.filter((value) => rows.get(value) === null);
        if (!isFiltered) {
          // A service that ignores the filter is read no further.
          problem ??= invalid({ method: 'GET', path }, 'a record that was not asked for');
          break;
        }
        if (left.length === 0) return rows;
        // Several records may have one key, so the rest is asked for alone: no row of what was found stands in between.
        const [rest] = page.cursor !== undefined && left.length < count ? split(left, fields) : [];
        if (rest) return await fetchPart(shelf, rest, fields, rows);
      }
      // Only now is a record known to be absent, unless an invalid or unexpected row is the missing one.
      for (const value of left) {
        rows.set(value, problem);
        if (cache.isEnabled && !problem) shelf().addKey(key, value, null, sentAt);
      }
    } catch (error) {
      for (const value of left) if (rows.get(value) === null) rows.set(value, asError(error));
    }
    return rows;
  }

  try {
    // Taken before any call is sent.
    const generation = session.credentialCache(resource.credential).generation();
    const shelf = () => generation.shelf(path, administrationId);
    const partial = session.readsCache ? readCache(shelf()) : new Map<string, ReadRecord>();
    if (missing.size === 0) return found;
    let fields = fieldsFor(missing.values());
    const areAllPartial = partial.size === missing.size;
    if (areAllPartial) {
      // What is missing of some of them, and what identifies them.
      const lacking = Array.from(partial.values(), (known) => missingFields(known.fields, fields));
      fields = mergeAll([fieldsOf([...requiredFields, BY_ID.field]), ...lacking]);
    }
    // In as few calls as values and URLs allow; a failed call does not fail the others.
    const parts = split([...missing.keys()], fields).map((part) => {
      client.events?.lookedUp(part.filters[key.filter]?.length ?? 0);
      return fetchPart(shelf, part, fields, new Map());
    });
    for (const rows of await Promise.all(parts)) {
      for (const [value, row] of rows) {
        const known = areAllPartial ? partial.get(value) : undefined;
        const isTopUp = known && row && !(row instanceof Error);
        found.set(value, isTopUp ? mergeRecord(known, { record: row, fields }).record : row);
      }
    }
  } catch (error) {
    for (const value of missing.keys()) found.set(value, asError(error));
  }
  return found;
}

/** Memoized, so that unions with it are memoized too. */
const fieldsOfKey = weakMemoize(({ field }: Key) => fieldsOf([field]));
