import { textOf } from './bytes.ts';
import { covers, type Fields, fieldsOf, mergeFields, missingFields, unionOf } from './fields.ts';
import type { Memory } from './memory.ts';
import { isRow, walkPages } from './page.ts';
import { type Part, roomBeside, splitFilters } from './query.ts';
import { type Resource, type Row, recordKey, withReads } from './resource.ts';
import { memoryOf, noteRemembered, type RestSession } from './session.ts';

/** How a record is found: the filter that takes its key, and the field that holds it. */
export interface Key {
  readonly filter: string;
  readonly field: string;
}

export const BY_ID = { filter: 'ids', field: 'id' } as const;

export interface Lookup {
  readonly administrationId: string;
  readonly key: Key;
  readonly values: readonly string[];
  readonly fields: Fields;
}

/** What became of each key: its record, null where there is none, or why it could not be read. */
type Found<R extends Row> = Map<string, R | null | Error>;

/** Records by key. What is remembered of them is not asked for again: neither whole records nor single fields. */
export function lookUp<R extends Row>(
  session: RestSession,
  resource: Resource<R>,
  lookup: Lookup,
): Promise<Found<R>> {
  const wanted = { ...lookup, fields: withKey(withReads(resource, lookup.fields), lookup.key) };
  if (!session.memories.isKept) return fetchRecords(session, resource, wanted);
  return lookUpRemembering(session, resource, wanted, memoryOf(session, resource.credential));
}

/** The few fields that hold keys, each as one and the same object every time. */
const keyFields: Record<string, Fields> = {};

function withKey(fields: Fields, { field }: Key): Fields {
  if (field in fields) return fields;
  keyFields[field] ??= fieldsOf([field]);
  return unionOf(fields, keyFields[field]);
}

async function lookUpRemembering<R extends Row>(
  session: RestSession,
  resource: Resource<R>,
  lookup: Lookup,
  memory: Memory,
): Promise<Found<R>> {
  const { administrationId, key, values, fields } = lookup;
  const places = new Map(
    values.map((value) => [value, memory.at(recordKey(resource, key.filter, administrationId, value))]),
  );
  const found: Found<R> = new Map();
  let until = Number.POSITIVE_INFINITY;
  const partly = new Map<string, { readonly record: R; readonly fields: Fields }>();
  for (const [value, { known }] of session.fresh ? [] : places) {
    const record = known?.record;
    if (known === undefined || record === undefined) continue;
    if (record !== null && !covers(known.fields, fields)) {
      if (isRow<R>(record)) partly.set(value, { record, fields: known.fields });
      continue;
    }
    found.set(value, isRow<R>(record) ? record : null);
    session.hold(known.bytes);
    until = Math.min(until, known.until);
  }
  if (found.size > 0) {
    const call = rememberedCall(resource, lookup, [...found.keys()]);
    noteRemembered(session, call, found.size, until);
  }

  const missing = values.filter((value) => !found.has(value));
  const asked = missing.every((value) => partly.has(value))
    ? missingOf(resource, key, fields, [...partly.values()])
    : fields;
  const fetched = await fetchRecords(session, resource, { ...lookup, values: missing, fields: asked });
  for (const [value, row] of fetched) {
    const known = partly.get(value);
    const record = known && isRow(row) ? { ...known.record, ...row } : row;
    found.set(value, record);
    if (record instanceof Error) continue;
    const held = known ? mergeFields(known.fields, asked) : asked;
    places.get(value)?.remember({ record, fields: held, bytes: sizeOf(record) });
  }
  return found;
}

/** What is not known of some of these records, with what is needed to tell them apart. */
function missingOf(
  resource: Resource,
  key: Key,
  fields: Fields,
  known: readonly { readonly fields: Fields }[],
): Fields {
  const reads = fieldsOf([...resource.reads, key.field]);
  return known.map((record) => missingFields(record.fields, fields)).reduce(mergeFields, reads);
}

/** Roughly, as it is for a bound: what it would take to send. */
function sizeOf(record: Row | null): number {
  return record === null ? 0 : JSON.stringify(record).length;
}

/** As few calls as counts and URLs allow, side by side; one that fails spares the others. */
function fetchRecords<R extends Row>(
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
  const values = part.filters[key.filter] ?? [];
  const found: Found<R> = new Map();
  for (const value of values) found.set(value, null);
  let missing = found.size;
  try {
    await walkPages(session, resource, {
      part,
      fields,
      wanted: () => found.size,
      visit({ rows }) {
        for (const row of rows) {
          const bytes: unknown = Reflect.get(row, key.field);
          if (typeof bytes !== 'string') continue;
          const value = textOf(bytes);
          if (found.get(value) !== null) continue;
          found.set(value, row);
          missing -= 1;
        }
        // Doubles can push a record onto a next page, so pages are read while something is missing.
        return missing > 0;
      },
      keep: false,
    });
    return found;
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error));
    for (const value of values) found.set(value, failure);
    return found;
  }
}

function rememberedCall(
  { path, filters }: Resource,
  { administrationId, key }: Lookup,
  values: readonly string[],
) {
  const name = filters[key.filter]?.name ?? key.filter;
  const parameters = { administration_id: administrationId, [name]: values };
  return { method: 'GET', path, parameters } as const;
}
