import { readFileSync } from 'node:fs';
import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { Client, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { isObjectType, parse } from 'graphql';
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest';
import { possibleTypes, typePolicies } from '../../clients/apollo.js';
import { keys, resolvers } from '../../clients/graphcache.js';
import { createClientModules } from '../../src/pages/static-page.ts';
import { schema } from '../../src/schema/index.ts';
import { ADMINISTRATION, BOTH, useGateway } from '../support/gateway.ts';
import { debtorsOf } from '../support/rest-records.ts';

const clients = new URL('../../clients/', import.meta.url);
const gateway = await useGateway({ handler: { routes: createClientModules(clients) } });
const names = debtorsOf(gateway, ADMINISTRATION).map(({ name }) => name);

const withoutId = Object.values(schema.getTypeMap())
  .filter(isObjectType)
  .filter((type) => !('id' in type.getFields()))
  .map(({ name }) => name)
  .filter((name) => !/^(__.*|Query|Mutation|Subscription|PageInfo|.*(Connection|Edge))$/.test(name))
  .sort();
const listFields = (type: string) =>
  Object.values(Object(schema.getType(type)).getFields())
    .filter((field) => String(Object(field).type).endsWith('Connection'))
    .map((field) => Object(field).name);

describe('the modules that are served', () => {
  test.each([
    ['graphcache.js', 'text/javascript'],
    ['graphcache.d.ts', 'text/plain'],
    ['apollo.js', 'text/javascript'],
    ['apollo.d.ts', 'text/plain'],
  ])('%s is the one of the package', async (name, type) => {
    const response = await fetch(new URL(`/schema/${name}`, gateway.url));
    expect(response.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
    const file = readFileSync(new URL(name, clients), 'utf8');
    expect(await response.text()).toBe(file);
  });

  // If these fail, run `npm run codegen`.
  test('name each type without an id, and no other', () => {
    expect(Object.keys(keys)).toEqual(withoutId);
    const embedded = Object.entries(typePolicies).filter(([, policy]) => 'keyFields' in Object(policy));
    expect(embedded.map(([name]) => name)).toEqual(withoutId);
  });

  test('name each list', () => {
    const types = ['Administration', 'Query'];
    expect(types.map((type) => Object.keys(resolvers[type] ?? {}))).toEqual(types.map(listFields));
    const lists = types.map((type) =>
      Object.entries(typePolicies[type]?.fields ?? {})
        .filter(([, policy]) => 'keyArgs' in Object(policy))
        .map(([name]) => name),
    );
    expect(lists).toEqual(types.map(listFields));
  });
});

let warnings: MockInstance[] = [];
beforeEach(() => {
  warnings = (['warn', 'error'] as const).map((name) => vi.spyOn(console, name).mockImplementation(() => {}));
});
afterEach(() => {
  const told = warnings.flatMap(({ mock }) => mock.calls);
  vi.restoreAllMocks();
  expect(told).toEqual([]);
});

interface Names {
  readonly debtors: {
    readonly nodes?: readonly { readonly name: string }[];
    readonly edges?: readonly { readonly node: { readonly name: string } }[];
    readonly pageInfo: { readonly endCursor: string };
  };
}
const namesIn = (data: unknown) => {
  const { nodes, edges = [] } = (Object(data) as Names).debtors;
  return nodes?.map(({ name }) => name) ?? edges.map(({ node }) => node.name);
};
const page = (rows: string, args = '') =>
  parse(`query Page($first: Int, $after: String) {
    debtors(administrationId: "${ADMINISTRATION}", first: $first, after: $after ${args}) {
      ${rows} pageInfo { hasNextPage endCursor }
    }
  }`);
const NODES = page('nodes { id name }');
const EDGES = page('edges { node { id name } }');

function apollo() {
  const cache = new InMemoryCache({ typePolicies, possibleTypes });
  const client = new ApolloClient({ link: new HttpLink({ uri: gateway.url, headers: BOTH }), cache });
  const ask = async (
    query: typeof NODES,
    variables: object,
    fetchPolicy: 'cache-first' | 'network-only' = 'cache-first',
  ) => (await client.query<Names>({ query, variables, fetchPolicy })).data;
  const endOf = (data: Names | undefined) => data?.debtors.pageInfo.endCursor;
  return { cache, ask, endOf };
}

describe('in the cache of Apollo Client', () => {
  test.each([
    ['nodes', NODES],
    ['edges', EDGES],
  ])('pages of %s become one list, also where one is read again', async (_rows, query) => {
    const { cache, ask, endOf } = apollo();
    const read = () => namesIn(cache.readQuery({ query, variables: { first: 2 } }));
    const second = endOf(await ask(query, { first: 2 }));
    const third = endOf(await ask(query, { first: 2, after: second }, 'network-only'));
    expect(read()).toEqual(names.slice(0, 4));
    await ask(query, { first: 2, after: third }, 'network-only');
    expect(read()).toEqual(names.slice(0, 6));
    await ask(query, { first: 2, after: second }, 'network-only');
    expect(read()).toEqual(names.slice(0, 4));
    await ask(query, { first: 2 }, 'network-only');
    expect(read()).toEqual(names.slice(0, 2));
  });

  test('pages of nodes become one list also by the cursors of edges, without pageInfo', async () => {
    const { cache } = apollo();
    const query = parse(`query Page($after: String) {
      debtors(administrationId: "${ADMINISTRATION}", first: 2, after: $after) { nodes { id name } edges { cursor node { id } } }
    }`);
    const client = new ApolloClient({ link: new HttpLink({ uri: gateway.url, headers: BOTH }), cache });
    const { data } = await client.query<{ debtors: { edges: { cursor: string }[] } }>({ query });
    const after = data?.debtors.edges.at(-1)?.cursor;
    await client.query({ query, variables: { after }, fetchPolicy: 'network-only' });
    expect(namesIn(cache.readQuery({ query }))).toEqual(names.slice(0, 4));
  });

  test('the name of an administration stays where another query knows none', async () => {
    const { cache, ask } = apollo();
    const viewer = parse('query { viewer { administrations { id name } } }');
    const other = parse(`query { administration(id: "${ADMINISTRATION}") { id name } }`);
    await ask(other, {});
    expect(cache.readQuery({ query: other })).toMatchObject({ administration: { name: null } });
    const before = await ask(viewer, {});
    await ask(other, {}, 'network-only');
    expect(cache.readQuery({ query: viewer })).toEqual(before);
    expect(cache.readQuery({ query: other })).toMatchObject({ administration: { name: expect.any(String) } });
  });

  test('a list that was read by nodes is no empty one for who reads its edges, nor the other way round', async () => {
    for (const [one, other] of [
      [NODES, EDGES],
      [EDGES, NODES],
    ] as const) {
      const { ask } = apollo();
      expect(namesIn(await ask(one, { first: 2 }))).toEqual(names.slice(0, 2));
      expect(namesIn(await ask(other, { first: 2 }))).toEqual(names.slice(0, 2));
      expect(namesIn(await ask(one, { first: 2 }))).toEqual(names.slice(0, 2));
    }
  });

  test('lists with other filters or orders are others', async () => {
    const { cache, ask } = apollo();
    const ordered = page('nodes { id name }', 'orderBy: [{ field: NAME, direction: DESC }]');
    await ask(NODES, { first: 2 });
    const sorted = namesIn(await ask(ordered, { first: 2 }));
    expect(sorted).not.toEqual(names.slice(0, 2));
    expect(namesIn(cache.readQuery({ query: NODES }))).toEqual(names.slice(0, 2));
    expect(namesIn(cache.readQuery({ query: ordered }))).toEqual(sorted);
  });

  test('what two queries select of an object without an id goes together', async () => {
    const { cache, ask } = apollo();
    const address = (field: string) => page(`nodes { id name postalAddress { ${field} } }`);
    await ask(address('city'), { first: 1 });
    await ask(address('street1'), { first: 1 });
    expect(cache.readQuery({ query: address('city street1') })).not.toBeNull();
  });

  test('fragments on interfaces match their types', async () => {
    const { ask } = apollo();
    const query = page('nodes { ...Known }').definitions[0];
    const document = parse('fragment Known on Node { id ... on Debtor { name } }');
    const both = { ...document, definitions: query ? [query, ...document.definitions] : [] };
    expect(namesIn(await ask(both, { first: 1 }))).toEqual(names.slice(0, 1));
  });
});

describe('in Graphcache', () => {
  function urql() {
    const exchanges = [cacheExchange({ keys, resolvers }), fetchExchange];
    const client = new Client({
      url: gateway.url,
      exchanges,
      fetchOptions: { headers: BOTH },
      preferGetMethod: false,
    });
    return async (query: typeof NODES, variables: object) => {
      const { data, error } = await client.query<Names>(query, variables).toPromise();
      expect(error).toBeUndefined();
      return data;
    };
  }

  test.each([
    ['nodes', NODES],
    ['edges', EDGES],
  ])('pages of %s become one list', async (_rows, query) => {
    const ask = urql();
    const first = await ask(query, { first: 2 });
    const second = await ask(query, { first: 2, after: first?.debtors.pageInfo.endCursor });
    expect(namesIn(second)).toEqual(names.slice(0, 4));
  });

  test('objects without an id are parts of others', async () => {
    const ask = urql();
    await ask(
      page(
        'nodes { id name labels { name } postalAddress { city } } totals { count bookOpenAmount { sum } } groups(by: LANGUAGE_CODE) { key totals { count } }',
      ),
      { first: 1 },
    );
    const viewer = 'query { viewer { scopes company { id name } administrations { id } } }';
    expect(await ask(parse(viewer), {})).toMatchObject({ viewer: { company: {} } });
  });

  test('lists with other filters or orders are others', async () => {
    const ask = urql();
    const ordered = page('nodes { id name }', 'orderBy: [{ field: NAME, direction: DESC }]');
    const sorted = namesIn(await ask(ordered, { first: 2 }));
    expect(namesIn(await ask(NODES, { first: 2 }))).toEqual(names.slice(0, 2));
    expect(namesIn(await ask(ordered, { first: 2 }))).toEqual(sorted);
  });
});
