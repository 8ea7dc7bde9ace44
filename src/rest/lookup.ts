import { weakMemoize } from '../memoize.ts';
import { BY_ID, cachedRecord, type Key, mergeRecord } from './cache/record-cache.ts';
import { type Found, fetchRecords, type Lookup } from './fetch-records.ts';
import { covers, type Fields, fieldsOf, mergeAll, missingFields, unionOf } from './fields.ts';
import { isRow } from './page-body.ts';
import { type Resource, type Row, withRequiredFields } from './resource.ts';
import type { RestSession } from './session.ts';

export { BY_ID, type Key, onlyId } from './cache/record-cache.ts';

/** Records to look up by a key, each with its own selection: what one of them needs is not asked of the others. */
interface RecordsLookup extends Pick<Lookup, 'administrationId' | 'key'> {
  readonly selections: ReadonlyMap<string, Fields>;
  /** The fields to request for selections together. */
  readonly unite: (selections: ReadonlySet<Fields>) => Fields;
}

/** Looks up records by key. Cached records, and cached fields of records, are not requested again. */
export function lookUp<R extends Row>(
  session: RestSession,
  resource: Resource<R>,
  { administrationId, key, selections, unite }: RecordsLookup,
): Promise<Found<R>> {
  const fieldsOf = (united: ReadonlySet<Fields>) => withKey(withRequiredFields(resource, unite(united)), key);
  if (session.cache.isEnabled && !session.bypassCache)
    return lookUpCached(session, resource, { administrationId, key, selections, unite: fieldsOf });
  const fields = fieldsOf(new Set(selections.values()));
  return fetchRecords(session, resource, { administrationId, key, values: [...selections.keys()], fields });
}

/** Memoized trees of the key fields, so that unions with them are memoized too. */
const keyFields: Record<string, Fields> = {};

function withKey(fields: Fields, { field }: Key): Fields {
  if (field in fields) return fields;
  keyFields[field] ??= fieldsOf([field]);
  return unionOf(fields, keyFields[field]);
}

/** Cached records that do not cover the wanted fields. */
type PartialRecords<R extends Row> = Map<string, { readonly record: R; readonly fields: Fields }>;

async function lookUpCached<R extends Row>(
  session: RestSession,
  resource: Resource<R>,
  lookup: RecordsLookup,
): Promise<Found<R>> {
  const { administrationId, key, selections, unite } = lookup;
  const found: Found<R> = new Map();
  const partial: PartialRecords<R> = new Map();
  readCache(session, resource, lookup, found, partial);
  const missing = new Map(Array.from(selections).filter(([value]) => !found.has(value)));
  const values = [...missing.keys()];
  const fields = unite(new Set(missing.values()));
  const areAllPartial = values.every((value) => partial.has(value));
  const requestedFields = areAllPartial ? missingOf(resource, fields, partial) : fields;
  const request = { administrationId, key, values, fields: requestedFields };
  for (const [value, row] of await fetchRecords(session, resource, request)) {
    const known = areAllPartial ? partial.get(value) : undefined;
    const merged =
      known && isRow<R>(row) ? mergeRecord(known, { record: row, fields: requestedFields }).record : row;
    found.set(value, isRow<R>(merged) ? merged : row);
  }
  return found;
}

/** Collects the records that are cached with all wanted fields, and those that are cached in part. */
function readCache<R extends Row>(
  session: RestSession,
  resource: Resource<R>,
  lookup: RecordsLookup,
  found: Found<R>,
  partial: PartialRecords<R>,
): void {
  const { administrationId, key, selections, unite } = lookup;
  const generation = session.generation(resource.credential);
  let expiresAt = Number.POSITIVE_INFINITY;
  // Most records of a lookup have the same selection.
  const fieldsOf = weakMemoize((selection: Fields) => unite(new Set([selection])));
  for (const [value, selection] of selections) {
    const entry = cachedRecord(generation, resource, { administrationId, key, value }, session.text);
    if (entry === undefined) continue;
    const { record, fields: cachedFields } = entry.value;
    if (record === null || covers(cachedFields, fieldsOf(selection))) {
      found.set(value, isRow<R>(record) ? record : null);
      session.hold(entry.bytes);
      expiresAt = Math.min(expiresAt, entry.expiresAt);
      // By another key than the id, all fields are requested: it may lead to another record by then.
    } else if (key.filter === BY_ID.filter && isRow<R>(record)) {
      partial.set(value, { record, fields: cachedFields });
    }
  }
  if (found.size === 0) return;
  const { path, filters } = resource;
  const name = filters[key.filter]?.name ?? key.filter;
  const parameters = { administration_id: administrationId, [name]: [...found.keys()] };
  session.recordCacheHit({ method: 'GET', path, parameters }, found.size, expiresAt);
}

/** The fields missing from some of these records, plus those needed to identify them. */
function missingOf<R extends Row>(resource: Resource, fields: Fields, partial: PartialRecords<R>): Fields {
  const reads = fieldsOf([...resource.requiredFields, BY_ID.field]);
  return mergeAll([reads, ...Array.from(partial.values(), (known) => missingFields(known.fields, fields))]);
}
