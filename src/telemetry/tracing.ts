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

/** Neither version ff, nor more in version 00 than it has, nor an id of zeros. */
const TRACEPARENT =
  /^(?!ff|00-.{53})[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-.*)?$/;
const MAX_LENGTH = 512;

/**
 * Where a request belongs in a trace (W3C Trace Context); undefined without a `traceparent` that is valid. The `tracestate`
 * is dropped if it is longer than every participant must pass on, or holds more than printable ASCII.
 */
export function traceParentOf({ traceparent, tracestate }: IncomingHttpHeaders) {
  if (typeof traceparent !== 'string' || traceparent.length > MAX_LENGTH) return undefined;
  const [, traceId, spanId = '', flags = ''] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined) return undefined;
  const state = /^[\x20-\x7e]{1,512}$/.exec(String(tracestate ?? ''))?.[0];
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, traceparent, tracestate: state };
}

export function asksForTraces(env: NodeJS.ProcessEnv): boolean {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || env.OTEL_TRACES_EXPORTER === 'none') return false;
  return Boolean(env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT);
}
