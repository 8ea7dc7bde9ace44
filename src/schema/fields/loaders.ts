import DataLoader from 'dataloader';
import type { GraphQLResolveInfo } from 'graphql';
import { inTurn } from '../../limits/turns.ts';
import { getOrCreate } from '../../memoize.ts';
import { asError, badInput, InvalidValue } from '../../rest/errors.ts';
import { type Fields, unionOfAll } from '../../rest/fields.ts';
import { type ListRequest, walkList } from '../../rest/list.ts';
import { firstRowsOrError, type List, listOf } from '../../rest/list-pages.ts';
import { BY_ID, type Key, lookUp, onlyId } from '../../rest/lookup.ts';
import type { Resource, Row } from '../../rest/resource.ts';
import type { RestSession } from '../../rest/session.ts';
import { encodeItem, isSendable, isSendableItem } from '../../rest/url.ts';
import type { Context } from './builder.ts';
import { joinCost } from './estimate.ts';
import { batched, type Refetch } from './metadata.ts';
import type { NoRecord, RecordKey, RecordsRequest } from './operation-loaders.ts';
import { selectionOf, withMembers } from './selection.ts';

/** Loads records in the order of `refs`. */
export function loadRecords(
  { rest, loaders }: Context,
  resource: Resource,
  key: Key,
  request: RecordsRequest,
): Promise<(Row | NoRecord)[]> {
  rest.countLoad();
  const byKey = getOrCreate(loaders.records, resource, () => new Map());
  // Without the cache of DataLoader: two selections on one record are different requests, which the batch merges.
  const loader = getOrCreate(byKey, key, () => {
    const load = (requests: readonly RecordsRequest[]) => lookUpAll(rest, resource, key, requests);
    return new DataLoader(load, { cache: false });
  });
  return loader.load(request);
}

export async function loadRecord(
  context: Context,
  resource: Resource,
  key: Key,
  ref: RecordKey,
  fields: Fields,
): Promise<Row | null> {
  encodeItem(key.filter, ref.value);
  const [record = null] = await loadRecords(context, resource, key, { refs: [ref], fields });
  if (record instanceof Error) throw record;
  return record;
}

/** Loads a list, or a whole one: such walks are shared among themselves, so that pages are read as if there were none. */
export async function loadList(
  context: Context,
  resource: Resource,
  request: ListRequest,
  isWhole = false,
): Promise<List> {
  const { filters, fields, after } = request;
  const { administrationId } = filters;
  // A page that is filtered by a single id is a lookup, in the batches of `loadRecords`.
  const value = after || isWhole ? undefined : onlyId(resource, filters);
  if (value !== undefined && typeof administrationId === 'string') {
    const record = await loadRecord(context, resource, BY_ID, { administrationId, value }, fields);
    return listOf(record ? [record] : []);
  }
  const { rest, loaders } = context;
  rest.countLoad();
  const loader = getOrCreate(isWhole ? loaders.wholeLists : loaders.pages, resource, () => {
    const load = (requests: readonly ListRequest[]) => walkAll(rest, resource, requests);
    return new DataLoader(load, { cache: false });
  });
  const list = await loader.load(request);
  // Many operations may wait for the same long list, and each then completes its rows.
  if (list.rows.length > LONG_LIST) await inTurn(() => {});
  return list;
}

/** More rows than a page has. */
const LONG_LIST = 500;

/** Created once, since a caller may give ten thousand of them. */
const UNSENDABLE = badInput(
  'A value of `ids` is empty, too long, or holds a comma or half of a surrogate pair, and cannot be sent.',
);

/** Loads records by ids that a caller gave: one that cannot be sent fails alone. */
export function refetchLoader(resource: Resource): Refetch {
  return (context, administrationId, ids, fields) => {
    const refs = ids.map((value) => (isSendableItem(value) ? { administrationId, value } : UNSENDABLE));
    return loadRecords(context, resource, BY_ID, { refs, fields });
  };
}

/** One lookup per administration, of what each record is wanted with. */
async function lookUpAll(
  rest: RestSession,
  resource: Resource,
  key: Key,
  requests: readonly RecordsRequest[],
): Promise<(Row | NoRecord)[][]> {
  const wanted = new Map<string, Map<string, Set<Fields>>>();
  for (const { refs, fields } of requests) {
    for (const ref of refs) {
      if (ref === null || ref instanceof Error) continue;
      const values = getOrCreate(wanted, ref.administrationId, () => new Map<string, Set<Fields>>());
      getOrCreate(values, ref.value, () => new Set<Fields>()).add(fields);
    }
  }
  const lookups = Array.from(wanted, async ([administrationId, values]) => {
    const selections = new Map(Array.from(values, ([value, all]) => [value, unionOfAll(all)]));
    const found = await lookUp(rest, resource, { administrationId, key, selections, unite });
    return [administrationId, found] as const;
  });
  const found = new Map(await Promise.all(lookups));
  return requests.map(({ refs }) =>
    refs.map((ref) => {
      if (ref === null || ref instanceof Error) return ref;
      return found.get(ref.administrationId)?.get(ref.value) ?? null;
    }),
  );
}

/** Requests for one list share a walk. If it fails behind the rows of a shorter one, only the longer ones fail. */
function walkAll(
  rest: RestSession,
  resource: Resource,
  requests: readonly ListRequest[],
): Promise<(List | Error)[]> {
  const shared = new Map<string, { request: ListRequest; readonly selections: Set<Fields> }>();
  const joined = requests.map((request) => {
    const { filters, after, first, fields } = request;
    // A single request needs no name, and its filter may have ten thousand values.
    const name = requests.length === 1 ? '' : JSON.stringify([filters, after]);
    const walk = getOrCreate(shared, name, () => ({ request, selections: new Set<Fields>() }));
    if (first > walk.request.first) walk.request = request;
    walk.selections.add(fields);
    return { walk, first };
  });
  const walks = new Map<object, Promise<List | Error>>();
  return Promise.all(
    joined.map(async ({ walk, first }) => {
      const list = await getOrCreate(walks, walk, () =>
        walkList(rest, resource, { ...walk.request, fields: unite(walk.selections) }).catch(asError),
      );
      return list instanceof Error ? list : firstRowsOrError(list, first);
    }),
  );
}

function unite(selections: ReadonlySet<Fields>): Fields {
  return withMembers(unionOfAll(selections));
}

/** Resolves the record that each row refers to by its administration and an id: one lookup for all rows. */
export function join<IdMember extends string>(resource: Resource, idMember: IdMember) {
  const needs = ['administrationId', idMember] as const;
  const resolveBatch = (rows: readonly Row[], context: Context, info: GraphQLResolveInfo) => {
    const refs = rows.map((row) => refOf(row.administrationId, row[idMember]));
    return loadRecords(context, resource, BY_ID, { refs, fields: selectionOf(info) });
  };
  return { needs, ...batched(resolveBatch, { needs, cost: (_args, scope) => joinCost(resource, scope) }) };
}

/** Null if the row refers to none. An id that cannot be sent is an error of the service, not of the caller. */
function refOf(administrationId: unknown, value: unknown): RecordKey | NoRecord {
  if ((administrationId ?? null) === null || (value ?? null) === null) return null;
  if (typeof administrationId !== 'string' || typeof value !== 'string')
    return new InvalidValue('an id that is no text');
  if (administrationId === '' || value === '') return null;
  if (!isSendable(administrationId) || !isSendableItem(value))
    return new InvalidValue('an id that cannot be sent');
  return { administrationId, value };
}
