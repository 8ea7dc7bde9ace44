import DataLoader from 'dataloader';
import { compositeKey } from '../../composite-key.ts';
import { yieldToEventLoop } from '../../event-loop.ts';
import { getOrCreate } from '../../memoize.ts';
import { type FieldTree, mergeAll, unionOfAll } from '../../rest/fields.ts';
import { createList, type List, type ListRequest, readList, takeFirst } from '../../rest/list.ts';
import { BY_ID, getSingleId, type LookupKey, lookUp } from '../../rest/lookup.ts';
import { MAX_PER_PAGE } from '../../rest/query.ts';
import type { Resource, Row } from '../../rest/resource.ts';
import type { RestSession } from '../../rest/session.ts';
import { encodeItem } from '../../rest/url.ts';

/** Identifies a record of an administration by the value of a key. */
export interface RecordKey {
  readonly administrationId: string;
  /** Must pass `encodeItem`, since an invalid value would fail the whole batch. */
  readonly value: string;
}

/** Null if there is no record to load, or the reason why it cannot be loaded. */
export type NoRecord = null | Error;

/** Records to load with a selection. A field gets one promise for all: ten thousand would take 100 ms. */
interface RecordsRequest {
  readonly refs: readonly (RecordKey | NoRecord)[];
  readonly fields: FieldTree;
}

/** DataLoader caches nothing: two selections on one record are different requests, which the batch merges. */
const OPTIONS = { cache: false };

/**
 * The loaders of one operation, so that callers never share data. They are not in a WeakMap by session: since they refer
 * to the session, V8 would keep both until its next full collection.
 */
export class OperationLoaders {
  readonly #records = new Map<string, DataLoader<RecordsRequest, (Row | NoRecord)[]>>();
  readonly #lists = new Map<string, DataLoader<ListRequest, List>>();

  constructor(private readonly session: RestSession) {}

  records(resource: Resource, key: LookupKey, request: RecordsRequest): Promise<(Row | NoRecord)[]> {
    const session = this.session;
    session.countReads();
    const create = () => new DataLoader(lookUpAll.bind(undefined, session, resource, key), OPTIONS);
    return getOrCreate(this.#records, compositeKey(resource.name, key.filter), create).load(request);
  }

  /** Loads one record. Throws for a key that cannot be sent. */
  record(resource: Resource, key: LookupKey, ref: RecordKey, fields: FieldTree): Promise<Row | NoRecord> {
    encodeItem(key.filter, ref.value);
    return this.records(resource, key, { refs: [ref], fields }).then(([record = null]) => record);
  }

  /** Loads a page or a full list. Full lists are read apart, so that they do not change how pages are read. */
  async list(resource: Resource, request: ListRequest, { isFullList = false } = {}): Promise<List> {
    const { filters, fields, after } = request;
    const { administrationId } = filters;
    // A page that is filtered by a single id is a lookup, which the batches of records can include.
    const value = after || isFullList ? undefined : getSingleId(resource, filters);
    if (value !== undefined && typeof administrationId === 'string') {
      const record = await this.record(resource, BY_ID, { administrationId, value }, fields);
      if (record instanceof Error) throw record;
      return createList(record ? [record] : []);
    }
    const session = this.session;
    const name = compositeKey(resource.name, JSON.stringify([isFullList, filters, after]));
    const create = () => new DataLoader(readListOnce.bind(undefined, session, resource), OPTIONS);
    const list = await getOrCreate(this.#lists, name, create).load(request);
    // Many operations may wait for one long list, and each completes its rows: let others run in between.
    if (list.rows.length > MAX_PER_PAGE) await yieldToEventLoop();
    return list;
  }
}

/** Makes one lookup per administration, with the union of the fields of each record. */
async function lookUpAll(
  session: RestSession,
  resource: Resource,
  key: LookupKey,
  requests: readonly RecordsRequest[],
): Promise<(Row | NoRecord)[][]> {
  const byAdministration = new Map<string, Map<string, FieldTree>>();
  for (const { refs, fields } of requests) {
    for (const ref of refs) {
      if (ref === null || ref instanceof Error) continue;
      const selectionByValue = getOrCreate(byAdministration, ref.administrationId, () => new Map());
      const existing = selectionByValue.get(ref.value) ?? fields;
      selectionByValue.set(ref.value, existing === fields ? fields : mergeAll([existing, fields]));
    }
  }
  const lookups = new Map<string, ReturnType<typeof lookUp>>();
  for (const [administrationId, selectionByValue] of byAdministration)
    lookups.set(administrationId, lookUp(session, resource, administrationId, key, selectionByValue));
  const results = new Map<string, ReadonlyMap<string, Row | NoRecord>>();
  for (const [administrationId, records] of lookups) results.set(administrationId, await records);
  return requests.map(({ refs }) =>
    refs.map((ref) => {
      if (ref === null || ref instanceof Error) return ref;
      return results.get(ref.administrationId)?.get(ref.value) ?? null;
    }),
  );
}

/** Reads a list once for all requests. If a page fails, requests that need only earlier rows still succeed. */
async function readListOnce(session: RestSession, resource: Resource, requests: readonly ListRequest[]) {
  const longest = requests.reduce((a, b) => (b.first > a.first ? b : a));
  const fields = unionOfAll(new Set(requests.map((request) => request.fields)));
  const list = await readList(session, resource, { ...longest, fields });
  return requests.map(({ first }) => takeFirst(list, first));
}
