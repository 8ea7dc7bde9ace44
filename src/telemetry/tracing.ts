import type { IncomingHttpHeaders } from 'node:http';
import type { OperationTrace } from './observation.ts';

export type Tracer = (headers: IncomingHttpHeaders) => OperationTrace | undefined;

/** W3C Trace Context, at most 512 characters: no version ff, no extra fields in version 00, no id of zeros. */
const TRACEPARENT =
  /^(?!ff|00-.{53})[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-.{0,456})?$/;
/** Every participant must forward at least this much. */
const TRACESTATE = /^[\x20-\x7e]{1,512}$/;

/** Without an exporter, the gateway forwards the caller's trace unchanged and adds no span. */
export const forwardingTracer: Tracer = ({ traceparent, tracestate }) => {
  if (typeof traceparent !== 'string') return undefined;
  const [, traceId] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined) return undefined;
  const hasState = typeof tracestate === 'string' && TRACESTATE.test(tracestate);
  const span = { headers: hasState ? { traceparent, tracestate } : { traceparent }, end() {} };
  return { traceId, start: () => span, end() {} };
};

export function asksForTraces(env: NodeJS.ProcessEnv): boolean {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || env.OTEL_TRACES_EXPORTER === 'none') return false;
  return Boolean(env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT);
}
