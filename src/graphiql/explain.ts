import { isObject, parseJson } from '../rest/json.ts';
import { errorsIn } from './advice.ts';
import { recordIn, textOrNull } from './send.ts';

/** One REST call behind a response. Members that the gateway omitted are null. */
export type RestCall = Readonly<ReturnType<typeof readCall>>;
export type ExplainedCost = ReturnType<typeof readCost>;
type Parameters = readonly (readonly [name: string, value: string])[];

/** Reads `explain` and `cost`: `refused` if the gateway did not run the operation, undefined if it tells nothing. */
export function explainResponse(response: string) {
  const body = parseJson(response);
  if (!isObject(body)) return undefined;
  const { explain, cost } = recordIn(body, 'extensions');
  if (!Array.isArray(explain) && !isObject(cost)) return isRefusal(body) ? 'refused' : undefined;
  return {
    calls: Array.isArray(explain) ? explain.filter(isObject).map(readCall) : [],
    cost: readCost(isObject(cost) ? cost : {}),
  };
}

/** An operation that ran has `data`, if only null. Errors of GraphiQL itself have no code. */
function isRefusal(body: Record<string, unknown>): boolean {
  return body.data === undefined && errorsIn(body).some(({ extensions }) => 'code' in extensions);
}

function readCall(call: Record<string, unknown>) {
  return {
    method: textOrNull(call.method),
    path: textOrNull(call.path),
    parameters: formatParameters(recordIn(call, 'parameters')),
    status: number(call.status),
    milliseconds: number(call.milliseconds),
    bytes: number(call.bytes),
    rows: number(call.rows),
    /** `network`, `cache`, or `coalesced` (joined a call in flight). */
    source: textOrNull(call.source),
  };
}

function readCost(cost: Record<string, unknown>) {
  return {
    estimatedCalls: number(cost.estimatedCalls),
    calls: number(cost.calls),
    cacheHits: number(cost.cacheHits),
    coalesced: number(cost.coalesced),
  };
}

/** Parameters of a URL or a form are texts and `fields`; what has more structure was a body of JSON. */
function formatParameters(parameters: Record<string, unknown>): Parameters {
  const { fields, ...others } = parameters;
  if (Object.values(others).some(hasObjects)) return [['body', JSON.stringify(parameters)]];
  return Object.entries(parameters).map(([name, value]) => [
    name,
    name === 'fields' ? formatFields(value) : String(Array.isArray(value) ? value.join(', ') : value),
  ]);
}

function hasObjects(value: unknown): boolean {
  return Array.isArray(value) ? value.some(hasObjects) : isObject(value);
}

/** Omits JSON punctuation: formats `{only: ['name', {address: ['city']}]}` as `name, address(city)`. */
function formatFields(value: unknown): string {
  if (Array.isArray(value)) return value.map(formatFields).join(', ');
  if (!isObject(value)) return String(value);
  const entries = Object.entries(value).map(([name, inner]) =>
    name === 'only' ? formatFields(inner) : `${name}(${formatFields(inner)})`,
  );
  return entries.join(', ');
}

function number(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

/** The pages of one list: a single call, or calls that differ in nothing but the page. */
export type CallGroup = ReturnType<typeof groupWalks>[number];

const PAGE_PARAMETERS = ['cursor', 'per_page'];

/** Groups calls by list, in the order of their first pages. Calls for one and the same page are retries, and stay. */
export function groupWalks(calls: readonly RestCall[]) {
  const lists = new Map<string, RestCall[]>();
  for (const call of calls) {
    const key = JSON.stringify([call.method, call.path, call.parameters.filter(isOfList)]);
    lists.set(key, [...(lists.get(key) ?? []), call]);
  }
  return [...lists.values()].flatMap((list) => {
    const cursors = list.map(({ parameters }) => parameters.find(([name]) => name === 'cursor')?.[1]);
    // A page that was retried counts once.
    const pages = new Set(cursors).size;
    if (pages > 1) return { total: sumCalls(list), calls: list, pages };
    return list.map((call) => ({ total: call, calls: [call], pages: 1 }));
  });
}

function isOfList([name]: readonly [name: string, value: string]): boolean {
  return !PAGE_PARAMETERS.includes(name);
}

function sumCalls(calls: readonly RestCall[]): RestCall {
  return calls.reduce((one, other) => ({
    method: one.method,
    path: one.path,
    parameters: one.parameters.filter(isOfList),
    // The worst one, so that a failure shows.
    status: joined(one.status, other.status, Math.max),
    milliseconds: joined(one.milliseconds, other.milliseconds, add),
    bytes: joined(one.bytes, other.bytes, add),
    rows: joined(one.rows, other.rows, add),
    source: one.source === other.source ? one.source : 'several',
  }));
}

const add = (one: number, other: number) => one + other;

function joined(one: number | null, other: number | null, join: typeof add): number | null {
  return one === null || other === null ? (one ?? other) : join(one, other);
}

/** As `343 ms · gateway 310 ms · REST 15 ms`, the latter from `Server-Timing`, without what proxies have added. */
export function formatTiming(milliseconds: number, header: string | null): string {
  const timings = (header ?? '').replace(/"[^"]*"/g, '');
  const part = (name: string, label: string) => {
    const [, duration] = new RegExp(`(?:^|,)\\s*${name}\\s*;[^,]*\\bdur=([\\d.]+)`).exec(timings) ?? [];
    return duration === undefined ? [] : `${label} ${round(Number(duration))} ms`;
  };
  return [`${round(milliseconds)} ms`, part('total', 'gateway'), part('rest', 'REST')].flat().join(' · ');
}

function round(milliseconds: number): number {
  return milliseconds < 10 ? Math.round(milliseconds * 10) / 10 : Math.round(milliseconds);
}
