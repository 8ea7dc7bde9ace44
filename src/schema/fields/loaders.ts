import DataLoader from 'dataloader';
import type { GraphQLResolveInfo } from 'graphql';
import { InvalidValue } from '../../execution/field-errors.ts';
import { weakMemoize } from '../../memoize.ts';
import { asError, badInput } from '../../rest/errors.ts';
import { type Fields, unionOfAll } from '../../rest/fields.ts';
import { BY_ID, type Key, lookUp } from '../../rest/lookup.ts';
import type { Resource, Row } from '../../rest/resource.ts';
import type { RestSession } from '../../rest/session.ts';
import { encodeItem, isSendable, isSendableItem } from '../../rest/url.ts';
import { isText } from '../../rest/wire-text.ts';
import type { Context } from './builder.ts';
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
export function recordsLoader<R extends Row>(resource: Resource<R>) {
  return (context: Context, key: Key, request: RecordsRequest): Promise<(R | NoRecord)[]> =>
    loaderOf(context, recordSymbol(resource)(key), (requests: readonly RecordsRequest[]) =>
      loadRecords(context.rest, resource, key, requests),
    ).load(request);
}

export function recordLoader<R extends Row>(resource: Resource<R>) {
  const load = recordsLoader(resource);
  return async (context: Context, key: Key, ref: RecordRef, fields: Fields): Promise<R | null> => {
    encodeItem(key.filter, ref.value);
    const [record = null] = await load(context, key, { refs: [ref], fields });
    if (record instanceof Error) throw record;
    return record;
  };
}

/** Created once, since a caller may give ten thousand of them. */
const UNSENDABLE = badInput(
  'A value of `ids` is empty, too long, or holds a comma or half of a surrogate pair, and cannot be sent.',
);

/** Loads records by ids that a caller gave: one that cannot be sent fails alone. */
export function refetchLoader<R extends Row>(resource: Resource<R>): Refetch {
  const load = recordsLoader(resource);
  const refTo = (administrationId: string, value: string): RecordRef | Error =>
    isSendableItem(value) ? { administrationId, value } : UNSENDABLE;
  return (context, administrationId, ids, fields) =>
    load(context, BY_ID, { refs: ids.map((id) => refTo(administrationId, id)), fields });
}

/** All lookups of one resource by one key use the same loader, so that they share batches. */
const recordSymbol = weakMemoize((resource: Resource) => weakMemoize((_key: Key) => Symbol(resource.name)));

/**
 * Loaders belong to one operation, so callers never share data. DataLoader's own cache is disabled, because two
 * selections on one record are different requests; the batch merges them. They are stored in the context itself: values
 * in a WeakMap of contexts would survive minor garbage collections, which would then take several times as long.
 */
export function loaderOf<Request, Result>(
  { loaders }: Context,
  symbol: symbol,
  load: (requests: readonly Request[]) => Promise<(Result | Error)[]>,
): DataLoader<Request, Result> {
  const existing = loaders[symbol];
  if (existing instanceof DataLoader) return existing;
  const loader = new DataLoader(load, { cache: false });
  loaders[symbol] = loader;
  return loader;
}

/** One lookup per administration, of what each record is wanted with. */
async function loadRecords<R extends Row>(
  rest: RestSession,
  resource: Resource<R>,
  key: Key,
  requests: readonly RecordsRequest[],
): Promise<(R | NoRecord)[][]> {
  const wanted = new Map<string, Selections>();
  for (const { refs, fields } of requests) {
    for (const ref of refs) {
      if (ref === null || ref instanceof Error) continue;
      let selections = wanted.get(ref.administrationId);
      if (!selections) {
        selections = new Selections();
        wanted.set(ref.administrationId, selections);
      }
      selections.add(ref.value, fields);
    }
  }
  const found = await settleAll(wanted, (selections, administrationId) =>
    lookUp(rest, resource, { administrationId, key, selections: selections.united(), unite }),
  );
  return requests.map(({ refs }) =>
    refs.map((ref) => {
      if (ref === null || ref instanceof Error) return ref;
      const records = found.get(ref.administrationId);
      return records instanceof Error ? records : (records?.get(ref.value) ?? null);
    }),
  );
}

/** What is selected of each record. */
class Selections {
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

/** Reads all in parallel; a read that fails has its error as its result. */
export async function settleAll<Input, Result>(
  inputs: ReadonlyMap<string, Input>,
  read: (input: Input, name: string) => Promise<Result>,
): Promise<ReadonlyMap<string, Result | Error>> {
  const results = new Map<string, Result | Error>();
  const settle = async (name: string, input: Input) => {
    try {
      results.set(name, await read(input, name));
    } catch (error) {
      results.set(name, asError(error));
    }
  };
  const pending: Promise<void>[] = [];
  for (const [name, input] of inputs) pending.push(settle(name, input));
  for (const settled of pending) await settled;
  return results;
}

/** The fields to request for selections together. */
export function unite(selections: ReadonlySet<Fields>): Fields {
  return withMembers(unionOfAll(selections));
}

/** A row that refers to a record of its administration. */
type Referrer<IdField extends string> = { readonly [field in IdField | 'administration_id']?: unknown };

/** Resolves the record that each row refers to by its administration and an id: one lookup for all rows. */
export function join<R extends Row, IdField extends string>(resource: Resource<R>, idField: IdField) {
  const load = recordsLoader(resource);
  const resolveBatch = (rows: readonly Referrer<IdField>[], context: Context, info: GraphQLResolveInfo) => {
    const refs = rows.map((row) => refOf(row.administration_id, row[idField], context.rest));
    return load(context, BY_ID, { refs, fields: selectionOf(info) });
  };
  return batched(resolveBatch, {
    restFields: ['administration_id', idField],
    cost: joinCost(resource.type),
  });
}

/** Null if the row refers to none. An id that cannot be sent is an error of the service, not of the caller. */
function refOf(administration: unknown, id: unknown, { text }: RestSession): RecordRef | null | Error {
  if (isAbsent(administration) || isAbsent(id)) return null;
  if (!isText(administration) || !isText(id)) return new InvalidValue('an id that is no text');
  const administrationId = text.decode(administration);
  const value = text.decode(id);
  if (administrationId === '' || value === '') return null;
  if (!isSendable(administrationId) || !isSendableItem(value))
    return new InvalidValue('an id that cannot be sent');
  return { administrationId, value };
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}
