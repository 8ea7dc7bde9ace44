import type { Plugin } from 'graphql-yoga';
import { describe, expect, test } from 'vitest';
import type { ReadResponse } from '../library/support.ts';
import { BASIC, BEARER, FOREIGN_ADMINISTRATION, OTHER_BEARER } from '../support/gateway.ts';
import { LIST, pluginSlot, TYPENAME, useFetchGateway } from './support/fetch-gateway.ts';

const LIMITED = { CREDENTIAL_CALLS_PER_MINUTE: '10' };
const { plugin: useGiven, withPlugin } = pluginSlot();
const gateway = await useFetchGateway();
const caching = await useFetchGateway({}, { CACHE_TTL_MS: '60000' });
const full = await useFetchGateway({ maxOperations: 0 }, LIMITED);
const limited = await useFetchGateway({ plugins: [useGiven] }, LIMITED);
const plugged = await useFetchGateway({ plugins: [useGiven] });
const FAIL: Plugin = {
  onRequest() {
    throw new Error('secret');
  },
};

const DURATION = String.raw`rest;dur=[\d.]+`;
const timingOf = ({ headers }: ReadResponse) => headers.get('server-timing') ?? '';

test('Server-Timing has the number of REST calls, and whether the cache was used', async () => {
  const lines = 'declarationLines(administrationId: "1001", first: 1) { nodes { id } }';
  for (const [query, timing] of [
    [LIST, '1 call", cache;desc=miss'],
    [LIST, '0 calls", cache;desc=hit'],
    [LIST.replace(/\}$/, `${lines} }`), '1 call", cache;desc=partial'],
    [
      `{ ${lines.replace('first: 1', 'first: 2')} ${LIST.slice(LIST.indexOf('debtors'), -1).replace('2', '3')} }`,
      '2 calls", cache;desc=miss',
    ],
    [TYPENAME, undefined],
    ['{ nonsense }', undefined],
  ] as const) {
    const rest = timing === undefined ? '' : `${DURATION};desc="${timing}, `;
    expect(timingOf(await caching.post({ query }))).toMatch(new RegExp(`^${rest}total;dur=[\\d.]+$`));
  }
});

describe('a response contains the rest of the quota of its credential', () => {
  const rateOf = ({ headers }: ReadResponse) => [
    headers.get('ratelimit-policy'),
    /;r=(\d+);t=\d+$/.exec(headers.get('ratelimit') ?? '')?.[1],
  ];
  const left = (remaining: number) => ['"credential";q=10;w=60', String(remaining)];
  const NONE = [null, undefined];

  test('after all calls of its operation, even if it fails', async () => {
    expect(rateOf(await limited.post({ query: LIST }))).toEqual(left(9));
    const debtors = LIST.slice(LIST.indexOf('debtors'), -1);
    const two = `{ a: ${debtors} b: ${debtors.replace('1001', '1002')} }`;
    expect(rateOf(await limited.post({ query: two }))).toEqual(left(7));
    for (const params of [{ query: TYPENAME }, { query: '{ nonsense }' }, { query: '{' }, {}])
      expect(rateOf(await limited.post(params))).toEqual(left(7));
    const other: Plugin = {
      onResponse: ({ setResponse, fetchAPI }) => setResponse(new fetchAPI.Response('mine', { status: 203 })),
    };
    expect(rateOf(await withPlugin(other, () => limited.post({ query: LIST })))).toEqual(left(6));
    expect(rateOf(await withPlugin(FAIL, () => limited.post({ query: LIST })))).toEqual(NONE);
  });

  test('separately for each credential, and not without a credential, a limit or a slot', async () => {
    const query = LIST.replace('1001', FOREIGN_ADMINISTRATION);
    expect(rateOf(await limited.post({ query }, OTHER_BEARER))).toEqual(left(9));
    expect(rateOf(await limited.post({ query: TYPENAME }, BASIC))).toEqual(left(10));
    expect(rateOf(await limited.post({ query: TYPENAME }, { authorization: 'nonsense' }))).toEqual(NONE);
    expect(rateOf(await limited.fetch({ method: 'PUT', headers: BEARER }))).toEqual(NONE);
    expect(rateOf(await gateway.post({ query: LIST }))).toEqual(NONE);
    expect(rateOf(await full.post({ query: LIST }))).toEqual(NONE);
  });
});

describe('the extensions of a response', () => {
  const EXPLAINED = { ...BEARER, 'x-explain': 'true' };

  test('contain the cost, and list the calls with `X-Explain: true`', async () => {
    const { body, text } = await caching.post({ query: LIST.replace('2', '5') }, EXPLAINED);
    expect(body.extensions).toEqual({
      cost: { estimatedCalls: 1, maxCalls: 50, calls: 1, cacheHits: 0, coalesced: 0 },
      explain: [
        expect.objectContaining({
          method: 'GET',
          path: '/v1/debtors',
          source: 'network',
          parameters: {
            administration_id: '1001',
            per_page: '5',
            fields: { only: ['id', 'administration_id', 'name'] },
          },
        }),
      ],
    });
    expect(text).not.toContain(BEARER.authorization.slice('Bearer '.length));
    const again = await caching.post({ query: LIST.replace('2', '5') }, EXPLAINED);
    expect(again.body.extensions).toMatchObject({
      cost: { calls: 0, cacheHits: 1 },
      explain: [{ source: 'cache' }],
    });
    const answer = await caching.post({ query: LIST }, { ...BEARER, 'x-explain': 'false' });
    expect(Object.keys(answer.body.extensions ?? {})).toEqual(['cost']);
  });

  test.each(['{', '{ nonsense }', 'query ($id: ID!) { node(id: $id) { id } }'])(
    'contain no cost if nothing is executed: %s',
    async (query) => {
      expect((await caching.post({ query }, EXPLAINED)).body.extensions).toBeUndefined();
    },
  );

  test('include those that a plugin has added', async () => {
    const add: Plugin = {
      onExecutionResult({ result, setResult }) {
        if (result && !Array.isArray(result) && 'data' in result)
          setResult({ ...result, extensions: { cost: 'mine', other: 1 } });
      },
    };
    const { body } = await withPlugin(add, () => plugged.post({ query: TYPENAME }, EXPLAINED));
    expect(body.extensions).toEqual({ cost: 'mine', other: 1, explain: [] });
  });
});
