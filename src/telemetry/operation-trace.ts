import type { IncomingHttpHeaders } from 'node:http';
import type { OperationTrace } from './observation.ts';

export type Tracer = (headers: IncomingHttpHeaders) => OperationTrace | undefined;

/** Without an exporter of its own, the gateway passes on the trace of the caller as it came, and adds no span. */
export const forwardingTracer: Tracer = (headers) => {
  const parent = traceParentOf(headers);
  if (parent === undefined) return undefined;
  const { traceId, traceparent, tracestate } = parent;
  const span = { headers: tracestate ? { traceparent, tracestate } : { traceparent }, end() {} };
  return { traceId, start: () => span, end() {} };
};

const TRACEPARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const MAX_LENGTH = 512;

/** Where a request belongs in a trace (W3C Trace Context); undefined without a `traceparent` that is valid. */
export function traceParentOf(headers: IncomingHttpHeaders) {
  const { traceparent } = headers;
  if (typeof traceparent !== 'string' || traceparent.length > MAX_LENGTH) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', rest] = TRACEPARENT.exec(traceparent) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  const isSampled = (Number.parseInt(flags, 16) & 1) === 1;
  return { traceId, spanId, isSampled, traceparent, tracestate: tracestateOf(headers) };
}

/** Dropped if it is longer than every participant must pass on, or holds more than printable ASCII. */
function tracestateOf({ tracestate }: IncomingHttpHeaders): string | undefined {
  if (typeof tracestate !== 'string') return undefined;
  return /^[\x20-\x7e]{1,512}$/.test(tracestate) ? tracestate : undefined;
}

const ROUTE =
  /^\/(?:graphql(?:\.csv|\.ndjson)?|health|ready|metrics|status|docs|schema(?:\.graphql)?|graphiql)(?=\/|$)/;

/** The route of a request, as one of a few: a path that a client has made up is `other`. */
export function routeLabel({ url = '/' }: { readonly url?: string | undefined }): string {
  const [path = ''] = url.split(/[?#]/, 1);
  if (path === '/') return path;
  return ROUTE.exec(path)?.[0] ?? 'other';
}
