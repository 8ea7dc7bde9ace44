import { cacheKey, type Key } from './cache/record-cache.ts';
import type { Generation } from './cache/rest-cache.ts';
import { invalid, RestError } from './errors.ts';
import type { Fields } from './fields.ts';
import { fromLatin1, isLatin1 } from './latin1.ts';
import { type Part, roomBeside, splitFilters } from './query.ts';
import type { ReadRow, Resource, Row } from './resource.ts';
import type { RestSession } from './session.ts';
import { Walk } from './walk.ts';

export interface Lookup {
  readonly administrationId: string;
  readonly key: Key;
  readonly values: readonly string[];
  readonly fields: Fields;
}

/** The result for each key: its record, null if there is none, or the error. */
export type Found<R extends Row> = Map<string, R | null | Error>;

/**
 * Fetches records in as few calls as the limits on values and URLs allow, in parallel; a failed call does not fail the
 * others.
 */
export function fetchRecords<R extends Row>(
  session: RestSession,
  resource: Resource<R>,
  { administrationId, key, values, fields }: Lookup,
): Promise<Found<R>> {
  if (values.length === 0) return Promise.resolve(new Map());
  const { parameterNames, client } = session;
  const filters: Record<string, string | readonly string[]> = { administrationId };
  // Not as a computed key of the literal, which V8 does not optimize.
  filters[key.filter] = values;
  const room = roomBeside(resource, client.baseLength, fields);
  const fetched = splitFilters(resource, parameterNames, filters, room).map((part) =>
    fetchPart(session, resource, key, part, fields),
  );
  const [only] = fetched;
  if (only && fetched.length === 1) return only;
  return Promise.all(fetched).then((parts) => new Map(parts.flatMap((part) => [...part])));
}

async function fetchPart<R extends Row>(
  session: RestSession,
  resource: Resource<R>,
  key: Key,
  part: Part,
  fields: Fields,
): Promise<Found<R>> {
  const wanted = part.filters[key.filter] ?? [];
  session.client.events.lookedUp(wanted.length);
  const matcher = new KeyMatcher<R>(resource, key, wanted);
  const { found } = matcher;
  const walk = new Walk(session, resource, { part, fields, keep: false });
  try {
    // Duplicates can push a record to a later page, so pages are read while records are missing.
    while (!matcher.isDone && !walk.isOver) {
      const { rows, generation } = await walk.next(found.size);
      for (const row of rows) matcher.add(row);
      if (!matcher.isDone && !walk.isOver) continue;
      matcher.end();
      if (session.cache.isEnabled) cacheKeys(resource, key, part, found, generation);
    }
  } catch (error) {
    failMissing(found, error instanceof Error ? error : new Error(String(error)));
  }
  return found;
}

/** Matches rows by key, never by position: records may be missing, reordered or duplicated. */
class KeyMatcher<R extends Row> {
  readonly found: Found<R> = new Map();
  readonly #resource: Resource<R>;
  readonly #key: Key;
  #missing: number;
  #invalid: RestError | undefined;
  #unexpected: RestError | undefined;

  constructor(resource: Resource<R>, key: Key, values: Iterable<string>) {
    this.#resource = resource;
    this.#key = key;
    for (const value of values) this.found.set(value, null);
    this.#missing = this.found.size;
  }

  /** A record that was not requested means that the service ignores the filter: reading on would not help. */
  get isDone(): boolean {
    return this.#missing === 0 || this.#unexpected !== undefined;
  }

  add(row: ReadRow<R>): void {
    if (row instanceof RestError) {
      this.#invalid ??= row;
      return;
    }
    const keyed: unknown = Reflect.get(row, this.#key.field);
    // No key is empty.
    const value = isLatin1(keyed) ? fromLatin1(keyed) : '';
    const current = this.found.get(value);
    if (current === null) {
      this.found.set(value, row);
      this.#missing -= 1;
    } else if (current === undefined) {
      const { path } = this.#resource;
      this.#unexpected ??= invalid({ method: 'GET', path }, 'a record that was not asked for');
    }
  }

  /** An invalid or unexpected row may be the missing record, so missing keys get an error rather than null. */
  end(): void {
    const error = this.#invalid ?? this.#unexpected;
    if (error) failMissing(this.found, error);
  }
}

function failMissing<R extends Row>(found: Found<R>, failure: Error): void {
  for (const [value, record] of found) if (record === null) found.set(value, failure);
}

/** Called after the last page: only then is a record that was on none of them known to be absent. */
function cacheKeys<R extends Row>(
  resource: Resource,
  key: Key,
  { filters: { administrationId } }: Part,
  found: Found<R>,
  generation: Generation,
): void {
  if (typeof administrationId !== 'string') return;
  for (const [value, record] of found) {
    if (record instanceof Error) continue;
    cacheKey(generation, resource, { administrationId, key, value }, record);
  }
}
