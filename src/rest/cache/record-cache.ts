import { RestError } from '../errors.ts';
import { covers, type Fields, isLeaf } from '../fields.ts';
import { isObject } from '../json.ts';
import { type FilterValues, type Resource, type Row, recordKey } from '../resource.ts';
import { MAX_COMPARED_BYTES } from './page-cache.ts';
import type { CachedRecord, CacheEntry, Generation, SentPage } from './rest-cache.ts';

/** How a record is looked up: the filter that takes its key, and the field that contains it. */
export interface Key {
  readonly filter: string;
  readonly field: string;
}

export const BY_ID = { filter: 'ids', field: 'internalId' } as const;

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
): CacheEntry<CachedRecord> | undefined {
  const name = recordKey(resource, key.filter, administrationId, value);
  if (key.filter === BY_ID.filter) return generation.records.get(name);
  const found = generation.ids.get(name);
  if (found === undefined) return undefined;
  const { id } = found.value;
  if (id === null) return { ...found, value: { record: null, fields: {} } };
  const entry = generation.records.get(recordKey(resource, BY_ID.filter, administrationId, id));
  // A later read may have returned the record with another key.
  if (entry?.value.record?.[key.field] !== value) return undefined;
  return entry;
}

/** Caches the records of a page by id, however the page was filtered, so that they need not be looked up again. */
export function cacheRecords(
  { page, generation, sentAt }: SentPage,
  resource: Resource,
  { administrationId }: FilterValues,
  fields: Fields,
): void {
  if (typeof administrationId !== 'string' || resource.filters.ids === undefined) return;
  const bytes = Math.ceil(page.bytes / page.rows.length);
  for (const record of page.rows) {
    if (record instanceof RestError) continue;
    const name = recordKey(resource, BY_ID.filter, administrationId, record.internalId);
    const before = page.bytes <= MAX_COMPARED_BYTES ? generation.records.get(name) : undefined;
    const { record: known = null, fields: knownFields = {} } = before?.value ?? {};
    if (!before || !known || covers(fields, knownFields)) {
      generation.records.set(name, { value: { record, fields }, bytes, sentAt });
      continue;
    }
    const value = mergeRecord({ record: known, fields: knownFields }, { record, fields });
    // It expires with its older part; otherwise that part would never expire.
    generation.records.set(name, { ...before, value, bytes: before.bytes + bytes, sentAt });
  }
}

/** Caches the result of a lookup by key: an id, or that there is no record. */
export function cacheKey(
  { generation, sentAt }: Pick<SentPage, 'generation' | 'sentAt'>,
  resource: Resource,
  { administrationId, key, value }: RecordKey,
  record: Row | null,
): void {
  const name = recordKey(resource, key.filter, administrationId, value);
  if (key.filter !== BY_ID.filter) {
    const id = record?.internalId ?? null;
    generation.ids.set(name, { value: { id }, bytes: id?.length ?? 0, sentAt });
  } else if (record === null) {
    generation.records.set(name, { value: { record, fields: {} }, bytes: 0, sentAt });
  }
}

type Members = { readonly [name: string]: unknown };

/** A value, and the field mask it was read with. */
interface Read<Value> {
  readonly record: Value;
  readonly fields: Fields;
}

/** Merges two reads of a record, the later second. A mask with a member that the value lacks would make hits errors. */
export function mergeRecord(known: Read<Row>, read: Read<Row>): Read<Row> {
  const { record, fields } = mergeMembers(known, read);
  return { record: { ...record, internalId: read.record.internalId }, fields };
}

function mergeMembers(known: Read<Members>, read: Read<Members>): Read<Members> {
  const record: Record<string, unknown> = { ...known.record, ...read.record };
  const fields: Record<string, Fields> = { ...known.fields, ...read.fields };
  for (const [name, mask] of Object.entries(read.fields)) {
    const before = known.record[name];
    const maskBefore = known.fields[name];
    // Undefined if it was requested and is absent: the earlier value is outdated.
    const value = read.record[name];
    record[name] = value;
    // Only objects are merged: items of lists may have moved, and members of an object read whole are not known.
    if (maskBefore === undefined || isLeaf(maskBefore) || isLeaf(mask)) continue;
    if (!isObject(before) || !isObject(value)) continue;
    const merged = mergeMembers({ record: before, fields: maskBefore }, { record: value, fields: mask });
    record[name] = merged.record;
    fields[name] = merged.fields;
  }
  return { record, fields };
}
