import type { IncomingHttpHeaders } from 'node:http';
import type { OperationTrace } from './observation.ts';

export type Tracer = (headers: IncomingHttpHeaders) => OperationTrace | undefined;

/** W3C Trace Context: not version ff, nor more in version 00 than it has, nor an id of zeros; 512 characters at most. */
const TRACEPARENT =
  /^(?!ff|00-.{53})[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-.{0,456})?$/;
/** As long as every participant must pass on. */
const TRACESTATE = /^[\x20-\x7e]{1,512}$/;

/** Without an exporter of its own, the gateway passes on the trace of the caller as it came, and adds no span. */
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
