import type { IncomingHttpHeaders } from 'node:http';
import type { Tracer as OtelTracer, Span, SpanContext } from '@opentelemetry/api';
import type { CallSpan } from '../rest/call-record.ts';
import { version } from '../version.ts';
import { levelOf, type OperationTrace } from './observation.ts';

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
function traceParentOf({ traceparent, tracestate }: IncomingHttpHeaders) {
  if (typeof traceparent !== 'string' || traceparent.length > MAX_LENGTH) return undefined;
  const [, traceId, spanId = '', flags = ''] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined) return undefined;
  const isSampled = (Number.parseInt(flags, 16) & 1) === 1;
  const state = /^[\x20-\x7e]{1,512}$/.exec(String(tracestate ?? ''))?.[0];
  return { traceId, spanId, isSampled, traceparent, tracestate: state };
}

type Api = typeof import('@opentelemetry/api');

export function asksForTraces(env: NodeJS.ProcessEnv): boolean {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || env.OTEL_TRACES_EXPORTER === 'none') return false;
  return Boolean(env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT);
}

/**
 * Exports spans as the variables of OpenTelemetry say. The SDK takes half a second to load, so it is imported only
 * here. Spans are passed by hand: an AsyncLocalStorage would cost every operation, traced or not.
 */
export async function startOtlpTracing(restUrl: URL) {
  const [api, { BasicTracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }, resources] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
  const { resourceFromAttributes, detectResources, envDetector } = resources;
  const provider = new BasicTracerProvider({
    // The environment overrides the name.
    resource: resourceFromAttributes({
      'service.name': 'receivables-graphql',
      'service.version': version,
    }).merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  return {
    tracer: createTracer(api, provider.getTracer('receivables-graphql', version), restUrl),
    stop: () => provider.shutdown().catch(() => {}),
  };
}

export function createTracer(api: Api, tracer: OtelTracer, restUrl: URL): Tracer {
  const { SpanKind, SpanStatusCode } = api;
  const { hostname, port, protocol } = restUrl;
  const server = {
    'server.address': hostname,
    'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
  };

  function fail(span: Span, error: string): void {
    span.setAttribute('error.type', error);
    span.setStatus({ code: SpanStatusCode.ERROR });
  }

  return (headers) => {
    // Renamed to the type of the operation, as soon as that is known.
    const operation = tracer.startSpan('operation', { kind: SpanKind.SERVER }, remoteContext(api, headers));
    const context = api.trace.setSpan(api.ROOT_CONTEXT, operation);
    return {
      traceId: operation.spanContext().traceId,

      start({ method, endpoint }) {
        const template = endpoint.slice(method.length + 1);
        const attributes = { ...server, 'http.request.method': method, 'url.template': template };
        const span = tracer.startSpan(endpoint, { kind: SpanKind.CLIENT, attributes }, context);
        return {
          headers: headersOf(span.spanContext()),
          end(status, error) {
            if (status !== null) span.setAttribute('http.response.status_code', status);
            if (error !== undefined) fail(span, error);
            span.end();
          },
        };
      },

      end({ type, name, codes }, status) {
        if (type !== undefined) {
          operation.updateName(type);
          operation.setAttribute('graphql.operation.type', type);
        }
        if (name !== undefined) operation.setAttribute('graphql.operation.name', name);
        if (status !== undefined) operation.setAttribute('http.response.status_code', status);
        const error = codes.find((code) => levelOf([code]) !== 'info');
        if (error !== undefined || (status ?? 0) >= 500) fail(operation, error ?? codes[0] ?? String(status));
        operation.end();
      },
    };
  };
}

function remoteContext(api: Api, headers: IncomingHttpHeaders) {
  const { trace, ROOT_CONTEXT, TraceFlags, createTraceState } = api;
  const parent = traceParentOf(headers);
  if (parent === undefined) return ROOT_CONTEXT;
  const { traceId, spanId, isSampled, tracestate } = parent;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
    ...(tracestate && { traceState: createTraceState(tracestate) }),
  });
}

function headersOf({ traceId, spanId, traceFlags, traceState }: SpanContext): CallSpan['headers'] {
  const traceparent = `00-${traceId}-${spanId}-0${traceFlags & 1}`;
  const tracestate = traceState?.serialize();
  return tracestate ? { traceparent, tracestate } : { traceparent };
}
