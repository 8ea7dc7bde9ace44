import type { Plugin } from 'graphql-yoga';
import { describe, expect, test } from 'vitest';
import { linesIn } from '../export/support.ts';
import { codesIn } from '../library/support.ts';
import { eventually } from '../support/eventually.ts';
import { BASIC, BEARER, BOTH } from '../support/gateway.ts';
import { ENDPOINT, JSON_BODY, LIST, NOTHING, useFetchGateway, WRITE } from './support.ts';

const VIEWER = '{ viewer { scopes } }';
const APPLICATION = 'mutation { introspectToken(input: { token: "x" }) { active } }';

const gateway = await useFetchGateway();
const caching = await useFetchGateway({}, { CACHE_TTL_MS: '60000' });
const hasty = await useFetchGateway({}, { REQUEST_TIMEOUT_MS: '400' });

const sentBy = ({ rest }: typeof gateway) =>
  rest.calls.map(({ headers: { authorization } }) => authorization);

describe('the REST service is called', () => {
  test('with the credential of the caller, in its usual spelling', async () => {
    await gateway.post(
      { query: LIST },
      { authorization: BEARER.authorization.replace('Bearer ', 'bearer   ') },
    );
    expect(sentBy(gateway)).toEqual([BEARER.authorization]);
  });

  test('with each of two credentials where it belongs', async () => {
    await gateway.post({ query: LIST }, BOTH);
    await gateway.post({ query: APPLICATION }, BOTH);
    expect(sentBy(gateway)).toEqual([BEARER.authorization, BASIC.authorization]);
  });

  test('without any where the caller has none, and not at all where one is needed', async () => {
    expect(codesIn(await gateway.post({ query: LIST }, {}))).toEqual(['UNAUTHENTICATED']);
    expect(codesIn(await gateway.post({ query: APPLICATION }, BEARER))).toEqual(['UNAUTHENTICATED']);
    expect(sentBy(gateway)).toEqual([]);
  });

  test("with the gateway's own application for `viewer`", async () => {
    expect(codesIn(await gateway.post({ query: VIEWER }))).toEqual([]);
    expect(sentBy(gateway)).toEqual([BASIC.authorization]);
  });

  test('again if the caller wants to see nothing cached', async () => {
    await caching.post({ query: LIST });
    await caching.post({ query: LIST });
    expect(caching.calls()).toHaveLength(1);
    await caching.post({ query: LIST }, { ...BEARER, 'cache-control': 'no-cache' });
    expect(caching.calls()).toHaveLength(2);
  });
});

test.each([
  ['a query', LIST],
  ['a write', WRITE],
])('at its deadline %s is answered, gives its calls up, and holds nothing', async (_what, query) => {
  hasty.rest.misbehave({ kind: 'hang', times: 10 });
  const answer = await hasty.post({ query });
  expect(codesIn(answer)).toEqual(['UPSTREAM_TIMEOUT']);
  await eventually(() => expect(hasty.rest.calls).toMatchObject([{ aborted: true }]));
  await eventually(() => expect(hasty.held()).toEqual(NOTHING));
});

test('when memory is short, caches are emptied, and the newest operation ends but never one that writes', async () => {
  const list = (first: number) => caching.post({ query: LIST.replace('first: 2', `first: ${first}`) });
  expect(codesIn(await list(11))).toEqual([]);
  caching.rest.calls.length = 0;
  caching.rest.misbehave({ kind: 'delay', milliseconds: 300, times: 5 });
  const answers = Promise.all([list(12), list(13), list(14), list(15), caching.post({ query: WRITE })]);
  await eventually(() => expect(caching.rest.calls).toHaveLength(5));
  caching.gateway.relieve();
  const [oldest, , , newest, write] = (await answers).map(codesIn);
  expect([oldest, newest, write]).toEqual([[], ['OVERLOADED'], []]);
  caching.rest.calls.length = 0;
  await list(11);
  expect(caching.rest.calls).toHaveLength(1);
});

test('when memory is short, an export ends with where to go on, and the rest of it can be had', async () => {
  const ndjson = (parameters: object = {}) => {
    const query = LIST.replace(', first: 2', '');
    const url = `${ENDPOINT}.ndjson?${new URLSearchParams({ query, ...parameters })}`;
    return gateway.gateway.fetch(url, { headers: { ...BEARER } });
  };
  const whole = linesIn(await (await ndjson()).text());
  gateway.rest.calls.length = 0;
  const response = ndjson();
  // The second page is asked for as the first is written.
  gateway.rest.misbehave({ kind: 'rewrite', rewrite: (body) => body });
  gateway.rest.misbehave({ kind: 'hang' });
  await eventually(() => expect(gateway.rest.calls).toHaveLength(2));
  gateway.gateway.relieve();
  const cut = linesIn(await (await response).text());
  const { error, after } = cut.pop() ?? {};
  expect(error).toMatchObject({ code: 'OVERLOADED' });
  const rest = linesIn(await (await ndjson({ after: String(after) })).text());
  expect([...cut, ...rest.slice(0, -1)]).toEqual(whole.slice(0, -1));
});

/** Whether there is a session, as the parameters are read. */
const sessions: [string, boolean][] = [];
const useLooking: Plugin = {
  onRequestParse: ({ serverContext }) => void sessions.push(['onRequestParse', 'rest' in serverContext]),
  onResultProcess: ({ serverContext }) => void sessions.push(['onResultProcess', 'rest' in serverContext]),
};
const looking = await useFetchGateway({ plugins: [useLooking] });
const full = await useFetchGateway({ plugins: [useLooking], maxOperations: 0 });

test('there is a session before the parameters are read, and none for what is not admitted', async () => {
  sessions.length = 0;
  await looking.fetch({ method: 'POST', headers: JSON_BODY, body: '{' });
  expect(sessions).toEqual([
    ['onRequestParse', true],
    ['onResultProcess', true],
  ]);
  sessions.length = 0;
  await full.post({ query: LIST });
  expect(sessions).toEqual([['onResultProcess', false]]);
});
