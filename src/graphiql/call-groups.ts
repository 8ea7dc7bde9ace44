import { isObject } from '../rest/json.ts';
import type { RestCall } from './result.ts';

/** The calls that read one list: they differ only in the page. */
export type CallGroup = ReturnType<typeof groupCalls>[number];

/** Adds up the calls for the pages of each list, in the order of the first ones. */
export function groupCalls(calls: readonly RestCall[]) {
  const lists = new Map<string, RestCall[]>();
  for (const call of calls) {
    const key = JSON.stringify([call.method, call.path, call.source, withoutPage(call.parameters)]);
    lists.set(key, [...(lists.get(key) ?? []), call]);
  }
  return [...lists.values()].flatMap((list) => {
    const pages = new Set(list.map(({ parameters }) => parameters.cursor)).size;
    // Several calls for one page are retries: show each attempt.
    if (pages === 1) return list.map((total) => ({ total, pages }));
    return { total: list.reduce(addCalls), pages };
  });
}

function withoutPage({ cursor, per_page, ...others }: RestCall['parameters']): RestCall['parameters'] {
  return others;
}

function addCalls(first: RestCall, second: RestCall): RestCall {
  const add = (name: 'milliseconds' | 'bytes' | 'rows') => (first[name] ?? 0) + (second[name] ?? 0);
  return {
    ...first,
    parameters: withoutPage(first.parameters),
    // The highest status, so that a failure shows.
    status: Math.max(first.status ?? 0, second.status ?? 0) || null,
    milliseconds: add('milliseconds'),
    bytes: add('bytes'),
    rows: add('rows'),
  };
}

/** Formats each parameter of a URL or form; a JSON body, which is nested deeper than `fields`, stays JSON. */
export function formatParameters(parameters: RestCall['parameters']): [name: string, text: string][] {
  const { fields, ...others } = parameters;
  const isBody = Object.values(others).some((value) => [value].flat().some(isObject));
  if (isBody) return [['body', JSON.stringify(parameters)]];
  return Object.entries(parameters).map(([name, value]) => [name, formatValue(value)]);
}

/** Formats `{only: ['name', {address: ['city']}]}` as `name, address(city)`. */
function formatValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(formatValue).join(', ');
  if (!isObject(value)) return String(value);
  return Object.entries(value)
    .map(([name, inner]) => (name === 'only' ? formatValue(inner) : `${name}(${formatValue(inner)})`))
    .join(', ');
}
