import { createServer } from 'node:http';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import { asksForTraces } from '../../src/telemetry/tracing.ts';
import { eventually } from '../support/eventually.ts';
import { ADMINISTRATION, BEARER, postTo, useGateway } from '../support/gateway.ts';
import { startProcess } from '../support/processes.ts';
import { listen, startRest } from '../support/resources.ts';
import { serveBuilt } from '../support/serve.ts';
import { createTestSpans, createTestTelemetry } from '../support/telemetry.ts';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const SPAN_ID = 'b7ad6b7169203331';
const TRACEPARENT = `00-${TRACE_ID}-${SPAN_ID}-01`;
const LIST = `query Page { debtors(administrationId: "${ADMINISTRATION}", first: 1) { nodes { name } } }`;

describe('a gateway without an exporter', async () => {
  const observed = createTestTelemetry();
  const gateway = await useGateway(observed.options);
  const forwarded = async (headers: Readonly<Record<string, string>>) => {
    await gateway.query(LIST, {}, { ...BEARER, ...headers });
    const sent = Object.entries(gateway.rest.calls[0]?.headers ?? {});
    return Object.fromEntries(sent.filter(([name]) => /^(trace|baggage)/.test(name)));
  };

  test.each([TRACEPARENT, `00-${TRACE_ID}-${SPAN_ID}-00`, `cc-${TRACE_ID}-${SPAN_ID}-01-of-a-later-version`])(
    'forwards the traceparent %s to the REST service, and logs its trace id',
    async (traceparent) => {
      const trace = { traceparent, tracestate: 'a=b,c=d' };
      expect(await forwarded({ ...trace, baggage: 'c=d' })).toEqual(trace);
      await eventually(() => expect(observed.lines().at(-1)).toMatchObject({ traceId: TRACE_ID }));
    },
  );

  test.each([
    '',
    'nonsense',
    TRACEPARENT.toUpperCase(),
    `00-${TRACE_ID}-${SPAN_ID}-01-more`,
    `ff-${TRACE_ID}-${SPAN_ID}-01`,
    `00-${'0'.repeat(32)}-${SPAN_ID}-01`,
    `00-${TRACE_ID}-${'0'.repeat(16)}-01`,
    `${TRACEPARENT}, ${TRACEPARENT}`,
    `cc-${TRACE_ID}-${SPAN_ID}-01-${'x'.repeat(600)}`,
  ])('does not forward the traceparent %j or create one', async (traceparent) => {
    expect(await forwarded({ ...(traceparent && { traceparent }), tracestate: 'a=b' })).toEqual({});
  });

  test.each(['x'.repeat(513), 'a=\u00e9'])('does not forward the tracestate %j', async (tracestate) => {
    expect(await forwarded({ traceparent: TRACEPARENT, tracestate })).toEqual({ traceparent: TRACEPARENT });
  });
});

