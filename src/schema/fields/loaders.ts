import DataLoader from 'dataloader';
import type { GraphQLResolveInfo } from 'graphql';
import { InvalidValue } from '../../execution/field-errors.ts';
import { isSliceOver, nextSlice } from '../../limits/time-slice.ts';
import { getOrCreate, weakMemoize } from '../../memoize.ts';
import { asError, badInput } from '../../rest/errors.ts';
import { type Fields, unionOfAll } from '../../rest/fields.ts';
import { type ListRequest, walkList } from '../../rest/list.ts';
import { firstRowsOrError, type List } from '../../rest/list-pages.ts';
import { BY_ID, type Found, type Key, lookUp, onlyId } from '../../rest/lookup.ts';
import type { Resource, Row } from '../../rest/resource.ts';
import type { RestSession } from '../../rest/session.ts';
import { encodeItem, isSendable, isSendableItem } from '../../rest/url.ts';
import { isText } from '../../rest/wire-text.ts';
import type { Context } from './builder.ts';
import { countLoad } from './count-loads.ts';
import { joinCost } from './estimate.ts';
import { batched, type Refetch } from './metadata.ts';
import { selectionOf, withMembers } from './selection.ts';

/** A record of an administration, by the value of a key. */
interface RecordRef {
  readonly administrationId: string;
  /** Must pass `encodeItem`, since an invalid value would fail its whole batch. */
  readonly value: string;
}

/** In place of a record: null where there is none to load, or why it cannot be loaded. */
type NoRecord = null | Error;

/** What a field asks for: records with a selection. One promise for all, since ten thousand would take a tenth of a second. */
interface RecordsRequest {
  readonly refs: readonly (RecordRef | NoRecord)[];
  readonly fields: Fields;
}

/** Loads records in the order of `refs`. */
export function loadRecords(
  context: Context,
  resource: Resource,
  key: Key,
  request: RecordsRequest,
): Promise<(Row | NoRecord)[]> {
  return loaderOf(context, recordSymbol(resource)(key), (requests: readonly RecordsRequest[]) =>
    lookUpAll(context.rest, resource, key, requests),
  ).load(request);
}

export function loadRecord(
  context: Context,
  resource: Resource,
  key: Key,
  ref: RecordRef,
  fields: Fields,
): Promise<Row | null> {
  encodeItem(key.filter, ref.value);
  return loadRecords(context, resource, key, { refs: [ref], fields }).then(onlyRecord);
}

function onlyRecord([record = null]: readonly (Row | NoRecord)[]): Row | null {
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
  if (value === undefined || typeof administrationId !== 'string')
    return loaderOf(
      context,
      (isWhole ? wholeListSymbol : listSymbol)(resource),
      (requests: readonly ListRequest[]) => walkAll(context.rest, resource, requests),
    ).load(request);
  const record = await loadRecord(context, resource, BY_ID, { administrationId, value }, fields);
  const pages = record ? [{ rows: [record], part: null }] : [];
  return { pages, hasNextPage: false, hasPreviousPage: false };
}

/** Created once, since a caller may give ten thousand of them. */
const UNSENDABLE = badInput(
  'A value of `ids` is empty, too long, or holds a comma or half of a surrogate pair, and cannot be sent.',
);

/** Loads records by ids that a caller gave: one that cannot be sent fails alone. */
export function refetchLoader(resource: Resource): Refetch {
  return (context, administrationId, ids, fields) => {
    countLoad(context, { records: ids.length });
    const refs = ids.map((value) => (isSendableItem(value) ? { administrationId, value } : UNSENDABLE));
    return loadRecords(context, resource, BY_ID, { refs, fields });
  };
}

/** All lookups of one resource by one key use the same loader, so that they share batches. */
const recordSymbol = weakMemoize((resource: Resource) => weakMemoize((_key: Key) => Symbol(resource.name)));
const listSymbol = weakMemoize(({ name }: Resource) => Symbol(name));
const wholeListSymbol = weakMemoize(({ name }: Resource) => Symbol(`whole ${name}`));

/**
 * Loaders belong to one operation, so callers never share data. DataLoader's own cache is disabled, because two
 * selections on one record are different requests; the batch merges them. They are stored in the context itself: values
 * in a WeakMap of contexts would survive minor garbage collections, which would then take several times as long.
 */
function loaderOf<Request, Result>(
  { loaders, budget }: Context,
  symbol: symbol,
  load: (requests: readonly Request[]) => Promise<(Result | Error)[]>,
): DataLoader<Request, Result> {
  const existing = loaders[symbol];
  if (existing instanceof DataLoader) return existing;
  const batchScheduleFn = (dispatch: () => void) => budget.pauses.scheduleBatch(dispatch);
  const loader = new DataLoader(load, { cache: false, batchScheduleFn });
  loaders[symbol] = loader;
  return loader;
}

/** So many take no time to speak of: a short operation does not wait for those that are long. */
const FEW = 20;

