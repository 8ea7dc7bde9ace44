import type { Socket } from 'node:net';
import { type ExecutionResult, GraphQLError } from 'graphql';
import { describe, expect, test } from 'vitest';
import { RestError } from '../../src/rest/errors.ts';
import { eventually } from '../support/eventually.ts';
import {
  BEARER,
  freshGateway,
  postTo,
  type TestGateway,
  type TestOptions,
  useGateway,
} from '../support/gateway.ts';
import { cut, openConnection, postOf } from '../support/sockets.ts';
import { createTestTelemetry, sampleOf } from '../support/telemetry.ts';
import { times } from '../support/times.ts';
import { event, Feed, PARTS, SSE, StreamReader, SUBSCRIPTION, useFeed } from './support.ts';

let open: () => AsyncIterable<ExecutionResult> = () => new Feed();
const plugins = [useFeed(() => open())];
const gateway = await useGateway({ gateway: { plugins } });

const subscribe = (headers: object = SSE, { url } = gateway, leaving?: AbortController) =>
  postTo(url, SUBSCRIPTION, headers, leaving);

const LARGE = 'x'.repeat(100_000);

async function unread(feed: Feed, running: { readonly url: string }): Promise<Socket> {
  open = () => feed;
  const { socket } = await openConnection(running.url);
  socket.pause();
  socket.write(postOf(SUBSCRIPTION, { ...BEARER, ...SSE }));
  return socket;
}

async function observed(listen: TestOptions['listen'] = {}) {
  const telemetry = createTestTelemetry();
  const { gateway: options, handler } = telemetry.options;
  const running = await freshGateway({ gateway: { ...options, plugins }, handler, listen });
  const lines = () => telemetry.lines().filter(({ message }) => message === 'operation');
  const sample = (name: string) => sampleOf(telemetry.exposition(), name);
  return { running, lines, sample, exposition: telemetry.exposition };
}

test('a stream is never compressed', async () => {
  open = () => new Feed().end();
  const response = await subscribe({ ...SSE, 'accept-encoding': 'gzip, br' });
  expect(response.headers.get('content-encoding')).toBeNull();
  await response.text();
});

describe('a client of a stream', () => {
  test('is disconnected with SLOW_CONSUMER if it does not read, and its source ends', async () => {
    const { running, sample, lines } = await observed({ stalledMs: 200 });
    const feed = new Feed().tell(...times(200, (number) => event(number, LARGE)));
    await cut(await unread(feed, running));
    await eventually(() => expect(feed.returned).toBe(1));
    // The gateway did not even request rows that no buffer took.
    expect(feed.asked).toBeLessThan(200);
    await eventually(() => expect(lines()).toHaveLength(1));
    expect(lines()).toMatchObject([{ level: 'info', codes: ['SLOW_CONSUMER'], endedBy: 'SLOW_CONSUMER' }]);
    expect(sample('receivables_stream_ends_total{reason="SLOW_CONSUMER"}')).toBe(1);
    expect(sample('receivables_operations_total{type="subscription",outcome="SLOW_CONSUMER"}')).toBe(1);
  });

  test('stays connected while it has nothing to read', async () => {
    const running = await freshGateway({ gateway: { plugins }, listen: { stalledMs: 200 } });
    const feed = new Feed();
    open = () => feed;
    const reader = new StreamReader(await subscribe(SSE, running));
    await reader.until(':');
    // Another one stalls, which proves that the rule was applied.
    await cut(await unread(new Feed().tell(...times(200, (number) => event(number, LARGE))), running));
    expect(feed.returned).toBe(0);
    feed.tell(event(7));
    expect(await reader.until('e7')).toContain('e7');
    await reader.cancel();
  });
});

describe('the telemetry of streams', () => {
  test('contains open streams and their events', async () => {
    const { running, sample, exposition, lines } = await observed();
    const feed = new Feed().tell(event(1), event(2));
    open = () => feed;
    const reader = new StreamReader(await subscribe(SSE, running));
    await reader.until('e2');
    expect(sample('receivables_stream_events_total')).toBe(2);
    const originalError = new RestError('UPSTREAM_UNAVAILABLE', 'It is down.');
    feed.tell({ data: null, errors: [new GraphQLError('', { originalError })] }).end();
    const text = await reader.toEnd();
    await eventually(() => expect(lines()).toHaveLength(1));
    expect(lines()).toMatchObject([
      {
        type: 'subscription',
        name: 'Live',
        status: 200,
        level: 'warn',
        codes: ['UPSTREAM_UNAVAILABLE'],
        stream: 'sse',
        events: 2,
        endedBy: 'complete',
        bytes: text.length,
      },
    ]);
    expect(sample('receivables_streams')).toBe(0);
    expect(sample('receivables_stream_ends_total{reason="complete"}')).toBe(1);
    expect(sample('receivables_operations_total{type="subscription",outcome="OK"}')).toBe(1);
    // Nobody waited for as long as it lasted.
    expect(exposition()).not.toContain('http_server_request_duration_seconds_count{');
    expect(sample('receivables_operation_rest_calls_count')).toBe(0);
  });

  test.each<
    [string, () => Feed, ((running: TestGateway, leave: () => void) => unknown) | undefined, object, string]
  >([
    [
      'that its client closes',
      () => new Feed().tell(event(1)),
      (_running, leave) => leave(),
      { level: 'info', codes: [], stream: 'multipart', events: 1 },
      'client',
    ],
    [
      'whose source fails',
      () => new Feed().tell(event(1)).fail(new Error('secret')),
      undefined,
      { level: 'error', events: 1 },
      'INTERNAL_SERVER_ERROR',
    ],
    [
      'that ends with the process',
      () => new Feed().tell(event(1)),
      (running) => running.close(),
      { codes: ['CUT_AT_SHUTDOWN'] },
      'CUT_AT_SHUTDOWN',
    ],
  ])('contains the end of a stream %s', async (_what, makeFeed, act, line, endedBy) => {
    const { running, sample, lines } = await observed();
    open = makeFeed;
    const controller = new AbortController();
    const reader = new StreamReader(await subscribe(PARTS, running, controller));
    await reader.until('e1');
    await act?.(running, () => controller.abort());
    await reader.toEnd().catch(() => {});
    await eventually(() => expect(lines()).toMatchObject([{ ...line, endedBy }]));
    expect(sample(`receivables_stream_ends_total{reason="${endedBy}"}`)).toBe(1);
    expect(sample('receivables_streams')).toBe(0);
  });
});