describe('an operation has a span with a child span for each REST call,', async () => {
  const spans = createTestSpans();
  const observed = createTestTelemetry({ tracer: spans.tracer });
  const gateway = await useGateway(observed.options);
  afterEach(() => spans.reset());

  const ended = async (count: number) => {
    await eventually(() => expect(spans.spans()).toHaveLength(count));
    const all = spans.spans();
    const operation = all.find(({ name }) => !name.includes('/'));
    return { operation, calls: all.filter((span) => span !== operation) };
  };

  test('in the trace of the caller', async () => {
    await gateway.query(LIST, {}, { ...BEARER, traceparent: TRACEPARENT, tracestate: 'a=b' });
    const { operation, calls } = await ended(2);
    expect(operation).toMatchObject({
      name: 'query',
      attributes: {
        'graphql.operation.type': 'query',
        'graphql.operation.name': 'Page',
        'http.response.status_code': 200,
      },
      parentSpanContext: { traceId: TRACE_ID, spanId: SPAN_ID },
    });
    expect(calls).toMatchObject([
      {
        name: 'GET /v1/debtors',
        attributes: {
          'http.request.method': 'GET',
          'url.template': '/v1/debtors',
          'server.address': 'rest.example',
          'server.port': 80,
          'http.response.status_code': 200,
        },
        parentSpanContext: { traceId: TRACE_ID, spanId: operation?.spanContext().spanId },
      },
    ]);
    const spanId = calls[0]?.spanContext().spanId;
    expect(gateway.rest.calls).toMatchObject([
      { headers: { traceparent: `00-${TRACE_ID}-${spanId}-01`, tracestate: 'a=b' } },
    ]);
  });

  test('also for a retry, with an error status for failures', async () => {
    gateway.rest.misbehave({ kind: 'status', status: 503 });
    await gateway.query(LIST);
    const { operation, calls } = await ended(3);
    expect(operation?.status.code).toBe(0);
    expect(calls.map(({ status, attributes }) => [status.code, attributes['error.type']])).toEqual([
      [2, 'status_5xx'],
      [0, undefined],
    ]);
    expect(new Set(gateway.rest.calls.map(({ headers }) => headers.traceparent)).size).toBe(2);
  });

  test('with an error status if the REST service fails, but not if the request is wrong', async () => {
    gateway.rest.misbehave({ kind: 'status', status: 500 });
    await gateway.query(LIST);
    expect((await ended(2)).operation).toMatchObject({
      status: { code: 2 },
      attributes: { 'error.type': 'UPSTREAM_UNAVAILABLE' },
    });
    spans.reset();
    await gateway.query('{ nonsense }');
    expect((await ended(1)).operation?.status.code).toBe(0);
  });
});

describe('spans are exported', () => {
  test.each([
    [{}, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }, true],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:4318/v1/traces' }, true],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_SDK_DISABLED: 'true' }, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_TRACES_EXPORTER: 'none' }, false],
  ])('if the environment is %j: %s', (env, isAsked) => {
    expect(asksForTraces(env)).toBe(isAsked);
  });

  test('to a collector, at the latest when the gateway stops', async () => {
    const collector = await startCollector();
    const rest = await startRest();
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url);
    vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'api-key=of-the-collector');
    vi.stubEnv('OTEL_SERVICE_NAME', 'receivables-of-a-test');
    vi.stubEnv('OTEL_RESOURCE_ATTRIBUTES', 'deployment.environment.name=test');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { url, stop } = await serveBuilt(readConfig({ PORT: '0', REST_URL: rest.url }, []));
    const response = await postTo(url, LIST, { traceparent: TRACEPARENT });
    expect(response.status).toBe(200);
    await response.arrayBuffer();
    await stop();

    const [exported] = collector.received;
    const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });
    const span = (name: string, kind: number) => expect.objectContaining({ name, kind, traceId: TRACE_ID });
    expect(exported).toMatchObject({
      path: '/v1/traces',
      headers: { 'api-key': 'of-the-collector' },
      body: {
        resourceSpans: [
          {
            resource: {
              attributes: expect.arrayContaining([
                attribute('service.name', 'receivables-of-a-test'),
                attribute('deployment.environment.name', 'test'),
              ]),
            },
            scopeSpans: [{ spans: expect.arrayContaining([span('query', 2), span('GET /v1/debtors', 3)]) }],
          },
        ],
      },
    });
    expect(JSON.stringify(exported)).not.toMatch(/demo-token|administrationId/);
  });

  test('without any other error if the collector is unreachable', async () => {
    // A process, of which all that it writes is seen.
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_EXPORTER_OTLP_TIMEOUT: '500' };
    const { url, child, exit, errors } = await startProcess(env);
    expect((await fetch(`${url}?query={__typename}`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
    expect(errors()).toBe('');
  });
});

/** Decodes OTLP in JSON as a collector does. */
async function startCollector() {
  const received: object[] = [];
  const server = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
    received.push({ path: request.url, headers: request.headers, body });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, received };
}
