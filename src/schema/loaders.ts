import DataLoader from 'dataloader';
import { compositeKey } from '../composite-key.ts';
import type { Found } from '../rest/fetch-records.ts';
import { type Fields, unionOfAll } from '../rest/fields.ts';
import { type ListRequest, walkList } from '../rest/list.ts';
import { firstRowsOrError, type List } from '../rest/list-pages.ts';
import { BY_ID, type Key, lookUp, onlyId } from '../rest/lookup.ts';
import type { Resource, Row } from '../rest/resource.ts';
import type { RestSession } from '../rest/session.ts';
import { encodeItem } from '../rest/url.ts';
import { weakMemoize } from '../weak-memoize.ts';
import type { Context } from './context.ts';
import { asError, loadInGroups } from './load-in-groups.ts';
import { withMembers } from './selection.ts';

/** A request of a field for one record. */
export interface RecordRequest {
  readonly administrationId: string;
  readonly key: Key;
  /** Must pass `encodeItem`, since an invalid value would fail its whole batch. */
  readonly value: string;
  readonly fields: Fields;
}

/** A request of a field for many records. */
export interface RecordsRequest extends Omit<RecordRequest, 'value'> {
  readonly values: readonly string[];
}

/** The record that a row refers to. */
export interface JoinKey {
  readonly administrationId: string;
  readonly value: string;
}

export type LoadRecord<R extends Row> = (context: Context, request: RecordRequest) => Promise<R | null>;
export type LoadRecords<R extends Row> = (context: Context, request: RecordsRequest) => Promise<Found<R>>;
/** Loads the records of these keys, in their order; errors in place of keys are passed through. */
export type LoadJoin<R extends Row> = (
  context: Context,
  keys: readonly (JoinKey | null | Error)[],
  fields: Fields,
) => Promise<(R | null | Error)[]>;
export type LoadList<R extends Row> = (context: Context, request: ListRequest) => Promise<List<R>>;

/** One request of a batch for many records, which are passed to `resolve`. */
class BulkRequest<R extends Row> implements RecordsRequest {
  readonly administrationId: string;
  readonly key: Key;
  readonly values: readonly string[];
  readonly fields: Fields;
  readonly resolve: (found: Found<R>) => void;

  constructor(
    { administrationId, key, fields }: RecordsRequest,
    values: readonly string[],
    resolve: (found: Found<R>) => void,
  ) {
    this.administrationId = administrationId;
    this.key = key;
    this.values = values;
    this.fields = fields;
    this.resolve = resolve;
  }
}

/**
 * Loaders belong to one operation, so callers never share data. DataLoader's own cache is disabled, because two
 * selections on one record are different requests; the batch merges them.
 */
export function recordLoader<R extends Row>(resource: Resource<R>): LoadRecord<R> {
  const loaderOf = batchLoader(resource);
  return (context, request) => loaderOf(context).load(request);
}

/** Shares the batches of `recordLoader`, with one promise per request: ten thousand would take a tenth of a second. */
export function recordsLoader<R extends Row>(resource: Resource<R>): LoadRecords<R> {
  const loaderOf = batchLoader(resource);
  return (context, request) =>
    new Promise((resolve, reject) => {
      const unsendable: [string, Error][] = [];
      const values = request.values.filter((value) => {
        const error = errorOf(() => encodeItem(request.key.filter, value));
        if (error) unsendable.push([value, error]);
        return !error;
      });
      const onFound = (found: Found<R>) =>
        resolve(unsendable.length > 0 ? new Map([...found, ...unsendable]) : found);
      if (values.length === 0) onFound(new Map());
      else
        loaderOf(context)
          .load(new BulkRequest(request, values, onFound))
          .catch(reject);
    });
}

/** Looks up the records that rows refer to: one request for each administration, in the batches of `recordLoader`. */
export function joinLoader<R extends Row>(resource: Resource<R>): LoadJoin<R> {
  const loaderOf = batchLoader(resource);
  const loadGroup = (context: Context, request: RecordsRequest) =>
    new Promise<Found<R>>((resolve, reject) => {
      loaderOf(context)
        .load(new BulkRequest(request, request.values, resolve))
        .catch(reject);
    }).catch((error) => new Map(request.values.map((value) => [value, asError(error)])));

  return async (context, keys, fields) => {
    const groups = new Map<string, string[]>();
    for (const key of keys) {
      if (key === null || key instanceof Error) continue;
      const group = groups.get(key.administrationId);
      if (group) group.push(key.value);
      else groups.set(key.administrationId, [key.value]);
    }
    const found = new Map<string, Found<R>>();
    await Promise.all(
      Array.from(groups, async ([administrationId, values]) => {
        const request = { administrationId, key: BY_ID, values, fields };
        found.set(administrationId, await loadGroup(context, request));
      }),
    );
    return keys.map((key) =>
      key === null || key instanceof Error ? key : (found.get(key.administrationId)?.get(key.value) ?? null),
    );
  };
}

