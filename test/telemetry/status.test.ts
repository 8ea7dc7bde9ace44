import { describe, expect, test } from 'vitest';
import { counter, gauge, histogram } from '../../src/telemetry/metrics/metrics.ts';
import { createStatus, quantile, SAMPLE_S } from '../../src/telemetry/status.ts';

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
  const operations = counter('receivables_operations_total', '', 'type', 'outcome');
  const hits = counter('receivables_cache_hits_total', '', 'cache');
  const misses = counter('receivables_cache_misses_total', '', 'cache');
  const bounds = [0.1, 1];
  const names = ['http_request_method', 'http_route'];
  const requests = histogram('http_server_request_duration_seconds', '', bounds, names);
  const calls = histogram('http_client_request_duration_seconds', '', bounds, ['url_template']);
  const breakers = new Map<string, number>();
  const breaker = gauge('receivables_breaker_state', '', () => [...breakers], { labels: ['endpoint'] });
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

const NOTHING = {
  seconds: 60,
  operationsPerSecond: 0,
  p95Milliseconds: null,
  restCallsPerSecond: 0,
  cacheHitPercent: null,
  openBreakers: [],
};

describe('the status', () => {
  function start(isFromStart = true) {
    const metrics = someMetrics();
    let time = 1000;
    const status = createStatus({ collect: metrics.collect, isFromStart }, () => time);
    const passed = (seconds: number) => {
      time += seconds;
    };
    const statusAfter = (seconds: number) => {
      passed(seconds);
      return status.read();
    };
    /** As the gateway does: a sample every ten seconds, whether or not anybody looks. */
    const run = async (samples: number, between = () => {}) => {
      for (let sample = 0; sample < samples; sample += 1) {
        between();
        passed(SAMPLE_S);
        await status.sample();
      }
    };
    return { ...metrics, ...status, run, statusAfter };
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
    const { run, read } = start();
    await run(60);
    expect(await read()).toEqual(NOTHING);
  });

  test('one operation in a minute is not 0 a second', async () => {
    const { operate, statusAfter } = start();
    operate(1, 0.05);
    expect(await statusAfter(60)).toMatchObject({ operationsPerSecond: 0.02, restCallsPerSecond: 0.02 });
  });

  test('covers the last minute, whoever has looked before, and whenever', async () => {
    const { operate, run, statusAfter } = start();
    operate(100_000, 0.5);
    await run(360);
    await run(6, () => operate(20, 0.05));
    const seconds: number[] = [];
    for (const pause of [0, 3, 1, 5.9]) {
      const status = await statusAfter(pause);
      seconds.push(status.seconds);
      expect(status.operationsPerSecond).toBeCloseTo(2, 0);
      expect(status.p95Milliseconds).toBe(95);
    }
    expect(seconds).toEqual([60, 63, 64, 70]);
  });

  test('begins with the first look where others had counted before', async () => {
    const { operate, statusAfter } = start(false);
    operate(1000, 0.5);
    expect(await statusAfter(1)).toMatchObject({ seconds: 1, operationsPerSecond: 0, p95Milliseconds: null });
    operate(10, 0.05);
    expect(await statusAfter(5)).toMatchObject({ seconds: 5, operationsPerSecond: 2 });
  });

  test('says how long it covers where no sample could be taken, as while a computer sleeps', async () => {
    const { operate, run, statusAfter } = start();
    await run(10);
    operate(700, 0.05);
    expect(await statusAfter(700)).toMatchObject({ seconds: 700, operationsPerSecond: 1 });
    await run(7);
    expect(await statusAfter(0)).toMatchObject({ seconds: 60, operationsPerSecond: 0 });
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

  test('never goes below zero, where a process among several is gone', async () => {
    const all = someMetrics();
    const left = someMetrics();
    all.operate(20, 0.05, { isHit: true });
    all.operate(20, 0.05);
    left.operate(1, 0.05);
    let collected = all.collect();
    let time = 0;
    const status = createStatus({ collect: () => collected, isFromStart: false }, () => time);
    await status.read();
    collected = left.collect();
    time = 60;
    expect(await status.read()).toEqual(NOTHING);
  });

  test('reads nothing of metrics that are not there', async () => {
    let time = 0;
    const status = createStatus({ collect: () => [], isFromStart: true }, () => time);
    time = 60;
    expect(await status.read()).toEqual(NOTHING);
  });
});
