import type { ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { RunningOperation, StreamProgress } from '../../src/request/operation.ts';
import type { Cancellation } from '../../src/rest/cancellation.ts';
import { ENDPOINT, JSON_BODY, LIST, useFetchGateway, WRITE } from '../http/support/fetch-gateway.ts';
import { eventually } from '../support/eventually.ts';
import { BEARER } from '../support/gateway.ts';
import {
  event,
  eventsIn,
  Feed,
  PARTS,
  partsIn,
  SSE,
  StreamReader,
  SUBSCRIPTION,
  useFeed,
} from './support.ts';

let open: () => AsyncIterable<ExecutionResult> | ExecutionResult = () => new Feed();
/** The methods that the gateway's own feed offers to the transport. */
let progress: StreamProgress | undefined;
let cancellation: Cancellation | undefined;
const useProgress: Plugin<{ operation: RunningOperation }> = {
  onSubscribe({ args }) {
    const { operation } = args.contextValue;
    ({ cancellation } = operation);
    if (progress) operation.runMode = { kind: 'events', progress };
  },
};
let onResponse: NonNullable<Plugin['onResponse']> = () => {};
const useOnResponse: Plugin = { onResponse: (payload) => onResponse(payload) };
const gateway = await useFetchGateway({ plugins: [useProgress, useFeed(() => open()), useOnResponse] });
beforeEach(() => {
  onResponse = () => {};
});

function subscribe(
  feed: AsyncIterable<ExecutionResult> | ExecutionResult,
  headers: object = SSE,
  given?: StreamProgress,
) {
  open = () => feed;
  progress = given;
  return gateway.gateway.fetch(ENDPOINT, {
    method: 'POST',
    headers: { ...JSON_BODY, ...BEARER, ...headers },
    body: JSON.stringify({ query: SUBSCRIPTION }),
  });
}

describe('a stream of SSE', () => {
  test('has headers against buffering, and starts before its first event', async () => {
    const feed = new Feed();
    const response = await subscribe(feed);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'private, no-store, no-transform',
      'x-accel-buffering': 'no',
      incremental: '?1',
      vary: 'Accept, Accept-Encoding',
      'x-request-id': expect.any(String),
    });
    const reader = new StreamReader(response);
    expect(await reader.until('\n\n')).toBe(':\n\n');
    feed.tell(event(1)).end();
    expect(await reader.toEnd()).toBe(
      ':\n\nevent: next\ndata: {"data":{"changes":{"cursor":"c1","eventId":"e1"}}}\n\nevent: complete\ndata: \n\n',
    );
  });

  test.each([
    ['fails', () => new Feed().tell(event(1)).fail(new Error('secret'))],
    ['sends a value that is not JSON', () => new Feed().tell(event(1), { data: { changes: 1n } }, event(2))],
    ['sends an empty result', () => new Feed().tell(event(1), {})],
  ])('ends with an error if its source %s', async (_how, makeFeed) => {
    const reader = new StreamReader(await subscribe(makeFeed(), SSE, { cursor: 'c0', position: 'c0' }));
    const [first, second, ...end] = eventsIn(await reader.toEnd());
    expect([first, second]).toMatchObject([
      { data: event(1) },
      { data: { errors: [{ extensions: { code: 'INTERNAL_SERVER_ERROR', ends: true, cursor: 'c0' } }] } },
    ]);
    expect(end).toEqual([{ event: 'complete', data: '', id: 'c0' }]);
    expect(reader.text).not.toContain('secret');
    expect(gateway.log).toMatchObject([{ level: 'error', message: 'unexpected error' }]);
  });

  test('has each result on one line', async () => {
    const text = 'a\r\nb\u2028c\u0085d "quoted" ünï 😀\n\ndata: x';
    const response = await subscribe(new Feed().tell(event(1, text)).end());
    const [first] = eventsIn(await new StreamReader(response).toEnd());
    expect(first?.data).toEqual(event(1, text));
  });

  test('has a heartbeat while there are no events', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const feed = new Feed();
    const reader = new StreamReader(await subscribe(feed));
    await reader.until(':\n\n');
    for (const beats of [2, 3]) {
      const beat = reader.until(':\n\n'.repeat(beats));
      await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
      await vi.advanceTimersByTimeAsync(12_000);
      expect(await beat).toBe(':\n\n'.repeat(beats));
    }
    feed.tell(event(1)).end();
    expect(eventsIn(await reader.toEnd())).toHaveLength(2);
    expect(feed.asked).toBe(2);
  });

  test('ends with the reason if the gateway ends it', async () => {
    const feed = new Feed();
    const reader = new StreamReader(await subscribe(feed, SSE, { cursor: 'c0', position: 'c0' }));
    await reader.until(':');
    cancellation?.abort('no room');
    expect(eventsIn(await reader.toEnd())).toMatchObject([
      {
        id: 'c0',
        data: { data: null, errors: [{ extensions: { code: 'OVERLOADED', cursor: 'c0', ends: true } }] },
      },
      { event: 'complete', id: 'c0' },
    ]);
    expect(feed.returned).toBe(1);
  });
});

