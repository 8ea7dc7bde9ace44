import DataLoader from 'dataloader';
import type { Context } from './context.ts';
import { type Fields, unionOf } from './rest/fields.ts';
import { type List, type ListRequest, readList, take } from './rest/list.ts';
import { type Key, lookUp } from './rest/lookup.ts';
import { checkValue } from './rest/query.ts';
import type { Resource, Row } from './rest/resource.ts';
import type { RestSession } from './rest/session.ts';

/** One record that some field of the operation wants. */
export interface Wanted {
  readonly administrationId: string;
  readonly key: Key;
  readonly value: string;
  readonly fields: Fields;
}

export type LoadRecord<R extends Row> = (context: Context, wanted: Wanted) => Promise<R | null>;
export type LoadList<R extends Row> = (context: Context, request: ListRequest) => Promise<List<R>>;

/**
 * Loaders live as long as one operation, so nothing of one caller is seen by another. DataLoader's own
 * cache is off: two selections of one record are two requests, which the batch makes one.
 */
export function recordLoader<R extends Row>(resource: Resource<R>): LoadRecord<R> {
  const loaderOf = loaderPerOperation((rest, wanted: readonly Wanted[]) =>
    loadRecords(rest, resource, wanted),
  );
  return (context, wanted) => {
    // Before it joins a batch: one that cannot be sent must not keep the others from being sent.
    checkValue(wanted.key.filter, wanted.value);
    return loaderOf(context).load(wanted);
  };
}

export function listLoader<R extends Row>(resource: Resource<R>): LoadList<R> {
  const loaderOf = loaderPerOperation((rest, requests: readonly ListRequest[]) =>
    loadLists(rest, resource, requests),
  );
  return (context, request) => loaderOf(context).load(request);
}

/**
 * They stand in the context itself. A WeakMap of contexts would do as well, but what it holds outlives the small
 * collections of garbage, which then take several times as long.
 */
function loaderPerOperation<Request, Found>(
  load: (rest: RestSession, requests: readonly Request[]) => Promise<(Found | Error)[]>,
): (context: Context) => DataLoader<Request, Found> {
  const key = Symbol();
  return ({ rest, loaders }) => {
    const known = loaders.get(key);
    if (known instanceof DataLoader) return known;
    const loader = new DataLoader((requests: readonly Request[]) => load(rest, requests), { cache: false });
    loaders.set(key, loader);
    return loader;
  };
}

/** One lookup per administration and kind of key, with the union of what is wanted. */
function loadRecords<R extends Row>(rest: RestSession, resource: Resource<R>, wanted: readonly Wanted[]) {
  return inGroups(
    wanted,
    ({ administrationId, key }) => `${key.filter} ${administrationId}`,
    async ({ administrationId, key }, group) => {
      const values = [...new Set(group.map(({ value }) => value))];
      const lookup = { administrationId, key, values, fields: union(group) };
      const records = await lookUp(rest, resource, lookup);
      return ({ value }) => records.get(value) ?? null;
    },
  );
}

/** The same list asked for twice is read once: with all the fields, and as far as the longest goes. */
function loadLists<R extends Row>(
  rest: RestSession,
  resource: Resource<R>,
  requests: readonly ListRequest[],
) {
  return inGroups(
    requests,
    ({ filters, after }) => JSON.stringify([filters, after]),
    async (request, group) => {
      const longest = Math.max(...group.map(({ first }) => first));
      const list = await readList(rest, resource, { ...request, first: longest, fields: union(group) });
      return ({ first }) => take(list, first);
    },
  );
}

function union(selections: readonly { readonly fields: Fields }[]): Fields {
  return [...new Set(selections.map(({ fields }) => fields))].reduce(unionOf);
}

/**
 * Answers requests in groups that are read together, in the order of the requests. A group that fails
 * fails alone, as the errors that DataLoader takes beside values.
 */
async function inGroups<Request, Answer>(
  requests: readonly Request[],
  keyOf: (request: Request) => string,
  read: (first: Request, group: readonly Request[]) => Promise<(request: Request) => Answer | Error>,
): Promise<(Answer | Error)[]> {
  const groups = new Map<string, Request[]>();
  const keys = requests.map(keyOf);
  for (const [index, request] of requests.entries()) {
    const key = keys[index] ?? '';
    const group = groups.get(key);
    if (group) group.push(request);
    else groups.set(key, [request]);
  }
  const answers = new Map<string, (request: Request) => Answer | Error>();
  await Promise.all(
    Array.from(groups, async ([key, group]) => {
      const [first] = group;
      if (first === undefined) return;
      answers.set(key, await read(first, group).catch((error) => () => asError(error)));
    }),
  );
  return requests.map((request, index) => {
    const answer = answers.get(keys[index] ?? '');
    return answer === undefined ? new Error('a request was not answered') : answer(request);
  });
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
