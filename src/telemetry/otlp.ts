import type { IncomingHttpHeaders } from 'node:http';
import {
  createTraceState,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { CallSpan } from '../rest/call.ts';
import { version } from '../version.ts';
import { levelOf } from './observation.ts';
import { type Tracer, traceParentOf } from './tracing.ts';

/**
 * Exports spans as the variables of OpenTelemetry say. The SDK takes half a second to load, so this module is imported
 * only where it is asked for. Spans are passed by hand: an AsyncLocalStorage would cost every operation, traced or not.
 */
export function startOtlpTracing(restUrl: URL) {
  const own = { 'service.name': 'receivables-graphql', 'service.version': version };
  const provider = new BasicTracerProvider({
    // The environment overrides the name.
    resource: resourceFromAttributes(own).merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  return {
    tracer: createTracer(provider.getTracer('receivables-graphql', version), restUrl),
    stop: () => provider.shutdown().catch(() => {}),
  };
}

export function createTracer(tracer: OtelTracer, { hostname, port, protocol }: URL): Tracer {
  const server = {
    'server.address': hostname,
    'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
  };

  return (headers) => {
    // Renamed to the type of the operation, as soon as that is known.
    const operation = tracer.startSpan('operation', { kind: SpanKind.SERVER }, remoteContext(headers));
    const context = trace.setSpan(ROOT_CONTEXT, operation);
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
        if (type !== undefined) operation.updateName(type);
        // Those that are undefined are left out.
        operation.setAttributes({
          'graphql.operation.type': type,
          'graphql.operation.name': name,
          'http.response.status_code': status,
        });
        const error = codes.find((code) => levelOf([code]) !== 'info');
        if (error !== undefined || (status ?? 0) >= 500) fail(operation, error ?? codes[0] ?? String(status));
        operation.end();
      },
    };
  };
}

function fail(span: Span, error: string): void {
  span.setAttribute('error.type', error);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function remoteContext(headers: IncomingHttpHeaders) {
  const parent = traceParentOf(headers);
  if (parent === undefined) return ROOT_CONTEXT;
  const traceState = createTraceState(parent.tracestate);
  return trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true, traceState });
}

function headersOf({ traceId, spanId, traceFlags, traceState }: SpanContext): CallSpan['headers'] {
  const traceparent = `00-${traceId}-${spanId}-0${traceFlags & 1}`;
  const tracestate = traceState?.serialize();
  return tracestate ? { traceparent, tracestate } : { traceparent };
}
