import { useOnResolve } from '@envelop/on-resolve';
import { useResponseCache } from '@graphql-yoga/plugin-response-cache';
import type { Plugin } from 'graphql-yoga';
import { describe, expect, test } from 'vitest';
import { codesOf } from '../support/answers.ts';
import { ADMINISTRATION, BEARER, BOTH, freshGateway, OTHER_BEARER, useGateway } from '../support/gateway.ts';
import { changeRows } from '../support/rest-pages.ts';

const resolved: string[] = [];
const hooks: string[] = [];

/** Every hook of a request, and a result that a plugin reads and changes. */
const useHooks: Plugin = {
  onRequest: ({ request }) => void hooks.push(`request ${request.method}`),
  onParams: () => void hooks.push('params'),
  onParse: () => void hooks.push('parse'),
  onValidate: () => void hooks.push('validate'),
  onExecute: () => ({
    onExecuteDone: ({ result, setResult }) => {
      hooks.push('execute');
      if ('data' in result) setResult({ ...result, extensions: { ...result.extensions, seen: result.data } });
    },
  }),
  onResponse: ({ response }) => {
    hooks.push(`response ${response.status}`);
    response.headers.set('x-plugin', 'seen');
  },
};

const plain = await useGateway();
const plugged = await useGateway({ gateway: { plugins: [useHooks] } });
const resolving = await useGateway({
  gateway: {
    plugins: [
      useOnResolve(({ info }) => {
        resolved.push(`${info.parentType.name}.${info.fieldName}`);
      }),
    ],
  },
});
const caching = await useGateway({
  gateway: {
    plugins: [useResponseCache({ session: (request) => request.headers.get('authorization'), ttl: 60_000 })],
  },
});

const LIST = `query List { debtors(administrationId: "${ADMINISTRATION}", first: 5) { edges { cursor node { id name postalAddress { city } } } pageInfo { hasNextPage } } }`;

const OPERATIONS: [string, string, object][] = [
  ['a list', LIST, {}],
  [
    'a join',
    `{ deletedCreditCases(administrationId: "${ADMINISTRATION}", first: 3) { nodes { debtor { name } } } }`,
    {},
  ],
  [
    'lookups',
    `query ($id: ID!) { a: debtor(administrationId: "${ADMINISTRATION}", by: { id: $id }) { name __typename } viewer { scopes } }`,
    { id: '300001' },
  ],
  [
    'a mutation',
    'mutation { unmarkTaskCompleted(input: { taskId: "400001" }) { task { internalId subject } } }',
    {},
  ],
  ['introspection', '{ __schema { queryType { name } } }', {}],
  ['a syntax error', '{ nonsense', {}],
  ['an unknown field', '{ nonsense }', {}],
  [
    'a variable that does not fit',
    'query ($first: Int) { debtors(administrationId: "1", first: $first) { nodes { id } } }',
    { first: 'x' },
  ],
  ['a bad argument', `{ debtors(administrationId: "${ADMINISTRATION}", first: 0) { nodes { id } } }`, {}],
  [
    'what is too expensive',
    `{ ${Array.from({ length: 60 }, (_, index) => `a${index}: debtors(administrationId: "${index}") { nodes { id } }`).join(' ')} }`,
    {},
  ],
  ['another administration', '{ debtors(administrationId: "2001") { nodes { id } } }', {}],
];

describe('a gateway with a plugin', () => {
  test.each(OPERATIONS)('answers as one without: %s', async (_what, query, variables) => {
    const [expected, answer] = [
      await plain.query(query, variables, BOTH),
      await plugged.query(query, variables, BOTH),
    ];
    const withoutId = (text: string) => text.replace(/"requestId":"[^"]+"/g, '"requestId":""');
    const { seen: _seen, ...extensions } = { seen: undefined, ...answer.extensions };
    expect(answer.status).toBe(expected.status);
    expect(answer.data).toEqual(expected.data);
    expect(JSON.parse(withoutId(JSON.stringify(answer.errors ?? [])))).toEqual(
      JSON.parse(withoutId(JSON.stringify(expected.errors ?? []))),
    );
    expect(extensions).toEqual(expected.extensions);
    expect(plugged.calls()).toEqual(plain.calls());
  });

  test('calls its hooks with a request, a result whose text is text, and a response', async () => {
    hooks.length = 0;
    const name = 'Café “Zoë” 😀';
    plugged.rest.misbehave(changeRows((rows) => rows.map((row) => ({ ...row, name }))));
    const answer = await plugged.query(LIST);
    expect(hooks).toEqual(['request POST', 'params', 'parse', 'validate', 'execute', 'response 200']);
    expect(answer.headers.get('x-plugin')).toBe('seen');
    expect(answer.data).toMatchObject({ debtors: { edges: { 0: { node: { name } } } } });
    expect(answer.extensions).toMatchObject({ seen: { debtors: { edges: { 0: { node: { name } } } } } });
  });

  test('refuses a mutation by GET, and serves a query', async () => {
    const url = (query: string) => `${plugged.url}?query=${encodeURIComponent(query)}`;
    expect((await fetch(url('mutation { x: __typename }'), { headers: BEARER })).status).toBe(405);
    const response = await fetch(url('{ __typename }'), { headers: BEARER });
    expect(await response.json()).toMatchObject({ data: { __typename: 'Query' } });
  });
});

test('@envelop/on-resolve sees every resolver, and changes no other gateway', async () => {
  const answer = await resolving.query(LIST);
  expect(codesOf(answer)).toEqual([]);
  expect(new Set(resolved)).toEqual(
    new Set([
      'Query.debtors',
      'DebtorConnection.edges',
      'DebtorConnection.pageInfo',
      'DebtorEdge.cursor',
      'DebtorEdge.node',
      'Debtor.id',
      'Debtor.name',
      'Debtor.postalAddress',
      'Address.city',
      'PageInfo.hasNextPage',
    ]),
  );
  resolved.length = 0;
  expect((await plain.query(LIST)).data).toEqual(answer.data);
  expect(resolved).toEqual([]);
});

test('@graphql-yoga/plugin-response-cache answers again without a call, to the same caller alone', async () => {
  const [first, again] = [await caching.query(LIST), await caching.query(LIST)];
  expect(again.data).toEqual(first.data);
  expect(caching.calls()).toHaveLength(1);
  expect(codesOf(await caching.query(LIST, {}, OTHER_BEARER))).toEqual(['FORBIDDEN']);
  expect(caching.calls()).toHaveLength(2);
});

test('a gateway with a plugin bounds a response as one without does', async () => {
  const gateway = await freshGateway({ gateway: { plugins: [useHooks], maxAnswerBytes: 300 } });
  const { status, errors } = await gateway.query(LIST);
  expect(status).toBe(400);
  expect(errors).toMatchObject([{ extensions: { code: 'OPERATION_TOO_EXPENSIVE' } }]);
  const write = await gateway.query(
    `mutation { unmarkTaskCompleted(input: { taskId: "400001" }) { task { ${Array.from({ length: 30 }, (_, index) => `s${index}: subject`).join(' ')} } } }`,
  );
  expect(write).toMatchObject({ status: 200, data: { unmarkTaskCompleted: null } });
  expect(write.errors?.[0]?.message).toContain('its writes were made');
});
