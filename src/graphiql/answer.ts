import { isObject, parseJson } from '../rest/json.ts';
import type { WrittenOperation } from './list-argument.ts';

/** An answer of the gateway to a request that asks it to explain itself. */
export interface Answer {
  readonly data?: unknown;
  readonly errors?: readonly AnswerError[];
  readonly extensions?: {
    readonly explain?: readonly RestCall[];
    readonly cost?: AnswerCost;
    readonly graphiql?: Notes;
  };
}

export interface AnswerError {
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

export interface AnswerCost {
  readonly calls: number;
  readonly cacheHits: number;
  readonly coalesced: number;
  readonly estimatedCalls?: number;
}

/** What the page itself has to say. It travels in the extensions: of an answer, GraphiQL keeps nothing but its text. */
export interface Notes {
  readonly advice: string | null;
  readonly timing: string | null;
  readonly operation: WrittenOperation;
}

export function isAnswer(body: unknown): body is Answer {
  return isObject(body) && ('data' in body || Array.isArray(body.errors));
}

/** Of the text that GraphiQL keeps; empty before there is an answer. */
export function parseAnswer(text: string): Answer {
  const body = parseJson(text);
  return isAnswer(body) ? body : {};
}

/** The answer laid out as GraphiQL does: as the gateway sent it, or without what the panel of REST calls shows. */
export function displayedText(text: string, isRawShown: boolean): string {
  const { extensions, ...answer } = parseAnswer(text);
  if (!extensions) return text;
  const { graphiql, ...sent } = extensions;
  const { explain, cost, ...others } = sent;
  const shown = isRawShown ? sent : others;
  const body = Object.keys(shown).length > 0 ? { ...answer, extensions: shown } : answer;
  return JSON.stringify(body, null, 2);
}

/** As `343 ms · gateway 310 ms · REST 15 ms`, the latter from the gateway's `Server-Timing`. */
export function formatTiming(milliseconds: number, header: string | null): string {
  const part = (name: string, label: string) => {
    const [, duration] = new RegExp(`\\b${name};dur=([\\d.]+)`).exec(header ?? '') ?? [];
    return duration ? ` · ${label} ${formatMilliseconds(Number(duration))}` : '';
  };
  return `${formatMilliseconds(milliseconds)}${part('total', 'gateway')}${part('rest', 'REST')}`;
}

export function formatMilliseconds(value: number): string {
  return `${value < 10 ? Math.round(value * 10) / 10 : Math.round(value)} ms`;
}
