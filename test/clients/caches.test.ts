import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { Client, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { type DocumentNode, isObjectType, parse } from 'graphql';
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest';
import { possibleTypes, typePolicies } from '../../clients/apollo.js';
import { keys, resolvers } from '../../clients/graphcache.js';
import { schema } from '../../src/index.ts';
import { ADMINISTRATION, BOTH, useGateway } from '../support/gateway.ts';
import { debtorsOf } from '../support/rest-records.ts';

const gateway = await useGateway();
const names = debtorsOf(gateway, ADMINISTRATION).map(({ name }) => name);

describe('the modules for client caches', () => {
  // If these fail, run `npm run codegen`.
  test('have an entry for each type without an id, and no other type', () => {
    const withoutId = Object.values(schema.getTypeMap())
      .filter((type) => isObjectType(type) && !('id' in type.getFields()))
      .map(({ name }) => name)
      .filter((name) => !/^(__.*|Query|Mutation|Subscription|PageInfo|.*(Connection|Edge))$/.test(name));
    expect(Object.keys(keys)).toEqual(withoutId.sort());
    const embedded = Object.entries(typePolicies).filter(([, policy]) => 'keyFields' in Object(policy));
    expect(embedded.map(([name]) => name)).toEqual(withoutId);
  });

  test.each(['Administration', 'Query'])('have an entry for each list of %s', (name) => {
    const type = schema.getType(name);
    const lists = Object.values(isObjectType(type) ? type.getFields() : {})
      .filter((field) => String(field.type).endsWith('Connection'))
      .map((field) => field.name);
    expect(Object.keys(resolvers[name] ?? {})).toEqual(lists);
    const policies = Object.entries(typePolicies[name]?.fields ?? {});
    expect(policies.filter(([, policy]) => 'keyArgs' in Object(policy)).map(([field]) => field)).toEqual(
      lists,
    );
  });
});

interface Names {
  readonly debtors: {
    readonly nodes?: readonly { readonly name: string }[];
    readonly edges?: readonly { readonly cursor: string; readonly node: { readonly name: string } }[];
    readonly pageInfo?: { readonly endCursor: string };
  };
}
const namesIn = (data: unknown) => {
  const { nodes, edges = [] } = (Object(data) as Names).debtors;
  return nodes?.map(({ name }) => name) ?? edges.map(({ node }) => node.name);
};
const endOf = (data: Names | undefined) =>
  data?.debtors.pageInfo?.endCursor ?? data?.debtors.edges?.at(-1)?.cursor;
const page = (rows: string, args = '', pageInfo = 'pageInfo { hasNextPage endCursor }') =>
  parse(`query Page($first: Int, $after: String) {
    debtors(administrationId: "${ADMINISTRATION}", first: $first, after: $after ${args}) { ${rows} ${pageInfo} }
  }`);
const NODES = page('nodes { id name }');
const EDGES = page('edges { node { id name } }');
const ORDERED = page('nodes { id name }', 'orderBy: [{ field: NAME, direction: DESC }]');

function apollo() {
  const cache = new InMemoryCache({ typePolicies, possibleTypes });
  const client = new ApolloClient({ link: new HttpLink({ uri: gateway.url, headers: BOTH }), cache });
  const ask = async (query: DocumentNode, variables: object = {}) =>
    (await client.query<Names>({ query, variables, fetchPolicy: 'network-only' })).data;
  return {
    ask,
    read: (query: DocumentNode, variables: object = {}) => cache.readQuery({ query, variables }),
    client,
  };
}

function urql() {
  const exchanges = [cacheExchange({ keys, resolvers }), fetchExchange];
  const client = new Client({
    url: gateway.url,
    exchanges,
    fetchOptions: { headers: BOTH },
    preferGetMethod: false,
  });
  const run =
    (requestPolicy: 'cache-first' | 'cache-only') =>
    async (query: DocumentNode, variables: object = {}) => {
      const { data, error } = await client.query<Names>(query, variables, { requestPolicy }).toPromise();
      expect(error).toBeUndefined();
      return data;
    };
  return { ask: run('cache-first'), read: run('cache-only') };
}

let warnings: MockInstance[] = [];
beforeEach(() => {
  warnings = (['warn', 'error'] as const).map((name) => vi.spyOn(console, name).mockImplementation(() => {}));
});
afterEach(() => {
  const logged = warnings.flatMap(({ mock }) => mock.calls);
  vi.restoreAllMocks();
  expect(logged).toEqual([]);
});

describe('the cache of Apollo Client', () => {
  test.each([
    ['nodes', NODES],
    ['edges', EDGES],
  ])('merges pages of %s into one list, even if one is read again', async (_rows, query) => {
    const { ask, read } = apollo();
    const list = () => namesIn(read(query, { first: 2 }));
    const second = endOf(await ask(query, { first: 2 }));
    const third = endOf(await ask(query, { first: 2, after: second }));
    expect(list()).toEqual(names.slice(0, 4));
    await ask(query, { first: 2, after: third });
    expect(list()).toEqual(names.slice(0, 6));
    await ask(query, { first: 2, after: second });
    expect(list()).toEqual(names.slice(0, 4));
    await ask(query, { first: 2 });
    expect(list()).toEqual(names.slice(0, 2));
  });

  test('merges pages of nodes into one list by the cursors of edges too, without pageInfo', async () => {
    const { ask, read } = apollo();
    const query = page('nodes { id name } edges { cursor node { id } }', '', '');
    await ask(query, { first: 2, after: endOf(await ask(query, { first: 2 })) });
    expect(namesIn(read(query, { first: 2 }))).toEqual(names.slice(0, 4));
  });

  test('keeps lists with pages of different lengths apart, so that neither continues after the other', async () => {
    const { ask, read } = apollo();
    const end = endOf(await ask(NODES, { first: 2 }));
    await ask(EDGES, { first: 3 });
    expect(endOf(read(NODES, { first: 2 }) as Names)).toBe(end);
    await ask(page('nodes { id name }'), { first: 1 });
    expect(namesIn(read(NODES, { first: 2 }))).toEqual(names.slice(0, 2));
  });

  test('keeps the cached name of an administration when another query returns null for it', async () => {
    const { ask, read } = apollo();
    const viewer = parse('query { viewer { administrations { id name } } }');
    const other = parse(`query { administration(id: "${ADMINISTRATION}") { id name } }`);
    await ask(other);
    expect(read(other)).toMatchObject({ administration: { name: null } });
    const before = await ask(viewer);
    await ask(other);
    expect(read(viewer)).toEqual(before);
    expect(read(other)).toMatchObject({ administration: { name: expect.any(String) } });
  });

  test('does not read edges from a list that it has as nodes, or nodes from edges', async () => {
    for (const queries of [
      [NODES, EDGES, NODES],
      [EDGES, NODES, EDGES],
    ]) {
      const { client } = apollo();
      for (const query of queries) {
        const { data } = await client.query({ query, variables: { first: 2 } });
        expect(namesIn(data)).toEqual(names.slice(0, 2));
      }
    }
  });

  test('merges the fields of an object without an id that two queries select', async () => {
    const { ask, read } = apollo();
    const address = (field: string) => page(`nodes { id name postalAddress { ${field} } }`);
    await ask(address('city'), { first: 1 });
    await ask(address('street1'), { first: 1 });
    expect(read(address('city street1'), { first: 1 })).not.toBeNull();
  });

  test('matches fragments on interfaces with their types', async () => {
    const { definitions } = page('nodes { ...Known }');
    const fragment = parse('fragment Known on Node { id ... on Debtor { name } }');
    const query = { ...fragment, definitions: [...definitions, ...fragment.definitions] };
    expect(namesIn(await apollo().ask(query, { first: 1 }))).toEqual(names.slice(0, 1));
  });
});

test.each([
  ['nodes', NODES],
  ['edges', EDGES],
  ['edges without pageInfo', page('edges { cursor node { id name } }', '', '')],
  [
    'objects',
    page('nodes { id name labels { name } postalAddress { city } } totals { bookOpenAmount { sum } }'),
  ],
])('Graphcache merges pages of %s into one list', async (_rows, query) => {
  const { ask } = urql();
  const first = await ask(query, { first: 2 });
  expect(namesIn(await ask(query, { first: 2, after: endOf(first) }))).toEqual(names.slice(0, 4));
});

describe('Graphcache, if queries select different fields of one list,', () => {
  const OTHER = page('nodes { id name bookOpenAmount }');
  test.each([
    ['other fields', NODES, OTHER],
    ['edges after nodes', NODES, EDGES],
    ['nodes after edges', EDGES, NODES],
  ])('gives each query its own pages: %s', async (_what, one, other) => {
    const { ask } = urql();
    for (const query of [one, other, one]) {
      const first = await ask(query, { first: 2 });
      expect(namesIn(first)).toEqual(names.slice(0, 2));
      const second = await ask(query, { first: 2, after: endOf(first) });
      expect(namesIn(second)).toEqual(names.slice(0, 4));
      const third = await ask(query, { first: 2, after: endOf(second) });
      expect(namesIn(third)).toEqual(names.slice(0, 6));
    }
  });

  test('keeps two lists of different lengths in one query apart', async () => {
    const list = (first: number, fields: string) =>
      `debtors(administrationId: "${ADMINISTRATION}", first: ${first}) { nodes { id ${fields} } }`;
    const query = parse(`query { a: ${list(2, 'name')} b: ${list(3, 'bookOpenAmount')} }`);
    expect(await urql().ask(query)).toMatchObject({
      a: { nodes: { length: 2 } },
      b: { nodes: { length: 3 } },
    });
  });

  test('sends a query without rows for a list that it has', async () => {
    const { ask } = urql();
    const list = (rest: string) =>
      parse(`query { debtors(administrationId: "${ADMINISTRATION}") { ${rest} } }`);
    await ask(list('nodes { id } totals { count }'));
    expect(await ask(list('totals { count } pageInfo { hasNextPage }'))).toMatchObject({
      debtors: { pageInfo: { hasNextPage: true } },
    });
  });
});

describe.each([
  ['Apollo Client', apollo],
  ['Graphcache', urql],
])('the cache of %s', (_name, create) => {
  test('keeps lists with different filters or orders apart', async () => {
    const { ask } = create();
    const sorted = namesIn(await ask(ORDERED, { first: 2 }));
    expect(sorted).not.toEqual(names.slice(0, 2));
    expect(namesIn(await ask(NODES, { first: 2 }))).toEqual(names.slice(0, 2));
    expect(namesIn(await ask(ORDERED, { first: 2 }))).toEqual(sorted);
  });

  test('merges the company of a token with the company of the list', async () => {
    const companies = parse(
      'query { companies(first: 1) { nodes { __typename id name status } pageInfo { endCursor } } }',
    );
    const viewer = parse('query { viewer { company { __typename id name } } }');
    const { ask, read } = create();
    await ask(companies);
    const company = { id: '101', name: 'Renamed' };
    gateway.rest.misbehave({ kind: 'rewrite', rewrite: (body) => ({ ...Object(body), company }) });
    await ask(viewer);
    expect(await read(companies)).toMatchObject({
      companies: { nodes: [{ name: 'Renamed', status: 'active' }] },
    });
  });
});

test('a field of its company that a token cannot read is null with an error', async () => {
  for (const field of ['status', 'trial', 'trialEndsOn']) {
    const { data, errors } = await gateway.query(`{ viewer { company { name ${field} } } }`);
    expect(data).toEqual({ viewer: { company: { name: 'Zorggroep Noord B.V.', [field]: null } } });
    expect(errors).toMatchObject([
      {
        path: ['viewer', 'company', field],
        message: expect.stringContaining(`Query \`${field}\` of \`companies\` instead.`),
        extensions: { code: 'BAD_USER_INPUT' },
      },
    ]);
  }
});
