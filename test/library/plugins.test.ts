import { createServer } from 'node:http';
import { useOnResolve } from '@envelop/on-resolve';
import { useRateLimiter } from '@envelop/rate-limiter';
import { useResponseCache } from '@graphql-yoga/plugin-response-cache';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ADMINISTRATION, BEARER, OTHER_BEARER } from '../support/gateway.ts';
import { listen } from '../support/resources.ts';
import { times } from '../support/times.ts';
import { everyHook, HOOKS, type Hook } from './every-hook.ts';
import { codesIn, type LibraryGateway, type Options, read, startLibrary, useLibrary } from './support.ts';

const LIST = `query List { debtors(administrationId: "${ADMINISTRATION}", first: 3) { nodes { name postalAddress { city } } } }`;
const WRITE = 'mutation { unmarkTaskCompleted(input: { taskId: "400001" }) { task { id internalId } } }';

const plain = await useLibrary();

function initOf(params: object, headers: Readonly<Record<string, string>> = BEARER) {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(params),
  };
}
const post = async (
  { gateway }: LibraryGateway,
  params: object,
  headers?: Readonly<Record<string, string>>,
) => read(await gateway.fetch('http://localhost/graphql', initOf(params, headers)));

async function startWith(...plugins: NonNullable<Options['plugins']>) {
  const library = await startLibrary({ plugins });
  onTestFinished(library.close);
  return library;
}

describe('the published plugin', () => {
  test('@graphql-yoga/plugin-response-cache serves a result again only to the same caller', async () => {
    const caching = await startWith(
      useResponseCache({
        session: (request) => request.headers.get('authorization'),
        includeExtensionMetadata: true,
      }),
    );
    const [first, again] = [await post(caching, { query: LIST }), await post(caching, { query: LIST })];
    expect(first.body.extensions).toMatchObject({ responseCache: { hit: false } });
    expect(again.body.extensions).toMatchObject({ responseCache: { hit: true } });
    // The fields that the plugin adds to a document for itself are not shown.
    expect(first.body.data).toEqual((await post(plain, { query: LIST })).body.data);
    expect(again.body.data).toEqual(first.body.data);
    expect(caching.calls()).toHaveLength(1);
    expect(codesIn(await post(caching, { query: LIST }, OTHER_BEARER))).toEqual(['FORBIDDEN']);
    expect(codesIn(await post(caching, { query: LIST }, {}))).toEqual(['UNAUTHENTICATED']);
    caching.rest.calls.length = 0;
    for (const _again of [1, 2]) expect(codesIn(await post(caching, { query: WRITE }))).toEqual([]);
    expect(caching.calls()).toHaveLength(2);
  });

  test('@envelop/rate-limiter counts each operation of a caller, including cached ones', async () => {
    const limited = await startWith(
      useRateLimiter({
        identifyFn: (context) => Object(context).request.headers.get('authorization'),
        configByField: [{ type: 'Query', field: 'debtors', max: 2, window: '10m' }],
      }),
    );
    for (const _allowed of [1, 2]) expect(codesIn(await post(limited, { query: LIST }))).toEqual([]);
    const refused = await post(limited, { query: LIST });
    expect(refused.body).toMatchObject({ errors: [{ message: expect.stringContaining('too often') }] });
    expect(limited.calls()).toHaveLength(1);
    const other = LIST.replace(ADMINISTRATION, '2001');
    expect(codesIn(await post(limited, { query: other }, OTHER_BEARER))).toEqual([]);
  });

  test('@envelop/on-resolve can wrap every resolver, without effect on other gateways', async () => {
    const resolved: string[] = [];
    const resolving = await startWith(
      useOnResolve(({ info }) => {
        resolved.push(`${info.parentType.name}.${info.fieldName}`);
        return ({ result, setResult }) => {
          if (info.fieldName === 'city') setResult(String(result).toUpperCase());
        };
      }),
    );
    const [before, answer] = [await post(plain, { query: LIST }), await post(resolving, { query: LIST })];
    const changed = JSON.stringify(before.body.data, (key, value) =>
      key === 'city' ? value.toUpperCase() : value,
    );
    expect(JSON.stringify(answer.body.data)).toBe(changed);
    const names = ['DebtorConnection.nodes', 'Debtor.name', 'Debtor.postalAddress', 'Address.city'];
    expect(new Set(resolved)).toEqual(new Set(['Query.debtors', ...names]));
    resolved.length = 0;
    expect((await post(plain, { query: LIST })).body.data).toEqual(before.body.data);
    expect(resolved).toEqual([]);
  });
});

test('each hook of a plugin runs once and in order', async () => {
  const seen: Hook[] = [];
  const counting = await startWith(everyHook((hook) => void seen.push(hook)));
  const lists = times(60, (index) => `a${index}: debtors(administrationId: "${index}") { nodes { id } }`);
  const without = (...left: readonly Hook[]) => HOOKS.filter((hook) => !left.includes(hook));
  for (const [query, expected] of [
    [LIST, HOOKS],
    [LIST, HOOKS],
    [WRITE, HOOKS],
    ['{ __schema { queryType { name } } }', HOOKS],
    [`{ ${lists.join(' ')} }`, HOOKS],
    ['{ nonsense }', without('onContextBuilding', 'onExecute')],
    ['{ nonsense }', without('onContextBuilding', 'onExecute')],
    ['{', without('onValidate', 'onContextBuilding', 'onExecute')],
  ] as const) {
    seen.length = 0;
    await post(counting, { query });
    expect([query, seen]).toEqual([query, expected]);
  }
});

describe('the context of a server around the gateway', () => {
  test('does not change the response, even if it has the names of internal members', async () => {
    const taken = {
      client: { limitKey: 'mine', address: 'x' },
      observed: {},
      requestId: 'not an id',
      executed: { estimatedCalls: 99, json: Buffer.from('{"stolen":true}') },
      headers: { authorization: 'Bearer of-another' },
      rest: {},
      limitKey: 'mine',
    };
    const expected = await post(plain, { query: LIST });
    const answer = await read(
      await plain.gateway.fetch('http://localhost/graphql', initOf({ query: LIST }), taken),
    );
    expect([answer.status, answer.body.data]).toEqual([200, expected.body.data]);
    expect(answer.body.extensions?.cost).toEqual({ calls: 0, cacheHits: 1, coalesced: 0 });
    expect(answer.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
  });

  test('is rejected for a second request, so no data of one caller reaches another', async () => {
    const shared = {};
    const server = createServer(async (request, response) => {
      try {
        const answer = await plain.gateway.handleNodeRequestAndResponse(request, response, shared);
        response.writeHead(answer.status).end(await answer.text());
      } catch (error) {
        response.writeHead(500).end(String(error));
      }
    });
    const port = await listen(server);
    const ask = async () => read(await fetch(`http://127.0.0.1:${port}/graphql`, initOf({ query: LIST })));
    expect(codesIn(await ask())).toEqual([]);
    expect(await ask()).toMatchObject({
      status: 500,
      text: 'Error: Pass a new server context with each request.',
    });
    expect(plain.gateway.stats().operationsInFlight).toBe(0);
  });
});