type BatchedRequest<R extends Row> = RecordRequest | BulkRequest<R>;

function batchLoader<R extends Row>(resource: Resource<R>) {
  return loaderPerOperation(recordSymbol(resource), ({ rest }, requests: readonly BatchedRequest<R>[]) =>
    loadRecords(rest, resource, requests),
  );
}

function errorOf(run: () => unknown): Error | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    return asError(error);
  }
}

export function listLoader<R extends Row>(resource: Resource<R>): LoadList<R> {
  const loaderOf = loaderPerOperation(Symbol(), ({ rest }, requests: readonly ListRequest[]) =>
    loadLists(rest, resource, requests),
  );
  const loadRecord = recordLoader(resource);
  return async (context, request) => {
    const { filters, fields, after } = request;
    const { administrationId } = filters;
    const value = after ? undefined : onlyId(resource, filters);
    if (value === undefined || typeof administrationId !== 'string') return loaderOf(context).load(request);
    encodeItem(BY_ID.filter, value);
    const record = await loadRecord(context, { administrationId, key: BY_ID, value, fields });
    const pages = record ? [{ rows: [record], part: null }] : [];
    return { pages, hasNextPage: false, hasPreviousPage: false };
  };
}

/** All lookups of one resource use the same loader, so that they share batches. */
const recordSymbol = weakMemoize((resource: Resource) => Symbol(resource.name));

/**
 * Loaders are stored in the context itself. Values in a WeakMap of contexts would survive minor garbage collections,
 * which would then take several times as long.
 */
function loaderPerOperation<Request, Found>(
  symbol: symbol,
  load: (context: Context, requests: readonly Request[]) => Promise<(Found | Error)[]>,
): (context: Context) => DataLoader<Request, Found> {
  return (context) => {
    const { loaders } = context;
    const existing = loaders[symbol];
    if (existing instanceof DataLoader) return existing;
    const loader = new DataLoader((requests: readonly Request[]) => load(context, requests), {
      cache: false,
    });
    loaders[symbol] = loader;
    return loader;
  };
}

/** One lookup per administration and filter, of what each record is wanted with. */
function loadRecords<R extends Row>(
  rest: RestSession,
  resource: Resource<R>,
  requests: readonly BatchedRequest<R>[],
) {
  return loadInGroups(
    requests,
    ({ key, administrationId }) => compositeKey(key.filter, administrationId),
    async ({ administrationId, key }, group) => {
      const lookup = { administrationId, key, selections: selectionsOf(group), unite };
      const found = await lookUp(rest, resource, lookup);
      return (request) => {
        if (!(request instanceof BulkRequest)) return found.get(request.value) ?? null;
        request.resolve(found);
        return null;
      };
    },
  );
}

/** What is selected of each record. */
function selectionsOf<R extends Row>(group: readonly BatchedRequest<R>[]): ReadonlyMap<string, Fields> {
  const selections = new Map<string, Fields>();
  const ofDoubles = new Map<string, Set<Fields>>();
  for (const request of group) {
    const { fields } = request;
    for (const value of request instanceof BulkRequest ? request.values : [request.value]) {
      const first = selections.get(value);
      if (first === undefined) selections.set(value, fields);
      else if (first !== fields) ofDoubles.set(value, (ofDoubles.get(value) ?? new Set([first])).add(fields));
    }
  }
  for (const [value, all] of ofDoubles) selections.set(value, unionOfAll(all));
  return selections;
}

/**
 * Requests for the same list are merged: with the union of their fields, and the largest `first`. If the walk fails
 * after the rows that a shorter one asks for, only the longer ones fail.
 */
function loadLists<R extends Row>(
  rest: RestSession,
  resource: Resource<R>,
  requests: readonly ListRequest[],
) {
  return loadInGroups(
    requests,
    ({ filters, after }) => JSON.stringify([filters, after]),
    async (request, group) => {
      const longest = group.length === 1 ? request.first : Math.max(...group.map(({ first }) => first));
      const { filters, after } = request;
      const fields = unite(new Set(group.map((member) => member.fields)));
      const list = await walkList(rest, resource, { filters, after, first: longest, fields });
      return ({ first }) => firstRowsOrError(list, first);
    },
  );
}

function unite(selections: ReadonlySet<Fields>): Fields {
  return withMembers(unionOfAll(selections));
}
