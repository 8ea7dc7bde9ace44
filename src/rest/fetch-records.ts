import { cacheKey, type Key } from './cache/record-cache.ts';
import type { Generation } from './cache/rest-cache.ts';
import { RestError } from './errors.ts';
import type { Fields } from './fields.ts';
import { fromLatin1 } from './latin1.ts';
import { type Part, roomBeside, splitFilters } from './query.ts';
import type { Resource, Row } from './resource.ts';
import type { RestSession } from './session.ts';
import { Walk } from './walk.ts';

export interface Lookup {
  readonly administrationId: string;
  readonly key: Key;
  readonly values: readonly string[];
  readonly fields: Fields;
}

/** What became of each key: its record, null where there is none, or why it could not be read. */
export type Found<R extends Row> = Map<string, R | null | Error>;

/** As few calls as counts and URLs allow, side by side; one that fails spares the others. */
export function fetchRecords<R extends Row>(
  session: RestSession,
  resource: Resource<R>,
  { administrationId, key, values, fields }: Lookup,
): Promise<Found<R>> {
  if (values.length === 0) return Promise.resolve(new Map());
  const { parameterNames, client } = session;
  const filters = { administrationId, [key.filter]: values };
  const room = roomBeside(resource, client.baseLength, fields);
  const fetched = splitFilters(resource, parameterNames, filters, room).map((part) =>
    fetchPart(session, resource, key, part, fields),
  );
  const [only] = fetched;
  if (only && fetched.length === 1) return only;
  return Promise.all(fetched).then((parts) => new Map(parts.flatMap((part) => [...part])));
}

/** Answers are matched by key, never by position: records may be missing, reordered or double. */
async function fetchPart<R extends Row>(
  session: RestSession,
  resource: Resource<R>,
  key: Key,
  part: Part,
  fields: Fields,
): Promise<Found<R>> {
  const found: Found<R> = new Map();
  for (const value of part.filters[key.filter] ?? []) found.set(value, null);
  let missing = found.size;
  let fault: Error | undefined;
  const walk = new Walk(session, resource, { part, fields, keep: false });
  try {
    // Doubles can push a record onto a next page, so pages are read while something is missing.
    while (missing > 0 && !walk.isOver) {
      const { rows, generation } = await walk.next(found.size);
      for (const row of rows) {
        if (row instanceof RestError) {
          fault ??= row;
          continue;
        }
        const bytes: unknown = Reflect.get(row, key.field);
        const value = typeof bytes === 'string' ? fromLatin1(bytes) : undefined;
        if (value === undefined || found.get(value) !== null) continue;
        found.set(value, row);
        missing -= 1;
      }
      if (missing > 0 && !walk.isOver) continue;
      // What was sent broken may be what is missing.
      if (fault) failMissing(found, fault);
      if (session.cache.isEnabled) cacheKeys(resource, key, part, found, generation);
    }
  } catch (error) {
    failMissing(found, error instanceof Error ? error : new Error(String(error)));
  }
  return found;
}

function failMissing<R extends Row>(found: Found<R>, failure: Error): void {
  for (const [value, record] of found) if (record === null) found.set(value, failure);
}

/** Once all pages are read: only then is a record that was on none of them known not to be there. */
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
