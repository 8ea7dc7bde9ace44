import { describe, expect, test } from 'vitest';
import type { MetricFamily } from '../../src/telemetry/metrics/family.ts';
import { Counter, Gauge, Histogram } from '../../src/telemetry/metrics/metrics.ts';
import { durationsSince, NO_TOTALS, quantile, since, totalsOf } from '../../src/telemetry/metrics/totals.ts';
import { createStatus } from '../../src/telemetry/status.ts';

const INFINITY = Number.POSITIVE_INFINITY;

describe('a quantile of a histogram', () => {
  test.each([
    ['nothing', [], undefined],
    [
      'buckets without observations',
      [
        [1, 0],
        [INFINITY, 0],
      ],
      undefined,
    ],
    [
      'one bucket, evenly spread',
      [
        [1, 100],
        [INFINITY, 100],
      ],
      0.95,
    ],
    [
      'a second bucket',
      [
        [1, 90],
        [2, 100],
        [INFINITY, 100],
      ],
      1.5,
    ],
    [
      'an empty bucket before',
      [
        [1, 0],
        [2, 10],
        [INFINITY, 10],
      ],
      1.95,
    ],
    [
      'what is beyond all bounds',
      [
        [1, 0],
        [2, 1],
        [INFINITY, 100],
      ],
      2,
    ],
  ] as const)('of %s', (_case, buckets, seconds) => {
    const estimate = quantile(0.95, buckets);
    if (seconds === undefined) expect(estimate).toBeUndefined();
    else expect(estimate).toBeCloseTo(seconds);
  });
});

/** The metrics that the status reads, and what happens to them. */
function someMetrics() {
  const operations = new Counter({
    name: 'receivables_operations_total',
    help: '',
    labels: ['type', 'outcome'],
  });
  const hits = new Counter({ name: 'receivables_cache_hits_total', help: '', labels: ['cache'] });
  const misses = new Counter({ name: 'receivables_cache_misses_total', help: '', labels: ['cache'] });
  const requests = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: '',
    labels: ['http_request_method', 'http_route'],
    buckets: [0.1, 1],
  });
  const calls = new Histogram({
    name: 'http_client_request_duration_seconds',
    help: '',
    labels: ['url_template'],
    buckets: [0.1, 1],
  });
  const breakers = new Map<string, number>();
  const breaker = new Gauge({
    name: 'receivables_breaker_state',
    help: '',
    labels: ['endpoint'],
    read: () => Array.from(breakers, ([endpoint, state]) => [[endpoint], state] as const),
  });
  return {
    breakers,
    collect: () => [operations, hits, misses, requests, calls, breaker].map((metric) => metric.collect()),
    operate(count: number, seconds: number, { isHit = false } = {}) {
      for (let index = 0; index < count; index += 1) {
        operations.add(1, 'query', index % 2 ? 'OK' : 'FORBIDDEN');
        requests.observe(seconds, 'POST', '/graphql');
        requests.observe(9, 'GET', '/docs');
        if (isHit) hits.add(1, 'rest');
        else misses.add(1, 'rest');
        if (!isHit) calls.observe(0.01, index % 2 ? '/v1/debtors' : '/v1/tasks');
      }
    },
  };
}

describe('the status', () => {
  function start(isFromStart = true) {
    const metrics = someMetrics();
    let time = 1000;
    const status = createStatus({ collect: metrics.collect, isFromStart }, () => time);
    const statusAfter = (seconds: number) => {
      time += seconds;
      return status();
    };
    return { ...metrics, statusAfter };
  }

  test('covers the time since the start, at first', async () => {
    const { operate, statusAfter } = start();
    operate(30, 0.05);
    operate(10, 0.05, { isHit: true });
    expect(await statusAfter(20)).toEqual({
      seconds: 20,
      operationsPerSecond: 2,
      p95Milliseconds: 95,
      restCallsPerSecond: 1.5,
      cacheHitPercent: 25,
      openBreakers: [],
    });
  });

  test('has no number for what did not happen', async () => {
    const { statusAfter } = start();
    expect(await statusAfter(600)).toEqual({
      seconds: 600,
      operationsPerSecond: 0,
      p95Milliseconds: null,
      restCallsPerSecond: 0,
      cacheHitPercent: null,
      openBreakers: [],
    });
  });

  test('covers the time since the first of several looks, and then a minute', async () => {
    const { operate, statusAfter } = start();
    operate(1000, 0.5);
    expect(await statusAfter(3600)).toMatchObject({ seconds: 3600, operationsPerSecond: 0.3 });
    const seconds: number[] = [];
    for (let look = 0; look < 30; look += 1) {
      operate(10, 0.05);
      const status = await statusAfter(5);
      seconds.push(status.seconds);
      expect(status).toMatchObject({ operationsPerSecond: 2, p95Milliseconds: 95 });
    }
    expect(seconds.slice(0, 3)).toEqual([5, 10, 15]);
    expect(seconds.slice(-15).every((each) => each === 60)).toBe(true);
  });

  test('begins with the first look where others had counted before', async () => {
    const { operate, statusAfter } = start(false);
    operate(1000, 0.5);
    expect(await statusAfter(1)).toMatchObject({ seconds: 1, operationsPerSecond: 0, p95Milliseconds: null });
    operate(10, 0.05);
    expect(await statusAfter(5)).toMatchObject({ seconds: 5, operationsPerSecond: 2 });
  });

  test('covers a pause as a whole, and begins anew after it', async () => {
    const { operate, statusAfter } = start();
    await statusAfter(5);
    operate(700, 0.05);
    expect(await statusAfter(700)).toMatchObject({ seconds: 700, operationsPerSecond: 1 });
    expect(await statusAfter(2)).toMatchObject({ seconds: 702 });
    expect(await statusAfter(3)).toMatchObject({ seconds: 5, operationsPerSecond: 0 });
  });

  test('is the same again for whoever asks within a second', async () => {
    const { operate, statusAfter } = start();
    const first = statusAfter(10);
    operate(100, 0.05);
    expect(statusAfter(0.9)).toBe(first);
    expect(await statusAfter(0.1)).toMatchObject({ seconds: 11, operationsPerSecond: 9.1 });
  });

  test('names the endpoints whose breaker is open, or just being tried', async () => {
    const { breakers, statusAfter } = start();
    breakers.set('GET /v1/debtors', 2).set('GET /v1/tasks', 0).set('PUT /v1/tasks/{id}', 1);
    expect((await statusAfter(1)).openBreakers).toEqual(['GET /v1/debtors', 'PUT /v1/tasks/{id}']);
  });

  test('never goes below zero, where a process among several is gone', () => {
    const { operate, collect } = someMetrics();
    operate(2, 0.05);
    const before = totalsOf(collect());
    expect(durationsSince(NO_TOTALS, before)).toEqual([]);
    expect(durationsSince({ ...before, durations: [[0.1, 1]] }, before)).toEqual([[0.1, 0]]);
    expect(since(1, 2)).toBe(0);
  });

  test('reads nothing of metrics that are not there', () => {
    const none: MetricFamily[] = [];
    expect(totalsOf(none)).toEqual(NO_TOTALS);
  });
});
