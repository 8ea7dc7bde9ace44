import type { RestCall } from './explain.ts';

/** The pages of one list: a single call, or calls that differ in nothing but the page. */
export interface Walk {
  /** What the pages have in common, and the sums of their figures. */
  readonly total: RestCall;
  readonly calls: readonly RestCall[];
  /** Pages, not calls: a page that was retried counts once. */
  readonly pages: number;
}

const PAGE_PARAMETERS = ['cursor', 'per_page'];

/** Groups calls by list, in the order of their first pages. Calls for one and the same page are retries, and stay. */
export function groupWalks(calls: readonly RestCall[]): Walk[] {
  const lists = new Map<string, RestCall[]>();
  for (const call of calls) {
    const key = listKey(call);
    const list = lists.get(key);
    if (list) list.push(call);
    else lists.set(key, [call]);
  }
  return [...lists.values()].flatMap((list) => {
    const pages = new Set(list.map(cursorOf)).size;
    if (pages > 1) return { total: sumCalls(list), calls: list, pages };
    return list.map((call) => ({ total: call, calls: [call], pages: 1 }));
  });
}

function listKey({ method, path, parameters }: RestCall): string {
  return JSON.stringify([method, path, parameters.filter(isOfList)]);
}

function isOfList([name]: readonly [name: string, value: string]): boolean {
  return !PAGE_PARAMETERS.includes(name);
}

function cursorOf({ parameters }: RestCall): string | undefined {
  return parameters.find(([name]) => name === 'cursor')?.[1];
}

function sumCalls(calls: readonly RestCall[]): RestCall {
  const [first] = calls;
  if (!first) throw new Error('A walk has at least one call');
  const statuses = calls.flatMap(({ status }) => status ?? []);
  const sources = new Set(calls.map(({ source }) => source));
  return {
    ...first,
    parameters: first.parameters.filter(isOfList),
    // The worst one, so that a failure shows.
    status: statuses.length === 0 ? null : Math.max(...statuses),
    milliseconds: sum(calls.map(({ milliseconds }) => milliseconds)),
    bytes: sum(calls.map(({ bytes }) => bytes)),
    rows: sum(calls.map(({ rows }) => rows)),
    source: sources.size === 1 ? first.source : 'several',
  };
}

function sum(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
}
