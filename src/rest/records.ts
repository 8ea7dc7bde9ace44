import { bytesOf, textOf } from './bytes.ts';
import type { Entry, Known } from './entries.ts';
import { covers, type Fields } from './fields.ts';
import type { Generation } from './memory.ts';
import { mergeRecord } from './merge.ts';
import { isRow } from './page-body.ts';
import { type FilterValues, type Page, type Resource, type Row, recordKey } from './resource.ts';

/** How a record is found: the filter that takes its key, and the field that holds it. */
export interface Key {
  readonly filter: string;
  readonly field: string;
}

export const BY_ID = { filter: 'ids', field: 'id' } as const;

/**
 * The one id by which a list of an administration is filtered, where nothing else filters it. Such a list is a lookup,
 * so that it is made together with other lookups.
 */
export function onlyId(
  { filters: { administrationId } }: Resource,
  { ids, administrationId: _, ...others }: { readonly [argument: string]: unknown },
): string | undefined {
  if (administrationId === undefined || !Array.isArray(ids) || Object.keys(others).length > 0)
    return undefined;
  const [id, ...more] = new Set<unknown>(ids);
  return typeof id === 'string' && more.length === 0 ? id : undefined;
}

/** What a key finds: which record of which administration. */
export interface RecordKey {
  readonly administrationId: string;
  readonly key: Key;
  readonly value: string;
}

/** What is cached of a record. It stands under its id alone: another key leads there. */
export function cachedRecord(
  generation: Generation,
  resource: Resource,
  { administrationId, key, value }: RecordKey,
): Entry | undefined {
  const entry = generation.at(recordKey(resource, key.filter, administrationId, value)).known;
  if (entry?.id === undefined) return entry;
  const record = generation.at(recordKey(resource, BY_ID.filter, administrationId, entry.id)).known;
  // A later read may have shown the record under another key.
  if (!record?.record || Reflect.get(record.record, key.field) !== bytesOf(value)) return undefined;
  return { ...record, until: Math.min(record.until, entry.until) };
}

/** What a page has shown of a record need not be looked up by its id again, however the page was found. */
export function cacheRecords(
  generation: Generation,
  resource: Resource,
  { administrationId }: FilterValues,
  fields: Fields,
  page: Page<Row>,
): void {
  if (typeof administrationId !== 'string' || resource.filters.ids === undefined) return;
  const bytes = Math.ceil(page.bytes / page.rows.length);
  for (const record of page.rows) {
    const place = generation.at(recordKey(resource, BY_ID.filter, administrationId, textOf(record.id)));
    const { until, ...known } = merged(place.known, { record, fields, bytes });
    place.remember(known, until);
  }
}

/** What a lookup has found under a key: an id, or that there is no record. */
export function cacheKey(
  generation: Generation,
  resource: Resource,
  { administrationId, key, value }: RecordKey,
  record: Row | null,
): void {
  if (record !== null && key.filter === BY_ID.filter) return;
  generation
    .at(recordKey(resource, key.filter, administrationId, value))
    .remember(
      record === null
        ? { record, fields: {}, bytes: 0 }
        : { id: textOf(record.id), fields: {}, bytes: record.id.length },
    );
}

/** A merged record may be shown for as long as the older part of it: otherwise that part would never get too old. */
function merged(
  before: Entry | undefined,
  read: Known & { readonly record: Row },
): Known & { until?: number } {
  if (!before?.record || covers(read.fields, before.fields)) return read;
  const { record, fields } = mergeRecord({ record: before.record, fields: before.fields }, read);
  if (!isRow(record)) return read;
  return { record, fields, bytes: JSON.stringify(record).length, until: before.until };
}
