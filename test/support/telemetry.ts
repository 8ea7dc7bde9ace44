import { PassThrough } from 'node:stream';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { exposition } from '../../src/telemetry/metrics/metrics.ts';
import { createTracer } from '../../src/telemetry/otlp.ts';
import { createTelemetry, type TelemetryOptions } from '../../src/telemetry/telemetry.ts';
import type { TestOptions } from './gateway.ts';

const IDLE = {
  exportsInFlight: 0,
  operationsInFlight: 0,
  streamsInFlight: 0,
  connections: 0,
  waiting: {},
  memory: {},
  rest: { inFlight: 0, queued: 0, breakers: new Map() },
  caches: {},
  sharing: undefined,
};

export type Line = Readonly<Record<string, unknown>>;

export function createTestTelemetry(options: Partial<TelemetryOptions> = {}) {
  const stream = new PassThrough();
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  const telemetry = createTelemetry({
    logLevel: 'operations',
    logFormat: 'json',
    stream,
    restUrl: new URL('http://rest.example'),
    state: () => IDLE,
    ...options,
  });
  return {
    telemetry,
    stream,
    options: {
      gateway: { log: telemetry.log, events: telemetry },
      handler: { log: telemetry.log, telemetry },
    } satisfies TestOptions,
    text: () => text,
    lines: (): Line[] =>
      text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
    exposition: () => exposition(telemetry.metrics()),
  };
}

export function sampleOf(text: string, sample: string): number | undefined {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${sample} `));
  return line === undefined ? undefined : Number(line.slice(sample.length + 1));
}

export function createTestSpans() {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  return {
    tracer: createTracer(provider.getTracer('test'), new URL('http://rest.example')),
    spans: () => exporter.getFinishedSpans(),
    reset: () => exporter.reset(),
    text: () =>
      JSON.stringify(
        exporter.getFinishedSpans().map(({ name, attributes, events, links, status }) => ({
          name,
          attributes,
          events,
          links,
          status,
        })),
      ),
  };
}
