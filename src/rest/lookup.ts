import { weakMemoize } from '../memoize.ts';
import { BY_ID, cachedRecord, cacheKey, type Key, mergeRecord } from './cache/record-cache.ts';
import { asError, invalid, RestError } from './errors.ts';
import { covers, type Fields, fieldsOf, mergeAll, missingFields, unionOf } from './fields.ts';
import { isRow } from './page-body.ts';
import { MAX_PER_PAGE, type Part, roomBeside, splitFilters } from './query.ts';
import { type ReadRow, type Resource, type Row, withRequiredFields } from './resource.ts';
import type { RestSession } from './session.ts';
import { Walk } from './walk.ts';
import { isText, type TextCodec } from './wire-text.ts';

export { BY_ID, type Key, onlyId } from './cache/record-cache.ts';

/** The result for each key: its record, null if there is none, or the error. */
export type Found = Map<string, Row | null | Error>;

/** Records to look up by a key, each with its own selection: what one of them needs is not asked of the others. */
interface RecordsLookup {
  readonly administrationId: string;
  readonly key: Key;
  readonly selections: ReadonlyMap<string, Fields>;
  /** The fields to request for selections together. */
  readonly unite: (selections: ReadonlySet<Fields>) => Fields;
}

/** Looks up records by key. Cached records, and cached fields of records, are not requested again. Does not reject. */
export function lookUp(
  session: RestSession,
  resource: Resource,
  { administrationId, key, selections, unite }: RecordsLookup,
): Promise<Found> {
  const fieldsOf = (united: ReadonlySet<Fields>) => withKey(withRequiredFields(resource, unite(united)), key);
  const values = [...selections.keys()];
  try {
    if (session.cache.isEnabled && !session.bypassCache)
      return lookUpCached(session, resource, { administrationId, key, selections, unite: fieldsOf });
    const fields = fieldsOf(new Set(selections.values()));
    return fetchRecords(session, resource, { administrationId, key }, values, fields);
  } catch (error) {
    const failure = asError(error);
    return Promise.resolve(new Map(values.map((value) => [value, failure])));
  }
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

function lookUpCached(session: RestSession, resource: Resource, lookup: RecordsLookup): Promise<Found> {
  const { selections, unite } = lookup;
  const found: Found = new Map();
  const partial: PartialRecords = new Map();
  readCache(session, resource, lookup, found, partial);
  const missing = new Map(Array.from(selections).filter(([value]) => !found.has(value)));
  const values = [...missing.keys()];
  const fields = unite(new Set(missing.values()));
  const areAllPartial = values.every((value) => partial.has(value));
  const requestedFields = areAllPartial ? missingOf(resource, fields, partial) : fields;
  return fetchRecords(session, resource, lookup, values, requestedFields).then((fetched) => {
    for (const [value, row] of fetched) {
      const known = areAllPartial ? partial.get(value) : undefined;
      const merged =
        known && isRow(row) ? mergeRecord(known, { record: row, fields: requestedFields }).record : row;
      found.set(value, isRow(merged) ? merged : row);
    }
    return found;
  });
}

/** Collects the records that are cached with all wanted fields, and those that are cached in part. */
function readCache(
  session: RestSession,
  resource: Resource,
  lookup: RecordsLookup,
  found: Found,
  partial: PartialRecords,
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
      found.set(value, record);
      session.hold(entry.bytes);
      expiresAt = Math.min(expiresAt, entry.expiresAt);
      // By another key than the id, all fields are requested: it may lead to another record by then.
    } else if (key.filter === BY_ID.filter) {
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
function missingOf(resource: Resource, fields: Fields, partial: PartialRecords): Fields {
  const reads = fieldsOf([...resource.requiredFields, BY_ID.field]);
  return mergeAll([reads, ...Array.from(partial.values(), (known) => missingFields(known.fields, fields))]);
}

/** Fetches records in as few calls as values and URLs allow, in parallel; a failed call does not fail the others. */
function fetchRecords(
  session: RestSession,
  resource: Resource,
  { administrationId, key }: Pick<RecordsLookup, 'administrationId' | 'key'>,
  values: readonly string[],
  fields: Fields,
): Promise<Found> {
  if (values.length === 0) return Promise.resolve(new Map());
  const { parameterNames, client, cache, text } = session;
  const room = roomBeside(resource, client.baseLength, fields);
  /** The filters for these keys; a single part if they are some of the keys of another. */
  const split = (keys: readonly string[]) => {
    const filters: Record<string, string | readonly string[]> = { administrationId };
    // Not as a computed key of the literal, which V8 does not optimize.
    filters[key.filter] = keys;
    return splitFilters(resource, parameterNames, filters, room);
  };
  const walkThrough = (part: Part) => new Walk(session, resource, { part, fields, keep: false });

  async function fetchPart(first: Part): Promise<Found> {
    const wanted = first.filters[key.filter] ?? [];
    client.events.lookedUp(wanted.length);
    const matcher = new KeyMatcher(resource, key, wanted, text);
    let walk = walkThrough(first);
    try {
      while (!matcher.isDone && !walk.isOver) {
        const missing = matcher.missing;
        const { rows, generation } = await walk.next(perPageOf(key, missing));
        const remember = (value: string, record: Row | null) => {
          if (cache.isEnabled) cacheKey(generation, resource, { administrationId, key, value }, record, text);
        };
        for (const row of rows) matcher.add(row, remember);
        if (matcher.isDone || walk.isOver) matcher.end(remember);
        else if (matcher.missing < missing) {
          // Several records may have one key, so the rest is asked for alone: no row of what was found stands in between.
          const [part = first] = split(matcher.missingKeys);
          walk = walkThrough(part);
        }
      }
    } catch (error) {
      failMissing(matcher.found, asError(error));
    }
    return matcher.found;
  }

  const fetched = split(values).map(fetchPart);
  const [only] = fetched;
  if (only && fetched.length === 1) return only;
  return Promise.all(fetched).then((parts) => new Map(parts.flatMap((part) => [...part])));
}

/** Of a key that is no id there may be many records, which would take the place of those of other keys. */
function perPageOf({ filter }: Key, keys: number): number {
  return filter === BY_ID.filter || keys === 1 ? keys : MAX_PER_PAGE;
}

type Remember = (value: string, record: Row | null) => void;

/** Matches rows by key, never by position: records may be missing, reordered or duplicated. */
class KeyMatcher {
  readonly found: Found = new Map();
  readonly #resource: Resource;
  readonly #key: Key;
  readonly #text: TextCodec;
  missing: number;
  #invalid: RestError | undefined;
  #unexpected: RestError | undefined;

  constructor(resource: Resource, key: Key, values: Iterable<string>, text: TextCodec) {
    this.#resource = resource;
    this.#key = key;
    this.#text = text;
    for (const value of values) this.found.set(value, null);
    this.missing = this.found.size;
  }

  /** A record that was not requested means that the service ignores the filter: reading on would not help. */
  get isDone(): boolean {
    return this.missing === 0 || this.#unexpected !== undefined;
  }

  get missingKeys(): string[] {
    return [...this.found].flatMap(([value, record]) => (record === null ? value : []));
  }

  /** The first record of a key, in the order of the service, is the one that is found by it. */
  add(row: ReadRow, remember: Remember): void {
    if (row instanceof RestError) {
      this.#invalid ??= row;
      return;
    }
    const keyed: unknown = Reflect.get(row, this.#key.field);
    // No key is empty.
    const value = isText(keyed) ? this.#text.decode(keyed) : '';
    const current = this.found.get(value);
    if (current === null) {
      this.found.set(value, row);
      this.missing -= 1;
      remember(value, row);
    } else if (current === undefined) {
      const { path } = this.#resource;
      this.#unexpected ??= invalid({ method: 'GET', path }, 'a record that was not asked for');
    }
  }

  /**
   * Called after the last page: only then is a record that was on none of them known to be absent. An invalid or
   * unexpected row may be the missing record, so then missing keys get an error rather than null.
   */
  end(remember: Remember): void {
    const error = this.#invalid ?? this.#unexpected;
    if (error) failMissing(this.found, error);
    else if (this.missing > 0) for (const value of this.missingKeys) remember(value, null);
  }
}

function failMissing(found: Found, failure: Error): void {
  for (const [value, record] of found) if (record === null) found.set(value, failure);
}
