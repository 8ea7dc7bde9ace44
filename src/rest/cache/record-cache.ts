import { RestError } from '../errors.ts';
import { covers, type Fields, isLeaf } from '../fields.ts';
import { isObject, valueBytes } from '../json.ts';
import { isRow } from '../page-body.ts';
import { type FilterValues, type Page, type Resource, type Row, recordKey } from '../resource.ts';
import type { TextCodec } from '../wire-text.ts';
import { type CacheEntry, MAX_COMPARED_BYTES } from './cache-table.ts';
import type { CachedRecord, Generation } from './rest-cache.ts';

/** How a record is looked up: the filter that takes its key, and the field that contains it. */
export interface Key {
  readonly filter: string;
  readonly field: string;
}

export const BY_ID = { filter: 'ids', field: 'id' } as const;

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

interface RecordKey {
  readonly administrationId: string;
  readonly key: Key;
  readonly value: string;
}

/** The cached record. Records are stored by id; other keys are mapped to the id. */
export function cachedRecord(
  generation: Generation,
  resource: Resource,
  { administrationId, key, value }: RecordKey,
  text: TextCodec,
): CacheEntry<CachedRecord> | undefined {
  const name = recordKey(resource, key.filter, administrationId, value);
  if (key.filter === BY_ID.filter) return generation.record(name).entry;
  const found = generation.id(name).entry;
  if (found === undefined) return undefined;
  const { id } = found.value;
  if (id === null) return { ...found, value: { record: null, fields: {} } };
  const { entry } = generation.record(recordKey(resource, BY_ID.filter, administrationId, id));
  // A later read may have returned the record with another key.
  if (!entry?.value.record || Reflect.get(entry.value.record, key.field) !== text.encode(value))
    return undefined;
  return { ...entry, expiresAt: Math.min(entry.expiresAt, found.expiresAt) };
}

/** Caches the records of a page by id, however the page was filtered, so that they need not be looked up again. */
export function cacheRecords(
  generation: Generation,
  resource: Resource,
  { administrationId }: FilterValues,
  fields: Fields,
  page: Page,
  text: TextCodec,
): void {
  if (typeof administrationId !== 'string' || resource.filters.ids === undefined) return;
  for (const record of page.rows) {
    if (record instanceof RestError) continue;
    const id = text.decode(record.id);
    const slot = generation.record(recordKey(resource, BY_ID.filter, administrationId, id));
    const before = slot.entry;
    const merged =
      before && page.bytes <= MAX_COMPARED_BYTES && mergeCached(before.value, { record, fields });
    // A merged record expires with its older part; otherwise that part would never expire.
    if (merged) slot.set(merged, valueBytes(merged.record), before.expiresAt);
    else slot.set({ record, fields }, valueBytes(record));
  }
}

/** Caches the result of a lookup by key: an id, or that there is no record. */
export function cacheKey(
  generation: Generation,
  resource: Resource,
  { administrationId, key, value }: RecordKey,
  record: Row | null,
  text: TextCodec,
): void {
  const name = recordKey(resource, key.filter, administrationId, value);
  if (key.filter !== BY_ID.filter) {
    const id = record && text.decode(record.id);
    generation.id(name).set({ id }, id?.length ?? 0);
  } else if (record === null) {
    generation.record(name).set({ record, fields: {} }, 0);
  }
}

/** Undefined if nothing of the earlier entry is worth keeping. */
function mergeCached(before: CachedRecord, read: Read<Row>): Read<Row> | undefined {
  if (!before.record || covers(read.fields, before.fields)) return undefined;
  const { record, fields } = mergeRecord({ record: before.record, fields: before.fields }, read);
  return isRow(record) ? { record, fields } : undefined;
}

type Members = { readonly [name: string]: unknown };

/** A value, and the field mask it was read with. */
interface Read<Value> {
  readonly record: Value;
  readonly fields: Fields;
}

/** Merges two reads of a record, the later second. A mask with a member that the value lacks would make hits errors. */
export function mergeRecord(known: Read<object>, read: Read<object>): Read<Members> {
  return mergeMembers({ ...known, record: { ...known.record } }, { ...read, record: { ...read.record } });
}

function mergeMembers(known: Read<Members>, read: Read<Members>): Read<Members> {
  const record: Record<string, unknown> = { ...known.record, ...read.record };
  const fields: Record<string, Fields> = { ...known.fields, ...read.fields };
  for (const [name, mask] of Object.entries(read.fields)) {
    const merged = mergeValue(
      { record: known.record[name], fields: known.fields[name] },
      { record: read.record[name], fields: mask },
    );
    // Undefined if it was requested and is absent: the earlier value is outdated.
    record[name] = merged.record;
    fields[name] = merged.fields;
  }
  return { record, fields };
}

/** Only objects are merged: items of lists may have moved, and members of an object read whole are not known. */
function mergeValue(
  known: { readonly record: unknown; readonly fields: Fields | undefined },
  read: Read<unknown>,
): Read<unknown> {
  if (known.fields === undefined || isLeaf(known.fields) || isLeaf(read.fields)) return read;
  if (!isObject(known.record) || !isObject(read.record)) return read;
  return mergeMembers(
    { record: known.record, fields: known.fields },
    { record: read.record, fields: read.fields },
  );
}
