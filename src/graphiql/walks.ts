import { isObject } from '../rest/json.ts';
import type { RestCall } from './answer.ts';

/** The pages of one list: a single call, or calls that differ in nothing but the page. */
export type CallGroup = ReturnType<typeof groupWalks>[number];

/** Adds up the pages of lists, in the order of their first ones. */
export function groupWalks(calls: readonly RestCall[]) {
  const lists = new Map<string, RestCall[]>();
  for (const call of calls) {
    const key = JSON.stringify([call.method, call.path, call.source, withoutPage(call.parameters)]);
    lists.set(key, [...(lists.get(key) ?? []), call]);
  }
  return [...lists.values()].flatMap((list) => {
    const pages = new Set(list.map(({ parameters }) => parameters.cursor)).size;
    // A single page that is there again was retried, and each attempt is shown.
    if (pages === 1) return list.map((total) => ({ total, pages }));
    return { total: list.reduce(added), pages };
  });
}

function withoutPage({ cursor, per_page, ...others }: RestCall['parameters']): RestCall['parameters'] {
  return others;
}

function added(one: RestCall, other: RestCall): RestCall {
  const sum = (name: 'milliseconds' | 'bytes' | 'rows') => (one[name] ?? 0) + (other[name] ?? 0);
  return {
    ...one,
    parameters: withoutPage(one.parameters),
    // The worst one, so that a failure shows.
    status: Math.max(one.status ?? 0, other.status ?? 0) || null,
    milliseconds: sum('milliseconds'),
    bytes: sum('bytes'),
    rows: sum('rows'),
  };
}

/** Parameters of a URL or a form are texts and `fields`; what has more structure was a body of JSON. */
export function parameterTexts(parameters: RestCall['parameters']): [name: string, text: string][] {
  const { fields, ...others } = parameters;
  const isBody = Object.values(others).some((value) => [value].flat().some(isObject));
  if (isBody) return [['body', JSON.stringify(parameters)]];
  return Object.entries(parameters).map(([name, value]) => [name, textOf(value)]);
}

/** Without the punctuation of JSON: `{only: ['name', {address: ['city']}]}` as `name, address(city)`. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  if (!isObject(value)) return String(value);
  return Object.entries(value)
    .map(([name, inner]) => (name === 'only' ? textOf(inner) : `${name}(${textOf(inner)})`))
    .join(', ');
}
