import { describe, expect, onTestFinished, test } from 'vitest';
import { event, Feed, PARTS, SSE, StreamReader, SUBSCRIPTION, useFeed } from '../streams/support.ts';
import { eventually } from '../support/eventually.ts';
import { ADMINISTRATION, BEARER } from '../support/gateway.ts';
import { times } from '../support/times.ts';
import { MOUNTS, type Mount } from './mounts.ts';
import { codesIn, type Options, read, startLibrary } from './support.ts';

const DEBTORS = `{ debtors(administrationId: "${ADMINISTRATION}", first: 2) { nodes { internalId name } } }`;
const WRITE = 'mutation { unmarkTaskCompleted(input: { taskId: "400001" }) { task { internalId } } }';
/** Nothing ends by itself within the test. */
const PATIENT = { REST_TIMEOUT_MS: '600000', REQUEST_TIMEOUT_MS: '600000' };

async function useMount(
  { graphqlEndpoint, start }: Mount,
  env: Readonly<Record<string, string>> = {},
  options: Options = {},
) {
  const library = await startLibrary(
    { ...options, ...(graphqlEndpoint !== undefined && { graphqlEndpoint }) },
    { CACHE_TTL_MS: '0', ...env },
  );
  onTestFinished(library.close);
  const port = await start(library.gateway);
  const url = `http://127.0.0.1:${port}${library.gateway.graphqlEndpoint}`;
  const send = (body: string, headers: Record<string, string> = BEARER, signal: AbortSignal | null = null) =>
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body, signal });
  return {
    ...library,
    url,
    send,
    query: async (query: string, headers?: Record<string, string>) =>
      read(await send(JSON.stringify({ query }), headers)),
    endsAll: () =>
      eventually(() =>
        expect(library.gateway.stats()).toMatchObject({ operationsInFlight: 0, memory: { operations: 0 } }),
      ),
  };
}

describe.each(MOUNTS)('$name', (mount) => {
  test('executes a query by POST and GET, and a mutation only by POST', async () => {
    const { url, query, rest, calls } = await useMount(mount);
    const get = async (text: string) =>
      read(await fetch(`${url}?query=${encodeURIComponent(text)}`, { headers: BEARER }));
    const answer = await query(DEBTORS);
    expect(answer).toMatchObject({ status: 200, body: { data: { debtors: { nodes: { length: 2 } } } } });
    expect((await get(DEBTORS)).body.data).toEqual(answer.body.data);
    expect(rest.calls.map(({ headers: { authorization } }) => authorization)).toEqual(
      times(2, () => BEARER.authorization),
    );
    expect((await get(WRITE)).status).toBe(405);
    expect(calls()).toHaveLength(2);
    expect(codesIn(await query(WRITE))).toEqual([]);
    expect(calls()).toHaveLength(3);
    expect(codesIn(await query('{ nonsense }'))).toEqual(['GRAPHQL_VALIDATION_FAILED']);
  });

  test('executes an array in its order, and cancels its calls when the client disconnects', async () => {
    const { send, rest, endsAll } = await useMount(mount, PATIENT);
    const body = JSON.stringify([{ query: DEBTORS }, { query: '{' }, { query: '{ __typename }' }]);
    expect(await (await send(body)).json()).toMatchObject([
      { data: { debtors: { nodes: { length: 2 } } } },
      { errors: [{ extensions: { code: 'GRAPHQL_PARSE_FAILED' } }] },
      { data: { __typename: 'Query' } },
    ]);
    for (const left of [body, JSON.stringify({ query: DEBTORS })]) {
      rest.calls.length = 0;
      rest.misbehave({ kind: 'hang' });
      const controller = new AbortController();
      const leaving = send(left, BEARER, controller.signal);
      await eventually(() => expect(rest.calls).toHaveLength(1));
      controller.abort();
      await expect(leaving).rejects.toThrow();
      await eventually(() => expect(rest.calls).toMatchObject([{ aborted: true }]));
      await endsAll();
    }
  });

  test('rejects a form, and a body of more than a megabyte', async () => {
    const { url, send, query, calls } = await useMount(mount);
    const large = await read(await send(JSON.stringify({ query: DEBTORS, padding: 'x'.repeat(1_100_000) })));
    expect(large.status).toBe(413);
    expect(codesIn(large)).toEqual(mount.parsesBodies ? [] : ['PAYLOAD_TOO_LARGE']);
    // A body without a length is refused once too much of it has arrived.
    const body = new Blob(['x'.repeat(1_100_000)]).stream();
    const type = { 'content-type': 'application/json' };
    const streamed = { method: 'POST', headers: type, body, duplex: 'half' };
    const chunked = await fetch(url, streamed);
    expect(chunked.status).toBe(413);
    const form = new URLSearchParams({ query: DEBTORS }).toString();
    const formHeaders = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await send(form, { ...BEARER, ...formHeaders })).status).toBe(415);
    expect(calls()).toEqual([]);
    expect(codesIn(await query(DEBTORS))).toEqual([]);
  });

  const subscribe = async (feed: Feed, accepted: Record<string, string>, signal?: AbortSignal) => {
    const mounted = await useMount(mount, {}, { plugins: [useFeed(() => feed)] });
    const response = await mounted.send(
      JSON.stringify({ query: SUBSCRIPTION }),
      { ...BEARER, ...accepted },
      signal,
    );
    return { ...mounted, reader: new StreamReader(response) };
  };

  test.each([SSE, PARTS])('sends each event of a stream at once (%j)', async (accepted) => {
    const feed = new Feed();
    const { reader, endsAll } = await subscribe(feed, accepted);
    for (const number of [1, 2]) {
      feed.tell(event(number));
      await reader.until(`e${number}`);
    }
    feed.end();
    expect(await reader.toEnd()).toMatch(/(event: complete\ndata: \n\n|--graphql--\r\n)$/);
    await endsAll();
  });

  test.each([0, 300])('ends a stream when its client disconnects, with %i events queued', async (count) => {
    const feed = new Feed().tell(...times(count, event));
    const controller = new AbortController();
    const { reader, endsAll } = await subscribe(feed, SSE, controller.signal);
    await reader.until(':');
    controller.abort();
    await eventually(() => expect(feed.returned).toBe(1));
    await endsAll();
  });
});
