import { weakMemoize } from '../memoize.ts';
import { BY_ID, cachedRecord, cacheKey, type Key, mergeRecord } from './cache/record-cache.ts';
import { asError, invalid, RestError } from './errors.ts';
import { covers, type Fields, fieldsOf, mergeAll, missingFields, unionOf } from './fields.ts';
import { MAX_PER_PAGE, type Part, roomBeside, splitFilters } from './query.ts';
import { type Resource, type Row, withRequiredFields } from './resource.ts';
import type { RestSession } from './session.ts';
import { Walk } from './walk.ts';

export { BY_ID, type Key, onlyId } from './cache/record-cache.ts';

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
  const unite = (united: ReadonlySet<Fields>) =>
    withKey(withRequiredFields(resource, request.unite(united)), key);
  const lookup = { ...request, unite };
  const found: Found = new Map();
  const missing = new Map(request.selections);
  try {
    const partial = readCache(session, resource, lookup, found);
    for (const value of found.keys()) missing.delete(value);
    if (missing.size === 0) return found;
    const values = [...missing.keys()];
    const fields = unite(new Set(missing.values()));
    const areAllPartial = values.every((value) => partial.has(value));
    const requested = areAllPartial ? missingOf(resource, fields, partial) : fields;
    for (const [value, row] of await fetchRecords(session, resource, lookup, values, requested)) {
      const known = areAllPartial ? partial.get(value) : undefined;
      const isTopUp = known && row && !(row instanceof Error);
      found.set(value, isTopUp ? mergeRecord(known, { record: row, fields: requested }).record : row);
    }
  } catch (error) {
    for (const value of missing.keys()) found.set(value, asError(error));
  }
  return found;
}

/** Memoized trees of the key fields, so that unions with them are memoized too. */
const keyFields: Record<string, Fields> = {};

function withKey(fields: Fields, { field }: Key): Fields {
  if (field in fields) return fields;
  keyFields[field] ??= fieldsOf([field]);
  return unionOf(fields, keyFields[field]);
}

/** Cached records that do not cover the wanted fields. */
type PartialRecords = Map<string, { readonly record: Row; readonly fields: Fields }>;

/** Collects the records that are cached with all wanted fields, and returns those that are cached in part. */
function readCache(
  session: RestSession,
  resource: Resource,
  { administrationId, key, selections, unite }: RecordsLookup,
  found: Found,
): PartialRecords {
  const partial: PartialRecords = new Map();
  if (!session.cache.isEnabled || session.bypassCache) return partial;
  const generation = session.generation(resource.credential);
  // Most records of a lookup have the same selection.
  const wantedOf = weakMemoize((selection: Fields) => unite(new Set([selection])));
  for (const [value, selection] of selections) {
    const entry = cachedRecord(generation, resource, { administrationId, key, value });
    if (entry === undefined) continue;
    const { record, fields } = entry.value;
    if (record === null || covers(fields, wantedOf(selection))) {
      found.set(value, record);
      session.hold(entry.bytes);
      // By another key than the id, all fields are requested: it may lead to another record by then.
    } else if (key.filter === BY_ID.filter) {
      partial.set(value, { record, fields });
    }
  }
  if (found.size > 0) {
    const { path, filters } = resource;
    const name = filters[key.filter]?.name ?? key.filter;
    const parameters = { administration_id: administrationId, [name]: [...found.keys()] };
    session.recordCacheHit({ method: 'GET', path, parameters }, found.size);
  }
  return partial;
}

/** The fields missing from some of these records, plus those needed to identify them. */
function missingOf(resource: Resource, fields: Fields, partial: PartialRecords): Fields {
  const reads = fieldsOf([...resource.requiredFields, BY_ID.field]);
  return mergeAll([reads, ...Array.from(partial.values(), (known) => missingFields(known.fields, fields))]);
}

/** Fetches records in as few calls as values and URLs allow, in parallel; a failed call does not fail the others. */
async function fetchRecords(
  session: RestSession,
  resource: Resource,
  { administrationId, key }: Pick<RecordsLookup, 'administrationId' | 'key'>,
  values: readonly string[],
  fields: Fields,
): Promise<Found> {
  const { parameterNames, client, cache } = session;
  const room = roomBeside(resource, client.baseLength, fields);
  /** The filters for these keys; a single part if they are some of the keys of another. */
  const split = (keys: readonly string[]) => {
    const filters: Record<string, string | readonly string[]> = { administrationId };
    // Not as a computed key of the literal, which V8 does not optimize.
    filters[key.filter] = keys;
    return splitFilters(resource, parameterNames, filters, room);
  };
  const walkThrough = (part: Part) => new Walk(session, resource, { part, fields, keep: false });

  /** Rows are matched by key, never by position: records may be missing, reordered or duplicated. */
  async function fetchPart(first: Part): Promise<Found> {
    const found: Found = new Map();
    for (const value of first.filters[key.filter] ?? []) found.set(value, null);
    let missing = [...found.keys()];
    client.events.lookedUp(missing.length);
    let broken: RestError | undefined;
    let unexpected: RestError | undefined;
    let walk = walkThrough(first);
    try {
      while (missing.length > 0 && !unexpected && !walk.isOver) {
        const page = await walk.next(perPageOf(key, missing.length));
        const remember = (value: string, record: Row | null) => {
          if (cache.isEnabled) cacheKey(page, resource, { administrationId, key, value }, record);
        };
        for (const row of page.rows) {
          if (row instanceof RestError) {
            broken ??= row;
            continue;
          }
          const keyed = row[key.field];
          // No key is empty.
          const value = typeof keyed === 'string' ? keyed : '';
          const known = found.get(value);
          // The service ignores the filter, and reading on would not help.
          if (known === undefined) unexpected ??= unexpectedIn(resource);
          // The first record of a key, in the order of the service, is the one that is found by it.
          if (known !== null) continue;
          found.set(value, row);
          remember(value, row);
        }
        const left = missing.filter((value) => found.get(value) === null);
        const isFewer = left.length < missing.length;
        missing = left;
        if (unexpected || walk.isOver) {
          // Only now is a record known to be absent, unless an invalid or unexpected row is the missing one.
          const problem = broken ?? unexpected;
          for (const value of left) {
            if (problem) found.set(value, problem);
            else remember(value, null);
          }
        } else if (isFewer && left.length > 0) {
          // Several records may have one key, so the rest is asked for alone: no row of what was found stands in between.
          const [part = first] = split(left);
          walk = walkThrough(part);
        }
      }
    } catch (error) {
      for (const value of missing) found.set(value, asError(error));
    }
    return found;
  }

  const parts = await Promise.all(split(values).map(fetchPart));
  const [only] = parts;
  return only && parts.length === 1 ? only : new Map(parts.flatMap((part) => [...part]));
}

function unexpectedIn({ path }: Resource): RestError {
  return invalid({ method: 'GET', path }, 'a record that was not asked for');
}

/** Of a key that is no id there may be many records, which would take the place of those of other keys. */
function perPageOf({ filter }: Key, keys: number): number {
  return filter === BY_ID.filter || keys === 1 ? keys : MAX_PER_PAGE;
}
