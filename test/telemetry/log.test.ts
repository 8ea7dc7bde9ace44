import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { stopClock } from '../support/clock.ts';
import { disconnectDuring } from '../support/disconnect.ts';
import { eventually } from '../support/eventually.ts';
import { ADMINISTRATION, freshGateway, startGateway, useGateway } from '../support/gateway.ts';
import { createTestTelemetry, type Line, sampleOf } from '../support/telemetry.ts';

const observed = createTestTelemetry();
const gateway = await useGateway(observed.options);
const LIST = `query Overview { debtors(administrationId: "${ADMINISTRATION}", first: 3) { nodes { name } } }`;

async function lineOf(requestId: string | null): Promise<Line> {
  let found: Line | undefined;
  await eventually(() => {
    found = observed.lines().find((line) => line.requestId === requestId && line.message === 'operation');
    expect(found).toBeDefined();
  });
  return found ?? {};
}

describe('the log line of an operation', () => {
  test('contains its name, outcome, duration and cost', async () => {
    const { headers, text } = await gateway.query(LIST);
    const { time, durationMs, document, ...line } = await lineOf(headers.get('x-request-id'));
    expect(line).toEqual({
      level: 'info',
      message: 'operation',
      requestId: headers.get('x-request-id'),
      type: 'query',
      name: 'Overview',
      status: 200,
      codes: [],
      restCalls: 1,
      cacheHits: 0,
      coalesced: 0,
      rows: 3,
      bytes: Buffer.byteLength(text),
    });
    expect(new Date(String(time)).toISOString()).toBe(time);
    expect(durationMs).toBeGreaterThan(0);
    expect(document).toMatch(/^[\da-f]{16}$/);
  });

  test('contains each code of its errors once', async () => {
    const query = `{ a: debtors(administrationId: "9") { nodes { name } } b: debtors(administrationId: "9") { nodes { name } } }`;
    const { headers } = await gateway.query(query);
    expect(await lineOf(headers.get('x-request-id'))).toMatchObject({ level: 'info', codes: ['FORBIDDEN'] });
  });

  test('does not contain the name of an invalid document', async () => {
    const { headers } = await gateway.query('query Secret { nonsense }');
    const line = await lineOf(headers.get('x-request-id'));
    expect(line).toMatchObject({ status: 200, codes: ['GRAPHQL_VALIDATION_FAILED'] });
    expect(line).not.toHaveProperty('name');
  });

  test('contains the code of a rejection whose client hangs up before it has sent its body', async () => {
    const { port } = new URL(gateway.url);
    const socket = connect(Number(port), '127.0.0.1');
    const head =
      'POST /graphql HTTP/1.1\r\nHost: x\r\nX-Request-Id: upload\r\nContent-Type: application/json\r\n';
    socket.write(`${head}Content-Length: 9000000\r\n\r\n${'x'.repeat(600_000)}`);
    await once(socket, 'data');
    socket.destroy();
    expect(await lineOf('upload')).toMatchObject({ status: 413, codes: ['PAYLOAD_TOO_LARGE'] });
  });

  test('says that the client disconnected', async () => {
    gateway.rest.misbehave({ kind: 'hang' });
    await disconnectDuring(gateway, { query: LIST }, { 'x-request-id': 'left' });
    await eventually(() => expect(gateway.rest.calls).toMatchObject([{ aborted: true }]));
    const line = await lineOf('left');
    expect(line).toMatchObject({ level: 'info', codes: ['CLIENT_CLOSED_REQUEST'], restCalls: 1 });
    expect(line).not.toHaveProperty('status');
  });
});

test('an operation that ends with the process is logged with CUT_AT_SHUTDOWN and its calls', async () => {
  const stopping = createTestTelemetry({ logLevel: 'errors' });
  const cut = await startGateway(stopping.options);
  cut.rest.misbehave({ kind: 'hang' });
  const query = 'mutation { unmarkTaskCompleted(input: { taskId: "400001" }) { task { subject } } }';
  const answer = cut.query(query).catch(() => 'cut');
  await eventually(() => expect(cut.rest.calls).toHaveLength(1));
  await cut.close();
  expect(await answer).toBe('cut');
  await eventually(() =>
    expect(stopping.lines()).toMatchObject([
      { level: 'warn', type: 'mutation', codes: ['CUT_AT_SHUTDOWN'], restCalls: 1 },
    ]),
  );
});

test('LOG=errors logs operations that fail because of the REST service, but no wrong requests', async () => {
  const errors = createTestTelemetry({ logLevel: 'errors' });
  const { query, rest } = await freshGateway(errors.options);
  await query(LIST);
  await query('{ nonsense }');
  rest.misbehave({ kind: 'status', status: 503, times: 3 });
  await query(LIST);
  await eventually(() => expect(errors.lines()).toHaveLength(2));
  await errors.telemetry.stop();
  expect(errors.lines()).toMatchObject([
    { level: 'warn', message: 'REST call failed', errorType: 'status_5xx', status: 503 },
    { level: 'warn', message: 'operation', codes: ['UPSTREAM_UNAVAILABLE'] },
  ]);
});

test('LOG=off logs nothing', async () => {
  const off = createTestTelemetry({ logLevel: 'off' });
  const { query, rest } = await freshGateway(off.options);
  rest.misbehave({ kind: 'status', status: 500 });
  await query(LIST);
  await off.telemetry.stop();
  expect(off.text()).toBe('');
});

test('a circuit breaker logs a line when it opens and one when it closes', async () => {
  const clock = stopClock();
  const watched = createTestTelemetry({ logLevel: 'errors' });
  const { query, rest } = await freshGateway(watched.options);
  const breakerLines = () =>
    watched.lines().filter(({ message }) => String(message).startsWith('circuit breaker'));
  // Not tried again, so that each of twenty is one call.
  rest.misbehave({ kind: 'status', status: 503, headers: { 'retry-after': '30' }, times: 20 });
  for (let call = 0; call < 20; call += 1) await query(LIST);
  await eventually(() => expect(breakerLines()).toHaveLength(1));
  clock.advance(1_000);
  await query(LIST);
  await eventually(() => expect(breakerLines()).toHaveLength(2));
  const endpoint = 'GET /v1/debtors';
  expect(breakerLines()).toMatchObject([
    { level: 'warn', message: 'circuit breaker opened', endpoint, errorType: 'status_5xx' },
    { level: 'warn', message: 'circuit breaker closed', endpoint },
  ]);
});

test('requests that are shed are counted and share one line in the log', async () => {
  const busy = createTestTelemetry();
  const { query } = await freshGateway({
    ...busy.options,
    handler: { ...busy.options.handler, maxOperations: 0 },
  });
  await Promise.all(Array.from({ length: 20 }, () => query(LIST)));
  await busy.telemetry.stop();
  expect(busy.lines()).toMatchObject([{ level: 'warn', message: 'requests shed', reason: 'operations' }]);
  expect(sampleOf(busy.exposition(), 'receivables_shed_total{reason="operations"}')).toBe(20);
});