describe('a client that disconnects from a stream', () => {
  const waitingForever = () =>
    (async function* (): AsyncGenerator<ExecutionResult> {
      await new Promise(() => {});
      yield event(1);
    })();

  test('leaves nothing in use, even if the source does not stop', async () => {
    const reader = new StreamReader(await subscribe(waitingForever()));
    await reader.until(':');
    await reader.cancel();
    // Checked after each test: nothing is held.
  });

  test('ends the source even before it is read', async () => {
    const feed = new Feed();
    open = () => feed;
    const controller = new AbortController();
    await gateway.gateway.fetch(ENDPOINT, {
      method: 'POST',
      headers: { ...JSON_BODY, ...BEARER, ...SSE },
      body: JSON.stringify({ query: SUBSCRIPTION }),
      signal: controller.signal,
    });
    controller.abort();
    await eventually(() => expect(feed.returned).toBe(1));
  });
});

test.each<[string, NonNullable<Plugin['onResponse']>]>([
  ['replaces the response of a stream', ({ setResponse }) => setResponse(new Response('other'))],
  [
    'fails after a stream has opened',
    () => {
      throw new Error('secret');
    },
  ],
])('a plugin that %s ends the source of the stream', async (_what, hook) => {
  onResponse = hook;
  const feed = new Feed();
  expect(await (await subscribe(feed)).text()).not.toContain(':\n\n');
  await eventually(() => expect(feed.returned).toBe(1));
});

describe('a client that accepts only streams', () => {
  const post = (params: object, headers: object = SSE) => gateway.post(params, { ...BEARER, ...headers });

  test('gets the result of a query or mutation as a stream of one event', async () => {
    for (const query of [LIST, WRITE]) {
      const json = await gateway.post({ query });
      const sse = await post({ query });
      expect(sse.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
      const { data } = json.body;
      expect(eventsIn(sse.text)).toMatchObject([
        { event: 'next', data: { data } },
        { event: 'complete', data: '' },
      ]);
      const parts = await post({ query }, PARTS);
      expect(partsIn(parts.text)).toMatchObject([{ payload: { data } }]);
      expect(parts.text).toMatch(/\r\n--graphql--\r\n$/);
    }
  });

  test.each([
    ['with a syntax error', { query: '{' }, 'GRAPHQL_PARSE_FAILED'],
    ['that is invalid', { query: '{ x }' }, 'GRAPHQL_VALIDATION_FAILED'],
  ])('gets an event with the error of a document %s', async (_what, params, code) => {
    for (const headers of [SSE, PARTS]) {
      const answer = await post(params, headers);
      expect(answer.status).toBe(200);
      const [result] = headers === SSE ? eventsIn(answer.text).map(({ data }) => data) : partsIn(answer.text);
      expect(headers === SSE ? result : (result as { payload: object }).payload).toMatchObject({
        errors: [{ extensions: { code, ends: true } }],
      });
    }
    const json = await gateway.post(params, BEARER);
    expect(json.text).not.toContain('"ends"');
  });
});

test('a client that also accepts JSON gets a subscription as the stream that it prefers', async () => {
  const accept = 'application/json, multipart/mixed;subscriptionSpec=1.0;q=0.5, text/event-stream;q=0.9';
  const response = await subscribe(new Feed().end(), { accept });
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  await response.text();
});
