import { isObject, parseJson } from '../rest/json.ts';
import type { OperationRequest } from './list-argument.ts';

/** A result of the gateway, with the extensions that `X-Explain` adds and those of this page. */
export interface Result {
  readonly data?: unknown;
  readonly errors?: readonly ResultError[];
  readonly extensions?: {
    readonly explain?: readonly RestCall[];
    readonly cost?: ResultCost;
    readonly graphiql?: PageNotes;
  };
}

export interface ResultError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: { readonly code?: string; readonly upstream?: unknown };
}

export interface RestCall {
  readonly method: string;
  readonly path: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly status: number | null;
  readonly milliseconds: number | null;
  readonly bytes: number | null;
  readonly rows: number | null;
  /** `network`, `cache`, or `coalesced` (joined a call in flight). */
  readonly source: string;
}

export interface ResultCost {
  readonly calls: number;
  readonly cacheHits: number;
  readonly coalesced: number;
  readonly estimatedCalls?: number;
  /** Null for the pages of an export. */
  readonly maxCalls?: number | null;
  /** The estimate is for one of these, if not for the whole operation. */
  readonly per?: string;
}

/** Adds the page's own notes to the extensions, because GraphiQL stores only the text of a result. */
export interface PageNotes {
  readonly advice: string | null;
  readonly timing: string | null;
  readonly operation: OperationRequest;
  /** The results of a subscription, the newest first. */
  readonly events?: readonly Result[];
}

export function isResult(body: unknown): body is Result {
  return isObject(body) && ('data' in body || Array.isArray(body.errors));
}

/** Parses the text that GraphiQL stores; empty before the first response. */
export function parseResult(text: string): Result {
  const body = parseJson(text);
  return isResult(body) ? body : {};
}

/** Formats a result as GraphiQL does, or the events of a subscription as a list. */
export function formatResult(text: string): string {
  const result = parseResult(text);
  if (!result.extensions) return text;
  const [newest = result, ...earlier] = result.extensions.graphiql?.events ?? [];
  const shown = [newest, ...earlier].map(removeNotes);
  return JSON.stringify(earlier.length > 0 ? shown : shown[0], null, 2);
}

/** Removes the page's own notes, and the extensions that the panel of REST calls shows. */
function removeNotes({ extensions, ...result }: Result): object {
  const { graphiql, explain, cost, ...others } = extensions ?? {};
  return Object.keys(others).length > 0 ? { ...result, extensions: others } : result;
}

/** Returns `343 ms · gateway 310 ms · REST 15 ms`, the last two from the gateway's `Server-Timing`. */
export function formatTiming(milliseconds: number, header: string | null): string {
  const format = (name: string, label: string) => {
    const [, duration] = new RegExp(`\\b${name};dur=([\\d.]+)`).exec(header ?? '') ?? [];
    return duration ? ` · ${label} ${formatMilliseconds(Number(duration))}` : '';
  };
  return `${formatMilliseconds(milliseconds)}${format('total', 'gateway')}${format('rest', 'REST')}`;
}

export function formatMilliseconds(value: number): string {
  return `${value < 10 ? Math.round(value * 10) / 10 : Math.round(value)} ms`;
}
