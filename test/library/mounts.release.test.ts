import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { ADMINISTRATION, BEARER, FOREIGN_ADMINISTRATION, OTHER_BEARER } from '../support/gateway.ts';
import { MOUNTS, type Mount } from './mounts.ts';
import { codesIn, read, startLibrary } from './support.ts';

const DEBTORS = `{ debtors(administrationId: "${ADMINISTRATION}", first: 2) { nodes { internalId name } } }`;
const FOREIGN = `{ debtors(administrationId: "${FOREIGN_ADMINISTRATION}", first: 1) { nodes { administrationId } } }`;
const WRITE = 'mutation { unmarkTaskCompleted(input: { taskId: "400001" }) { task { internalId } } }';
const DEADLINE = 400;

/** A mounted gateway without a cache, so that each test sees every call. */
async function useMount({ graphqlEndpoint, start }: Mount, env: Readonly<Record<string, string>> = {}) {
  const options = graphqlEndpoint === undefined ? {} : { graphqlEndpoint };
  const library = await startLibrary(options, { CACHE_TTL_MS: '0', ...env });
  const { port, close } = await start(library.gateway);
  onTestFinished(async () => {
    await close();
    await library.close();
  });
  const url = `http://127.0.0.1:${port}${library.gateway.graphqlEndpoint}`;
  const post = (body: string, headers: Record<string, string> = BEARER, signal: AbortSignal | null = null) =>
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body, signal });
  return {
    ...library,
    url,
    post: async (body: string, headers?: Record<string, string>) => read(await post(body, headers)),
    send: post,
    query: async (query: string, headers?: Record<string, string>) =>
      read(await post(JSON.stringify({ query }), headers)),
  };
}

describe.each(MOUNTS)('$name', (mount) => {
  test('answers a query, by POST and by GET', async () => {
    const { url, rest, query } = await useMount(mount);
    const answer = await query(DEBTORS);
    expect(answer).toMatchObject({ status: 200, body: { data: { debtors: { nodes: { length: 2 } } } } });
    expect(answer.body.errors).toBeUndefined();
    expect(answer.headers.get('content-type')).toMatch(/^application\/(graphql-response\+)?json/);
    const got = await read(await fetch(`${url}?query=${encodeURIComponent(DEBTORS)}`, { headers: BEARER }));
    expect(got.body.data).toEqual(answer.body.data);
    expect(rest.calls.map(({ headers: { authorization } }) => authorization)).toEqual([
      BEARER.authorization,
      BEARER.authorization,
    ]);
  });

  test('sends a write once, and refuses it by GET', async () => {
    const { url, query, calls } = await useMount(mount);
    const refused = await fetch(`${url}?query=${encodeURIComponent(WRITE)}`, { headers: BEARER });
    expect(refused.status).toBe(405);
    expect(calls()).toEqual([]);
    expect(await query(WRITE)).toMatchObject({
      status: 200,
      body: { data: { unmarkTaskCompleted: { task: { internalId: '400001' } } } },
    });
    expect(calls()).toHaveLength(1);
  });

  test('answers an array of operations in its order, and gives up its calls when the client leaves', async () => {
    // Nothing ends by itself within the test.
    const env = { REST_TIMEOUT_MS: '600000', REQUEST_TIMEOUT_MS: '600000' };
    const { send, rest, gateway } = await useMount(mount, env);
    const body = JSON.stringify([{ query: DEBTORS }, { query: '{' }, { query: '{ __typename }' }]);
    const answer = await send(body);
    expect(await answer.json()).toMatchObject([
      { data: { debtors: { nodes: { length: 2 } } } },
      { errors: [{ extensions: { code: 'GRAPHQL_PARSE_FAILED' } }] },
      { data: { __typename: 'Query' } },
    ]);
    rest.calls.length = 0;
    rest.misbehave({ kind: 'hang' });
    const controller = new AbortController();
    const left = send(body, BEARER, controller.signal);
    await eventually(() => expect(rest.calls).toHaveLength(1));
    controller.abort();
    await expect(left).rejects.toThrow();
    await eventually(() => {
      expect(rest.calls).toMatchObject([{ aborted: true }]);
      expect(gateway.stats()).toMatchObject({ operationsInFlight: 0, memory: { operations: 0 } });
    });
  });

  test('says what is wrong with a document, and calls nothing', async () => {
    const { query, calls } = await useMount(mount);
    expect(codesIn(await query('{ nonsense }'))).toEqual(['GRAPHQL_VALIDATION_FAILED']);
    expect(codesIn(await query('{'))).toEqual(['GRAPHQL_PARSE_FAILED']);
    expect(calls()).toEqual([]);
  });

  test('keeps callers apart, also when they ask at once and answers are cached', async () => {
    const { query } = await useMount(mount, { CACHE_TTL_MS: '60000' });
    for (const _round of ['network', 'cache']) {
      const answers = await Promise.all([
        query(DEBTORS),
        query(DEBTORS, OTHER_BEARER),
        query(FOREIGN),
        query(FOREIGN, OTHER_BEARER),
        query(DEBTORS, {}),
      ]);
      expect(answers.map(codesIn)).toEqual([[], ['FORBIDDEN'], ['FORBIDDEN'], [], ['UNAUTHENTICATED']]);
    }
  });

  test('answers at the deadline, and gives the call up', async () => {
    const { query, rest } = await useMount(mount, { REQUEST_TIMEOUT_MS: String(DEADLINE) });
    rest.misbehave({ kind: 'hang', times: 10 });
    const answer = await query(DEBTORS);
    expect(codesIn(answer)).toEqual(['UPSTREAM_TIMEOUT']);
    expect(answer.text).not.toContain(rest.url);
    await eventually(() => expect(rest.calls).toMatchObject([{ aborted: true }]));
  });

  test('refuses a body of more than a megabyte, and a form', async () => {
    const { post, query, calls } = await useMount(mount);
    const padding = 'x'.repeat(1_100_000);
    const refused = await post(JSON.stringify({ query: DEBTORS, padding }));
    expect(refused.status).toBe(413);
    expect(codesIn(refused)).toEqual(mount.parsesBodies ? [] : ['PAYLOAD_TOO_LARGE']);
    const form = new URLSearchParams({ query: DEBTORS }).toString();
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(await post(form, { ...BEARER, ...type })).toMatchObject({ status: 415 });
    expect(calls()).toEqual([]);
    expect(codesIn(await query(DEBTORS))).toEqual([]);
  });

  test('gives up the REST calls of a client that leaves, and holds nothing for it', async () => {
    const { send, rest, gateway } = await useMount(mount);
    rest.misbehave({ kind: 'hang' });
    const controller = new AbortController();
    const left = send(JSON.stringify({ query: DEBTORS }), BEARER, controller.signal).then(
      () => 'answered',
      () => 'left',
    );
    await eventually(() => expect(rest.calls).toHaveLength(1));
    controller.abort();
    expect(await left).toBe('left');
    await eventually(() => {
      expect(rest.calls).toMatchObject([{ aborted: true }]);
      expect(gateway.stats().memory.operations).toBe(0);
    });
  });
});
