import type { ExecutionResult } from 'graphql';
import { describe, expect, onTestFinished, test } from 'vitest';
import { event, Feed, PARTS, SSE, StreamReader, SUBSCRIPTION, useFeed } from '../streams/support.ts';
import { eventually } from '../support/eventually.ts';
import { BEARER } from '../support/gateway.ts';
import { times } from '../support/times.ts';
import { MOUNTS, type Mount } from './mounts.ts';
import { startLibrary } from './support.ts';

async function useMount({ graphqlEndpoint, start }: Mount, open: () => AsyncIterable<ExecutionResult>) {
  const library = await startLibrary({
    ...(graphqlEndpoint !== undefined && { graphqlEndpoint }),
    plugins: [useFeed(open)],
  });
  const { port, close } = await start(library.gateway);
  onTestFinished(async () => {
    await close();
    await library.close();
  });
  const subscribe = (headers: object, signal: AbortSignal) =>
    fetch(`http://127.0.0.1:${port}${library.gateway.graphqlEndpoint}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...BEARER, ...headers },
      body: JSON.stringify({ query: SUBSCRIPTION }),
      signal,
    });
  return { ...library, subscribe };
}

describe.each(MOUNTS)('$name', (mount) => {
  test.each([SSE, PARTS])('sends each event as it comes, to the end (%j)', async (accepted) => {
    const feed = new Feed();
    const { subscribe, gateway } = await useMount(mount, () => feed);
    const response = await subscribe(accepted, new AbortController().signal);
    const reader = new StreamReader(response);
    for (const number of [1, 2]) {
      feed.tell(event(number));
      await reader.until(`e${number}`);
    }
    feed.end();
    expect(await reader.toEnd()).toMatch(/(event: complete\ndata: \n\n|--graphql--\r\n)$/);
    await eventually(() => expect(gateway.stats()).toMatchObject({ operationsInFlight: 0 }));
  });

  test.each([
    ['while nothing comes', (feed: Feed) => feed],
    ['while events come', (feed: Feed) => feed.tell(...times(300, event))],
  ])('ends a stream whose client leaves %s', async (_when, prepare) => {
    const feed = prepare(new Feed());
    const { subscribe, gateway } = await useMount(mount, () => feed);
    const controller = new AbortController();
    await new StreamReader(await subscribe(SSE, controller.signal)).until(':');
    controller.abort();
    await eventually(() => expect(feed.returned).toBe(1));
    await eventually(() => expect(gateway.stats()).toMatchObject({ operationsInFlight: 0 }));
  });
});
