import Negotiator from 'negotiator';
import { memoizeLast } from '../memoize.ts';

export const RESPONSE_JSON = 'application/graphql-response+json';
export const JSON_TYPE = 'application/json';
export const EVENT_STREAM = 'text/event-stream';
export const MULTIPART = 'multipart/mixed';
export const SUBSCRIPTION_PARTS = `${MULTIPART};subscriptionSpec=1.0`;

export type ExportFormat = 'csv' | 'ndjson';
export type StreamType = 'sse' | 'multipart';

const JSON_TYPES = [JSON_TYPE, RESPONSE_JSON];
const FILES: { readonly [type: string]: ExportFormat } = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
};
export const FILE_TYPES = Object.keys(FILES);
const STREAMS: { readonly [type: string]: StreamType } = { [EVENT_STREAM]: 'sse', [MULTIPART]: 'multipart' };

/** Clients without this parameter expect parts of `@defer` in `multipart/mixed`, and would misread events. */
const SUBSCRIPTION_SPEC = /;\s*subscriptionspec\s*=\s*"?1\.0\b/i;

/** Files and streams count only if the client names them. A range such as `*\/*` means JSON. */
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

export function prefersHtml(accept: string | undefined, others: readonly string[]): boolean {
  return preferred(accept, [...others, 'text/html']) === 'text/html';
}

/** A range with a parameter such as `charset` would match no type. */
const PARAMETER = /;(?!\s*q\s*=)[^;,]*/gi;

/** Returns the first type if the client has no preference. */
function preferred(accept: string | undefined, types: readonly string[]): string | undefined {
  const headers = { accept: accept?.replace(PARAMETER, '') || '*/*' };
  return new Negotiator({ headers }).mediaType([...types]);
}