/** One lookup per administration, of what each record is wanted with. */
async function lookUpAll(
  rest: RestSession,
  resource: Resource,
  key: Key,
  requests: readonly RecordsRequest[],
): Promise<(Row | NoRecord)[][]> {
  const lookups = new Map<string, Lookup>();
  const mayPause = requests.length > FEW;
  for (const { refs, fields } of requests) {
    for (const ref of refs) {
      if (ref === null || ref instanceof Error) continue;
      getOrCreate(lookups, ref.administrationId, newLookup).add(ref.value, fields);
    }
    if (mayPause && isSliceOver()) await nextSlice(rest.owner);
  }
  for (const [administrationId, lookup] of lookups)
    lookup.reading = lookUp(rest, resource, { administrationId, key, selections: lookup.united(), unite });
  for (const lookup of lookups.values()) lookup.found = await lookup.reading;
  const results: (Row | NoRecord)[][] = [];
  for (const { refs } of requests) {
    const found = refs.map((ref) => {
      if (ref === null || ref instanceof Error) return ref;
      return lookups.get(ref.administrationId)?.found?.get(ref.value) ?? null;
    });
    results.push(found);
    if (mayPause && isSliceOver()) await nextSlice(rest.owner);
  }
  return results;
}

const newLookup = () => new Lookup();

/** Of the records of one administration. */
class Lookup {
  reading: Promise<Found> | undefined;
  found: Found | undefined;
  readonly #first = new Map<string, Fields>();
  /** Of the records that are selected more than once, if there are any. */
  #all: Map<string, Set<Fields>> | undefined;

  add(value: string, fields: Fields): void {
    const first = this.#first.get(value);
    if (first === undefined) this.#first.set(value, fields);
    else if (first !== fields) {
      this.#all ??= new Map();
      this.#all.set(value, (this.#all.get(value) ?? new Set([first])).add(fields));
    }
  }

  united(): ReadonlyMap<string, Fields> {
    for (const [value, all] of this.#all ?? []) this.#first.set(value, unionOfAll(all));
    return this.#first;
  }
}

/** Requests for one list share a walk. If it fails behind the rows of a shorter one, only the longer ones fail. */
async function walkAll(
  rest: RestSession,
  resource: Resource,
  requests: readonly ListRequest[],
): Promise<(List | Error)[]> {
  // A single request needs no name, and its filter may have ten thousand values.
  const nameOf = ({ filters, after }: ListRequest) =>
    requests.length === 1 ? '' : JSON.stringify([filters, after]);
  const mayPause = requests.length > FEW;
  const named: { readonly request: ListRequest; readonly name: string }[] = [];
  const groups = new Map<string, [ListRequest, ...ListRequest[]]>();
  for (const request of requests) {
    const name = nameOf(request);
    named.push({ request, name });
    const group = groups.get(name);
    if (group) group.push(request);
    else groups.set(name, [request]);
    if (mayPause && isSliceOver()) await nextSlice(rest.owner);
  }
  const walks = new Map<string, Promise<List | Error>>();
  for (const [name, group] of groups) {
    const [{ filters, after }] = group;
    const first = Math.max(...group.map((request) => request.first));
    const fields = unite(new Set(group.map((request) => request.fields)));
    walks.set(name, walkList(rest, resource, { filters, after, first, fields }).catch(asError));
    if (mayPause && isSliceOver()) await nextSlice(rest.owner);
  }
  const lists: (List | Error)[] = [];
  for (const { request, name } of named) {
    const list = (await walks.get(name)) ?? new Error('a list was not read');
    // A hundred operations may wait for the same page, each with two hundred lists of it.
    if (mayPause && isSliceOver()) await nextSlice(rest.owner);
    lists.push(list instanceof Error ? list : firstRowsOrError(list, request.first));
  }
  return lists;
}

function unite(selections: ReadonlySet<Fields>): Fields {
  return withMembers(unionOfAll(selections));
}

type Referrer<IdField extends string> = { readonly [field in IdField | 'administration_id']?: unknown };

/** Resolves the record that each row refers to by its administration and an id: one lookup for all rows. */
export function join<IdField extends string>(resource: Resource, idField: IdField) {
  const resolveBatch = (rows: readonly Referrer<IdField>[], context: Context, info: GraphQLResolveInfo) => {
    // Of events, each has one, and they are counted before they are executed together.
    if (rows.length > 1) countLoad(context, { records: rows.length });
    const refs = rows.map((row) => refOf(row.administration_id, row[idField], context.rest));
    return loadRecords(context, resource, BY_ID, { refs, fields: selectionOf(info) });
  };
  return batched(resolveBatch, {
    restFields: ['administration_id', idField],
    cost: joinCost(resource.type),
  });
}

/** Null if the row refers to none. An id that cannot be sent is an error of the service, not of the caller. */
function refOf(administration: unknown, id: unknown, { text }: RestSession): RecordRef | NoRecord {
  if ((administration ?? null) === null || (id ?? null) === null) return null;
  if (!isText(administration) || !isText(id)) return new InvalidValue('an id that is no text');
  const administrationId = text.decode(administration);
  const value = text.decode(id);
  if (administrationId === '' || value === '') return null;
  if (!isSendable(administrationId) || !isSendableItem(value))
    return new InvalidValue('an id that cannot be sent');
  return { administrationId, value };
}
