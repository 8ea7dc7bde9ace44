import {
  defaultTextMapGetter,
  defaultTextMapSetter,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { version } from '../package.ts';
import { getLevel } from './observation.ts';
import type { Tracer } from './tracing.ts';

/** The SDK takes half a second to load, so this module is imported on demand. An AsyncLocalStorage would be slow. */
export function startOtlpTracing(restUrl: URL) {
  const attributes = { 'service.name': 'receivables-graphql', 'service.version': version };
  const provider = new BasicTracerProvider({
    // The environment overrides the name.
    resource: resourceFromAttributes(attributes).merge(detectResources({ detectors: [envDetector] })),
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
  const propagator = new W3CTraceContextPropagator();

  return (received) => {
    const remote = propagator.extract(ROOT_CONTEXT, received, defaultTextMapGetter);
    // Renamed once the type of the operation is known.
    const operation = tracer.startSpan('operation', { kind: SpanKind.SERVER }, remote);
    const context = trace.setSpan(ROOT_CONTEXT, operation);
    return {
      traceId: operation.spanContext().traceId,

      start({ method, endpoint }) {
        const template = endpoint.slice(method.length + 1);
        const attributes = { ...server, 'http.request.method': method, 'url.template': template };
        const span = tracer.startSpan(endpoint, { kind: SpanKind.CLIENT, attributes }, context);
        const headers = {};
        propagator.inject(trace.setSpan(context, span), headers, defaultTextMapSetter);
        return {
          headers,
          end(status, error) {
            if (status !== null) span.setAttribute('http.response.status_code', status);
            if (error !== undefined) fail(span, error);
            span.end();
          },
        };
      },

      end({ type, name, codes, status }) {
        if (type !== undefined) operation.updateName(type);
        operation.setAttributes({
          'graphql.operation.type': type,
          'graphql.operation.name': name,
          'http.response.status_code': status,
        });
        const error = codes.find((code) => getLevel([code]) !== 'info');
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
