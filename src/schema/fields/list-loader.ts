import { type ListRequest, walkList } from '../../rest/list.ts';
import { firstRowsOrError, type List } from '../../rest/list-pages.ts';
import { BY_ID, onlyId } from '../../rest/lookup.ts';
import type { Resource, Row } from '../../rest/resource.ts';
import type { RestSession } from '../../rest/session.ts';
import type { Context } from './builder.ts';
import { loaderOf, recordLoader, settleAll, unite } from './loaders.ts';

/** Loads lists. One that is filtered by a single id is a lookup, in the batches of `recordLoader`. */
export function listLoader<R extends Row>(resource: Resource<R>) {
  const symbol = Symbol(resource.name);
  const loadRecord = recordLoader(resource);
  return async (context: Context, request: ListRequest): Promise<List<R>> => {
    const { filters, fields, after } = request;
    const { administrationId } = filters;
    const value = after ? undefined : onlyId(resource, filters);
    if (value === undefined || typeof administrationId !== 'string') {
      return loaderOf(context, symbol, (requests: readonly ListRequest[]) =>
        loadLists(context.rest, resource, requests),
      ).load(request);
    }
    const record = await loadRecord(context, BY_ID, { administrationId, value }, fields);
    const pages = record ? [{ rows: [record], part: null }] : [];
    return { pages, hasNextPage: false, hasPreviousPage: false };
  };
}

/** Loads whole lists: their walks are shared among themselves, so that pages are read as if there were none. */
export function wholeListLoader<R extends Row>(resource: Resource<R>) {
  const symbol = Symbol(`whole ${resource.name}`);
  return (context: Context, request: ListRequest): Promise<List<R>> =>
    loaderOf(context, symbol, (requests: readonly ListRequest[]) =>
      loadLists(context.rest, resource, requests),
    ).load(request);
}

/**
 * Requests for the same list are merged: with the union of their fields, and the largest `first`. If the walk fails
 * after the rows that a shorter one asks for, only the longer ones fail.
 */
async function loadLists<R extends Row>(
  rest: RestSession,
  resource: Resource<R>,
  requests: readonly ListRequest[],
): Promise<(List<R> | Error)[]> {
  // A single request needs no name, and its filter may have ten thousand values.
  const named = requests.map((request) => ({ request, name: requests.length === 1 ? '' : nameOf(request) }));
  const groups = new Map<string, [ListRequest, ...ListRequest[]]>();
  for (const { request, name } of named) {
    const group = groups.get(name);
    if (group) group.push(request);
    else groups.set(name, [request]);
  }
  const lists = await settleAll(groups, (group) => {
    const [{ filters, after }] = group;
    const first = Math.max(...group.map((request) => request.first));
    const fields = unite(new Set(group.map((request) => request.fields)));
    return walkList(rest, resource, { filters, after, first, fields });
  });
  return named.map(({ request, name }) => {
    const list = lists.get(name) ?? new Error('a list was not read');
    return list instanceof Error ? list : firstRowsOrError(list, request.first);
  });
}

function nameOf({ filters, after }: ListRequest): string {
  return JSON.stringify([filters, after]);
}
