import type { Fields } from './fields.ts';
import { fieldsOf, mergeFields } from './fields.ts';
import { readPages } from './page.ts';
import { roomForValues, splitFilters } from './query.ts';
import type { FilterValues, Resource, Row } from './resource.ts';
import type { RestSession } from './session.ts';

/** How a record is found: the filter that takes its key, and the field that holds it. */
export interface Key {
  readonly filter: string;
  readonly field: string;
}

/** What became of each key: its record, null where there is none, or why it could not be read. */
export type Found<R extends Row> = Map<string, R | null | Error>;

/** Records by key, in as few calls as counts and URLs allow, side by side; one that fails spares the others. */
export async function lookUp<R extends Row>(
  session: RestSession,
  resource: Resource<R>,
  key: Key,
  query: { readonly filters: FilterValues; readonly values: readonly string[]; readonly fields: Fields },
): Promise<Found<R>> {
  const fields = mergeFields(query.fields, fieldsOf([key.field]));
  const filters = { ...query.filters, [key.filter]: query.values };
  const whole = { filters, fields, perPage: query.values.length };
  const found: Found<R> = new Map();
  const room = roomForValues(resource, session.parameterNames, whole, session.client.baseLength);
  await Promise.all(
    splitFilters(filters, room).map(async (part) => {
      const values = part[key.filter];
      if (!Array.isArray(values)) return;
      try {
        await lookUpPart(session, resource, key, { filters: part, values, fields }, found);
      } catch (error) {
        for (const value of values)
          found.set(value, error instanceof Error ? error : new Error(String(error)));
      }
    }),
  );
  return found;
}

/** Answers are matched by key, never by position: records may be missing, reordered or double. */
async function lookUpPart<R extends Row>(
  session: RestSession,
  resource: Resource<R>,
  key: Key,
  query: { readonly filters: FilterValues; readonly values: readonly string[]; readonly fields: Fields },
  found: Found<R>,
): Promise<void> {
  const missing = new Set(query.values);
  const wanted = () => query.values.length;
  for await (const page of readPages(session, resource, query, wanted)) {
    for (const row of page.rows) {
      const value: unknown = Reflect.get(row, key.field);
      if (typeof value === 'string' && missing.delete(value)) found.set(value, row);
    }
    // Doubles can push a record onto a next page, so pages are read while something is missing.
    if (missing.size === 0) return;
  }
  for (const value of missing) found.set(value, null);
}
