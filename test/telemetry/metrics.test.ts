import { describe, expect, test } from 'vitest';
import { counter, exposition, gauge, histogram } from '../../src/telemetry/metrics/metrics.ts';
import { ADMINISTRATION, BEARER, freshGateway, useGateway } from '../support/gateway.ts';
import { createTestTelemetry, sampleOf } from '../support/telemetry.ts';

test('metrics have the text format of Prometheus', () => {
  const counted = counter('a_total', 'An a.', 'b');
  counted.add(3, 'x');
  const durations = histogram('h', 'An h.', [1], ['c']);
  for (const seconds of [1, 2]) durations.observe(seconds, 'say "hi"');
  const state = gauge('state', 'A state.', () => 2);
  const text = exposition([counted, durations, state].map((metric) => metric.collect()));
  expect(text.split('\n').filter((line) => !line.startsWith('#'))).toEqual([
    'a_total{b="x"} 3',
    'h_bucket{le="1",c="say \\"hi\\""} 1',
    'h_bucket{le="+Inf",c="say \\"hi\\""} 2',
    'h_sum{c="say \\"hi\\""} 3',
    'h_count{c="say \\"hi\\""} 2',
    'state 2',
    '',
  ]);
});

const observed = createTestTelemetry();
const gateway = await useGateway(observed.options);

describe('the metrics of operations count', () => {
  const LIST = `{ debtors(administrationId: "${ADMINISTRATION}", first: 2) { nodes { name } } }`;
  const LOOKUPS = `{ a: debtor(administrationId: "${ADMINISTRATION}", by: { id: "300001" }) { name } b: debtor(administrationId: "${ADMINISTRATION}", by: { id: "300002" }) { name } }`;
  const counted = (sample: string) => sampleOf(observed.exposition(), sample) ?? 0;
  const REST = 'http_request_method="GET",url_template="/v1/debtors"';

  test.each([
    ['an operation', LIST, 'receivables_operations_total{type="query",outcome="OK"}', 1],
    [
      'an operation that fails',
      '{ nonsense }',
      'receivables_operations_total{type="unknown",outcome="GRAPHQL_VALIDATION_FAILED"}',
      1,
    ],
    [
      'a REST call',
      LIST,
      `http_client_request_duration_seconds_count{${REST},http_response_status_code="200",error_type=""}`,
      1,
    ],
    [
      'a request',
      LIST,
      'http_server_request_duration_seconds_count{http_request_method="POST",http_route="/graphql",http_response_status_code="200",error_type=""}',
      1,
    ],
    ['rows', LIST, 'receivables_rest_rows_total', 2],
    ['calls of an operation', LOOKUPS, 'receivables_operation_rest_calls_sum', 1],
    ['records of a lookup', LOOKUPS, 'receivables_rest_lookup_keys_sum', 2],
  ])('%s', async (_what, query, sample, amount) => {
    const before = counted(sample);
    await gateway.query(query);
    await expect.poll(() => counted(sample)).toBe(before + amount);
  });

  test('a retry and the bytes of a response', async () => {
    const before = ['receivables_rest_retries_total', 'receivables_response_bytes_total'].map(counted);
    gateway.rest.misbehave({ kind: 'status', status: 503 });
    const { text } = await gateway.query(LIST);
    const failed = `http_client_request_duration_seconds_count{${REST},http_response_status_code="503",error_type="status_5xx"}`;
    await expect
      .poll(() => ['receivables_rest_retries_total', 'receivables_response_bytes_total', failed].map(counted))
      .toEqual([(before[0] ?? 0) + 1, (before[1] ?? 0) + Buffer.byteLength(text), 1]);
  });

  test('records that are read for a stream', async () => {
    const before = counted('receivables_rest_rows_total');
    const query = `subscription { changes(administrationId: "${ADMINISTRATION}", kinds: [DEBTOR_CHANGED], since: "2020-01-01T00:00:00Z") { eventId } }`;
    const { body } = await gateway.post(JSON.stringify({ query }), {
      ...BEARER,
      accept: 'text/event-stream',
    });
    await expect.poll(() => counted('receivables_rest_rows_total')).toBeGreaterThan(before);
    await body?.cancel();
  });

  test('cache hits and misses', async () => {
    const cached = createTestTelemetry();
    const { query, post } = await freshGateway({
      ...cached.options,
      gateway: { ...cached.options.gateway, cacheTtlMs: 60_000 },
    });
    for (let count = 0; count < 2; count += 1) await query(LIST);
    const file = await post(JSON.stringify({ query: LIST }), { ...BEARER, accept: 'text/csv' });
    await file.text();
    await expect
      .poll(() => [
        sampleOf(cached.exposition(), 'receivables_cache_misses_total{cache="rest"}'),
        sampleOf(cached.exposition(), 'receivables_cache_hits_total{cache="rest"}'),
      ])
      .toEqual([1, 2]);
  });

  test('a read that joins a call in flight', async () => {
    const before = counted('receivables_coalesced_reads_total');
    gateway.rest.misbehave({ kind: 'delay', milliseconds: 50 });
    await Promise.all([gateway.query(LIST), gateway.query(LIST)]);
    await expect.poll(() => counted('receivables_coalesced_reads_total')).toBe(before + 1);
  });
});

test('the number of series stays small for any requests', async () => {
  const attacked = createTestTelemetry();
  const { url } = await freshGateway(attacked.options);
  await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      const path =
        index % 3 === 0 ? `/graphql?query=query N${index} { f${index} }` : `/path-${index}?a=${index}`;
      const method = ['GET', 'PUT', 'DELETE', `M${index}`][index % 4] ?? 'GET';
      const headers = { ...BEARER, 'x-request-id': `id-${index}`, 'user-agent': `agent-${index}` };
      await fetch(new URL(path, url), { method, headers }).then((response) => response.text());
    }),
  );
  for (const path of ['/health?x', '/graphql?query={__typename}', '/graphqlx'])
    await fetch(new URL(path, url)).then((response) => response.text());
  const text = attacked.exposition();
  expect(text).not.toMatch(/N\d|path-|id-|agent-|M\d/);
  const routes = Array.from(text.matchAll(/http_route="([^"]*)"/g), ([, route]) => route);
  expect(new Set(routes)).toEqual(new Set(['/graphql', 'other', '/health']));
  const series = text.split('\n').filter((line) => line.startsWith('http_server_request_duration_seconds_c'));
  expect(series.length).toBeLessThan(20);
});
