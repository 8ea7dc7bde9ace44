import type { Plugin } from 'graphql-yoga';
import { describe, expect, test } from 'vitest';
import { codesIn } from '../library/support.ts';
import { eventually } from '../support/eventually.ts';
import { BASIC, BEARER, BOTH } from '../support/gateway.ts';
import { JSON_BODY, LIST, NOTHING, useFetchGateway, WRITE } from './support.ts';

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

test('when memory is short, caches are emptied, and no new operation begins', async () => {
  const list = (first: number) => caching.post({ query: LIST.replace('first: 2', `first: ${first}`) });
  expect(codesIn(await list(11))).toEqual([]);
  caching.rest.calls.length = 0;
  caching.gateway.relieve();
  expect(codesIn(await list(4))).toEqual(['OVERLOADED']);
  await eventually(async () => expect(codesIn(await list(11))).toEqual([]));
  expect(caching.rest.calls).toHaveLength(1);
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
