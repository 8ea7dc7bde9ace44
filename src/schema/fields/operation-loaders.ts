import type DataLoader from 'dataloader';
import type { Fields } from '../../rest/fields.ts';
import type { ListRequest } from '../../rest/list.ts';
import type { List } from '../../rest/list-pages.ts';
import type { Key } from '../../rest/lookup.ts';
import type { Resource, Row } from '../../rest/resource.ts';

/** A record of an administration, by the value of a key. */
export interface RecordKey {
  readonly administrationId: string;
  /** Must pass `encodeItem`, since an invalid value would fail its whole batch. */
  readonly value: string;
}

/** In place of a record: null where there is none to load, or why it cannot be loaded. */
export type NoRecord = null | Error;

/** What a field asks for: records with a selection. One promise for all, since ten thousand would take a tenth of a second. */
export interface RecordsRequest {
  readonly refs: readonly (RecordKey | NoRecord)[];
  readonly fields: Fields;
}

/**
 * The loaders of one operation, so callers never share data. Not in a WeakMap of its session: they refer to it, and V8
 * would keep both until its next full collection.
 */
export class OperationLoaders {
  readonly records = new Map<Resource, Map<Key, DataLoader<RecordsRequest, (Row | NoRecord)[]>>>();
  readonly pages = new Map<Resource, DataLoader<ListRequest, List>>();
  readonly wholeLists = new Map<Resource, DataLoader<ListRequest, List>>();
}
