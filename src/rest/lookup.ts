import { getOrCreate, weakMemoize } from '../memoize.ts';
import type { Generation } from './cache/rest-cache.ts';
import { BY_ID, type Key, mergeRecord, type ReadRecord } from './cache/shelf.ts';
import { asError, invalid, type RestError } from './errors.ts';
import { covers, type Fields, fieldsOf, mergeAll, missingFields, unionOf } from './fields.ts';
import { MAX_PER_PAGE, type Part, roomBeside, splitFilters } from './query.ts';
import { isRow, type Resource, type Row, withRequiredFields } from './resource.ts';
import type { RestSession } from './session.ts';
import { Walk } from './walk.ts';

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
  /** The fields to request for selections together. */
  readonly unite: (selections: ReadonlySet<Fields>) => Fields;
}

/** Looks up records by key. Cached records, and cached fields of records, are not requested again. Does not reject. */
export async function lookUp(
  session: RestSession,
  resource: Resource,
  request: RecordsLookup,
): Promise<Found> {
  const { key } = request;
  const unite = (united: ReadonlySet<Fields>) => {
    const fields = withRequiredFields(resource, request.unite(united));
    return key.field in fields ? fields : unionOf(fields, fieldsOfKey(key));
  };
  const lookup = { ...request, unite };
  const found: Found = new Map();
  const missing = new Map(request.selections);
  try {
    // Taken before any call is sent.
    const generation = session.generation(resource.credential);
    const partial = readCache(session, generation, resource, lookup, found);
    for (const value of found.keys()) missing.delete(value);
    if (missing.size === 0) return found;
    const fields = unite(new Set(missing.values()));
    const areAllPartial = partial.size === missing.size;
    const requested = areAllPartial ? missingOf(resource, fields, partial) : fields;
    const values = [...missing.keys()];
    for (const [value, row] of await fetchRecords(session, generation, resource, lookup, values, requested)) {
      const known = areAllPartial ? partial.get(value) : undefined;
      const isTopUp = known && row && !(row instanceof Error);
      found.set(value, isTopUp ? mergeRecord(known, { record: row, fields: requested }).record : row);
    }
  } catch (error) {
    for (const value of missing.keys()) found.set(value, asError(error));
  }
  return found;
}

/** Memoized, so that unions with it are memoized too. */
const fieldsOfKey = weakMemoize(({ field }: Key) => fieldsOf([field]));

/** Collects the records that are cached with all wanted fields, and returns those that are cached in part. */
function readCache(
  session: RestSession,
  generation: Generation,
  { path, filters }: Resource,
  { administrationId, key, selections, unite }: RecordsLookup,
  found: Found,
): Map<string, ReadRecord> {
  const partial = new Map<string, ReadRecord>();
  if (!session.readsCache) return partial;
  const shelf = generation.shelf(path, administrationId);
  // Most records of a lookup have the same selection.
  const wanted = new Map<Fields, Fields>();
  for (const [value, selection] of selections) {
    const kept = shelf.record(key, value);
    if (kept === undefined) continue;
    const { read, bytes } = kept;
    const fields = getOrCreate(wanted, selection, () => unite(new Set([selection])));
    if (read === null || covers(read.fields, fields)) {
      found.set(value, read?.record ?? null);
      session.hold(bytes);
      // By another key than the id, all fields are requested: it may lead to another record by then.
    } else if (key.filter === BY_ID.filter) partial.set(value, read);
  }
  if (found.size > 0) {
    const name = filters[key.filter]?.name ?? key.filter;
    const parameters = { administration_id: administrationId, [name]: [...found.keys()] };
    session.record({ method: 'GET', path, parameters }, 'cache', found.size);
  }
  return partial;
}

/** The fields missing from some of these records, plus those needed to identify them. */
function missingOf({ requiredFields }: Resource, fields: Fields, partial: Map<string, ReadRecord>): Fields {
  const missing = Array.from(partial.values(), (known) => missingFields(known.fields, fields));
  return mergeAll([fieldsOf([...requiredFields, BY_ID.field]), ...missing]);
}

/** Fetches records in as few calls as values and URLs allow, in parallel; a failed call does not fail the others. */
async function fetchRecords(
  session: RestSession,
  generation: Generation,
  resource: Resource,
  { administrationId, key }: RecordsLookup,
  values: readonly string[],
  fields: Fields,
): Promise<Found> {
  const { parameterNames, client, cache } = session;
  const isById = key.filter === BY_ID.filter;
  const room = roomBeside(resource, client.baseLength, fields);
  /** The filters for these keys; a single part if they are some of the keys of another. */
  const split = (keys: readonly string[]) => {
    const filters: Record<string, string | readonly string[]> = { administrationId };
    // Not as a computed key of the literal, which V8 does not optimize.
    filters[key.filter] = keys;
    return splitFilters(resource, parameterNames, filters, room);
  };
  const remember = (value: string, id: string | null, sentAt: number) => {
    // Records are cached by their ids with their page.
    if (!cache.isEnabled || (id !== null && isById)) return;
    generation.shelf(resource.path, administrationId).addKey(key, value, id, sentAt);
  };

  /** Rows are matched by key, never by position: records may be missing, reordered or duplicated. */
  async function fetchPart(part: Part | undefined, found: Found): Promise<Found> {
    if (part === undefined) return found;
    let missing = [part.filters[key.filter] ?? []].flat();
    for (const value of missing) found.set(value, null);
    const walk = new Walk(session, resource, { part, fields, keep: false });
    let broken: RestError | undefined;
    let isFiltered = true;
    try {
      while (missing.length > 0) {
        // Of a key that is no id there may be many records, which would take the place of those of other keys.
        const perPage = isById || missing.length === 1 ? missing.length : MAX_PER_PAGE;
        const { rows, sentAt } = await walk.next(perPage);
        for (const row of rows) {
          if (!isRow(row)) {
            broken ??= row;
            continue;
          }
          // No key is empty.
          const keyed = row[key.field];
          const value = typeof keyed === 'string' ? keyed : '';
          isFiltered &&= found.has(value);
          // The first record of a key, in the order of the service, is the one that is found by it.
          if (found.get(value) !== null) continue;
          found.set(value, row);
          remember(value, row.internalId, sentAt);
        }
        const left = missing.filter((value) => found.get(value) === null);
        // A service that ignores the filter is read no further.
        if (walk.isOver || !isFiltered) {
          const upstream = { method: 'GET', path: resource.path };
          const problem =
            broken ?? (isFiltered ? null : invalid(upstream, 'a record that was not asked for'));
          for (const value of left) found.set(value, problem);
          // Only now is a record known to be absent, unless an invalid or unexpected row is the missing one.
          if (problem === null) for (const value of left) remember(value, null, sentAt);
          return found;
        }
        // Several records may have one key, so the rest is asked for alone: no row of what was found stands in between.
        if (left.length > 0 && left.length < missing.length) return await fetchPart(split(left)[0], found);
        missing = left;
      }
    } catch (error) {
      for (const value of missing) if (found.get(value) === null) found.set(value, asError(error));
    }
    return found;
  }

  const parts = split(values).map((part) => {
    client.events?.lookedUp(part.filters[key.filter]?.length ?? 0);
    return fetchPart(part, new Map());
  });
  const [only, ...others] = await Promise.all(parts);
  return only && others.length === 0 ? only : new Map([only ?? [], ...others].flatMap((part) => [...part]));
}
