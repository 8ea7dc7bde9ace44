import Negotiator from 'negotiator';
import { memoizeLast } from '../memoize.ts';

export const RESPONSE_JSON = 'application/graphql-response+json';
export const JSON_TYPE = 'application/json';
export const EVENT_STREAM = 'text/event-stream';
export const MULTIPART = 'multipart/mixed';
/** What Apollo Client sends, but for the boundary. */
export const SUBSCRIPTION_PARTS = `${MULTIPART};subscriptionSpec=1.0`;

/** How a list is written as a file. */
export type ExportFormat = 'csv' | 'ndjson';
/** How the results of a stream are written: GraphQL over SSE, or Apollo's subscriptions over multipart. */
export type StreamType = 'sse' | 'multipart';

const JSON_TYPES = [JSON_TYPE, RESPONSE_JSON];
const FILES: { readonly [type: string]: ExportFormat } = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
};
export const FILE_TYPES = Object.keys(FILES);
const STREAMS: { readonly [type: string]: StreamType } = { [EVENT_STREAM]: 'sse', [MULTIPART]: 'multipart' };

/** Without it, parts of `multipart/mixed` would be those of `@defer`, which the client could not tell apart. */
const SUBSCRIPTION_SPEC = /;\s*subscriptionspec\s*=\s*"?1\.0\b/i;

/**
 * What a client takes, by the weights of `Accept`: the type of JSON that it prefers, if any; a file, if it names one and
 * prefers it to JSON; and a stream, if it names one. A range such as `*\/*` is taken for JSON.
 */
export const readAccept = memoizeLast((accept = '') => {
  const isNamed = (type: string) => accept.toLowerCase().includes(type);
  const files = FILE_TYPES.filter(isNamed);
  const streams = SUBSCRIPTION_SPEC.test(accept) ? [EVENT_STREAM, MULTIPART] : [EVENT_STREAM];
  return {
    json: preferred(accept, JSON_TYPES),
    file: FILES[preferred(accept, [...JSON_TYPES, ...files]) ?? ''],
    stream: STREAMS[preferred(accept, streams.filter(isNamed)) ?? ''],
  };
});

/** Apollo Client exposes the code of a 4xx only with GraphQL's own type, and retries a 5xx only with any other. */
export function typeFor(status: number, negotiated: string | undefined): string {
  return (status < 500 && negotiated) || JSON_TYPE;
}

/** A browser prefers HTML; other clients prefer one of the others, or accept anything. */
export function prefersHtml(accept: string | undefined, others: readonly string[]): boolean {
  return preferred(accept, [...others, 'text/html']) === 'text/html';
}

/** A parameter such as `charset`; a range that has one would match no type. */
const PARAMETER = /;(?!\s*q\s*=)[^;,]*/gi;

/** Which of these types the client prefers, by its weights; the first of them if it does not say. */
function preferred(accept: string | undefined, types: readonly string[]): string | undefined {
  const headers = { accept: accept?.replace(PARAMETER, '') || '*/*' };
  return new Negotiator({ headers }).mediaType([...types]);
}
