import { createHash } from 'node:crypto';
import type { GraphQLError, GraphQLSchema } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { expect, test } from 'vitest';
import { LIST, pluginSlot, useFetchGateway, WRITE } from '../http/support/fetch-gateway.ts';
import { codesOf } from '../support/answers.ts';
import { eventually } from '../support/eventually.ts';
import { ADMINISTRATION, BASIC, BEARER, EXPLAIN, useGateway } from '../support/gateway.ts';
import { globalId } from '../support/ids.ts';
import { createTestTelemetry, sampleOf } from '../support/telemetry.ts';
import { times } from '../support/times.ts';

const ESTIMATE = { 'x-explain': 'estimate' };
const ESTIMATED = { ...BEARER, ...ESTIMATE };
const IN = `administrationId: "${ADMINISTRATION}"`;

const { plugin, withPlugin } = pluginSlot();
const plugged = await useFetchGateway({ plugins: [plugin] });
// An estimate takes the slot of an operation; no other kind has slots here.
const gateway = await useGateway({ gateway: { maxExports: 0, maxSubscriptions: 0, cacheTtlMs: 60_000 } });
const executing = await useGateway();
const telemetry = createTestTelemetry();
const observed = await useGateway(telemetry.options);
const only = (...fields: unknown[]) => ({ only: ['id', 'administration_id', ...fields] });
const listed = (parameters: object, path = '/v1/debtors') => ({ method: 'GET', path, parameters });
const listCall = (perPage: string, ...fields: unknown[]) =>
  listed({ administration_id: '1001', per_page: perPage, fields: only(...fields) });

test.each([
  ['a list', LIST, 1, [listCall('2', 'name')]],
  ['nothing', '{ __typename __schema { description } }', 0, []],
  [
    'lists and lookups of an administration, which are put together as ever',
    `{ administration(id: "1001") { ${LIST.slice(LIST.indexOf('debtors'), -1).replace(`${IN}, `, '')}
        one: debtor(by: { id: "300001" }) { name } other: debtor(by: { id: "300002" }) { cocNumber } } }`,
    2,
    [
      listCall('2', 'name'),
      listed({
        administration_id: '1001',
        ids: ['300001', '300002'],
        per_page: '2',
        fields: only('name', 'coc_number'),
      }),
    ],
  ],
  [
    'a list that is ordered, of which the first call is known',
    `{ debtors(${IN}, orderBy: [{ field: NAME }], first: 1, among: 900) { nodes { labels { name } } } }`,
    3,
    [listCall('500', 'name')],
  ],
  [
    'records by their global ids',
    `{ nodes(ids: ["${globalId('Debtor', '300001')}"]) { ... on Debtor { name } } }`,
    1,
    [listed({ administration_id: '1001', ids: ['300001'], per_page: '1', fields: only('name') })],
  ],
  [
    'a join, whose ids are not known',
    '{ deletedCreditCases(administrationId: "1001", first: 1) { nodes { debtor { name } } } }',
    2,
    [listed({ administration_id: '1001', per_page: '1' }, '/v1/credit_cases/deleted')],
  ],
  [
    'the token, which is not shown',
    '{ viewer { scopes administrations { debtors { nodes { name } } } } }',
    50,
    [{ method: 'POST', path: '/oauth/introspect', parameters: { token: '[secret]' } }],
  ],
  [
    'writes, all of them',
    `mutation { a: unmarkTaskCompleted(input: { taskId: "400001" }) { task { subject debtor { name } } }
      updateMessages(input: { administrationId: "1001", messages: [{ id: "1", read: true }] }) { count } }`,
    3,
    [
      {
        method: 'PATCH',
        path: '/v1/tasks/400001/unmark_completed',
        parameters: { fields: { only: ['id', 'administration_id', 'subject', 'debtor_id'] } },
      },
      {
        method: 'PATCH',
        path: '/v1/messages',
        parameters: { administration_id: '1001', messages: [{ id: '1', read: true }] },
      },
    ],
  ],
  [
    'token calls',
    'mutation { refreshAccessToken(input: { refreshToken: "a secret" }) { token { scopes } } createClientCredentialsToken { token { scopes } } }',
    2,
    [
      {
        method: 'POST',
        path: '/oauth/token',
        parameters: { grant_type: 'refresh_token', refresh_token: '[secret]' },
      },
      { method: 'POST', path: '/oauth/token', parameters: { grant_type: 'client_credentials' } },
    ],
  ],
])('an estimate lists the calls of %s and sends none', async (_what, query, estimatedCalls, explain) => {
  // The credentials are not looked at.
  for (const headers of [ESTIMATED, { ...BASIC, ...ESTIMATE }, ESTIMATE]) {
    const answer = await gateway.query(query, {}, headers);
    expect(answer).toMatchObject({ status: 200, data: null });
    expect(answer.errors).toBeUndefined();
    expect(answer.extensions).toEqual({ cost: { estimatedCalls, maxCalls: 50 }, explain });
    expect(answer.headers.get('x-explain')).toBe('estimate');
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
  }
  expect(gateway.rest.calls).toEqual([]);
});

test('an estimate equals that of the execution, and neither reads nor fills the cache', async () => {
  const estimate = async () => (await gateway.query(LIST, {}, ESTIMATED)).extensions;
  const before = await estimate();
  const { extensions } = await gateway.query(LIST, {}, { ...BEARER, ...EXPLAIN });
  expect(extensions.cost).toEqual({ ...before.cost, calls: 1, cacheHits: 0, coalesced: 0 });
  expect(extensions.explain).toEqual([expect.objectContaining(before.explain?.[0])]);
  expect(await estimate()).toEqual(before);
});

const lists = times(
  51,
  (index) => `l${index}: debtors(${IN}, first: ${index + 1}, after: "${index}") { nodes { id } }`,
);
const variable = (type: string, use: string, value: unknown) => ({
  query: `query ($value: ${type}) { debtors(${IN}, ${use}) { nodes { id } } }`,
  variables: { value },
});
test.each([
  ['no document', { query: '' }],
  ['a missing variable', { query: 'query ($id: ID!) { node(id: $id) { id } }' }],
  ['an integer', variable('Int', 'first: $value', 'many')],
  ['an input object', variable('DebtorWhere', 'where: $value', { nonsense: 1 })],
  [
    'a oneOf',
    {
      query: `query ($by: DebtorBy!) { debtor(${IN}, by: $by) { id } }`,
      variables: { by: { id: '1', debtorNumber: '2' } },
    },
  ],
  ['too many lists', { query: `{ ${lists.join(' ')} }` }],
  ['an argument that its field rejects', { query: `{ debtors(${IN}, first: 0) { nodes { id } } }` }],
  ['groups with `first: 0`', { query: `{ debtors(${IN}) { groups(by: NAME, first: 0) { key } } }` }],
  [
    'top with too many sort criteria',
    {
      query: `{ debtors(${IN}) { groups(by: NAME) {
        top(orderBy: [${'{ field: NAME } '.repeat(11)}]) { id } } } }`,
    },
  ],
  ['top with `first: 0`', { query: `{ debtors(${IN}) { groups(by: NAME) { top(first: 0) { id } } } }` }],
  ['an unknown hash', { extensions: { persistedQuery: { version: 1, sha256Hash: '0'.repeat(64) } } }],
  ['a subscription without a stream', { query: `subscription { changes(${IN}) { eventId } }` }],
  [
    'an empty list of kinds',
    { query: `subscription { changes(${IN}, kinds: []) { eventId } }` },
    { accept: 'text/event-stream, */*' },
  ],
  [
    'a list of two fields as a file',
    { query: `{ debtors(${IN}) { nodes { id } totals { count } } }` },
    { accept: 'text/csv' },
  ],
  ['a mutation as a file', { query: WRITE }, { accept: 'text/csv' }],
])('an estimate is rejected like its execution: %s', async (_what, params, headers: object = {}) => {
  const ask = async (more: object) => {
    const response = await executing.post(JSON.stringify(params), { ...BEARER, ...headers, ...more });
    const { errors, data } = await response.json();
    const shown = errors.map(({ extensions: { requestId: _, ...extensions }, ...error }: GraphQLError) => ({
      ...error,
      extensions,
    }));
    return { status: response.status, shown, hasData: data !== undefined };
  };
  expect(await ask(ESTIMATE)).toEqual(await ask({}));
  expect(executing.calls()).toEqual([]);
});

test.each(['', 'TRUE', 'true, estimate'])(
  '`X-Explain: %s` is rejected and executes nothing',
  async (value) => {
    const answer = await gateway.query(WRITE, {}, { ...BEARER, 'x-explain': value });
    expect([answer.status, codesOf(answer)]).toEqual([400, ['BAD_REQUEST']]);
    expect(answer.errors?.[0]?.message).toBe('`X-Explain` must be `true`, `estimate` or `false`.');
    expect(answer.headers.get('x-explain')).toBeNull();
    expect(gateway.calls()).toEqual([]);
  },
);

test('an estimate is possible by GET, for each operation of an array, and by hash', async () => {
  const cost = { estimatedCalls: 1, maxCalls: 50 };
  const byGet = await fetch(`${gateway.url}?${new URLSearchParams({ query: LIST })}`, { headers: ESTIMATED });
  expect(await byGet.json()).toMatchObject({ data: null, extensions: { cost } });
  const array = await gateway.post(
    JSON.stringify([{ query: LIST }, { query: WRITE }, { query: '{ nonsense }' }]),
    ESTIMATED,
  );
  expect(array.headers.get('x-explain')).toBe('estimate');
  expect(await array.json()).toMatchObject([
    { data: null, extensions: { cost } },
    { data: null, extensions: { cost, explain: [{ method: 'PATCH' }] } },
    { errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] },
  ]);
  const sha256Hash = createHash('sha256').update(WRITE).digest('hex');
  const extensions = { persistedQuery: { version: 1, sha256Hash } };
  for (const query of [WRITE, undefined]) {
    const answer = await gateway.post(JSON.stringify({ query, extensions }), ESTIMATED);
    expect(await answer.json()).toMatchObject({ data: null, extensions: { cost } });
  }
  expect(gateway.calls()).toEqual([]);
});

const exported = (args: string, selection = 'nodes { name }') => `{ debtors(${IN}${args}) { ${selection} } }`;
test.each([
  ['a page, if its length is not known', exported(''), { estimatedCalls: 1, maxCalls: null, per: 'page' }],
  ['all rows, if `first` says how many', exported(', first: 1200'), { estimatedCalls: 3, maxCalls: null }],
  [
    'all rows that are ordered',
    exported(', orderBy: [{ field: NAME }]'),
    { estimatedCalls: 20, maxCalls: null },
  ],
  ['groups', exported('', 'groups(by: NAME) { key }'), { estimatedCalls: 20, maxCalls: null }],
])('an estimate of an export is JSON and lists the calls of %s', async (_what, query, cost) => {
  for (const format of ['csv', 'ndjson']) {
    const response = await fetch(`${gateway.url}.${format}?${new URLSearchParams({ query })}`, {
      headers: ESTIMATED,
    });
    expect(response.headers.get('content-type')).toBe('application/graphql-response+json; charset=utf-8');
    const { data, extensions } = await response.json();
    expect({ data, cost: extensions.cost }).toEqual({ data: null, cost });
    expect(extensions.explain).toEqual([listCall('500', 'name')]);
  }
  expect(gateway.calls()).toEqual([]);
});

test('an estimate of a subscription is for one event, as a stream if JSON is not accepted', async () => {
  const query = `subscription { changes(${IN}) { ... on DebtorChanged { debtor { name } } } }`;
  for (const accept of ['text/event-stream', 'application/json, text/event-stream']) {
    const answer = await gateway.post(JSON.stringify({ query }), { ...ESTIMATED, accept });
    const text = await answer.text();
    expect(text).toContain(
      '{"data":null,"extensions":{"cost":{"estimatedCalls":0,"maxCalls":50,"per":"event"},"explain":[]}}',
    );
    expect(text.includes('event: next')).toBe(accept === 'text/event-stream');
  }
});

test('`Accept: application/estimate+json` gets an estimate as JSON, and 406 without X-Explain', async () => {
  const accept = 'application/estimate+json';
  const answer = await gateway.query(WRITE, {}, { ...ESTIMATED, accept });
  expect(answer).toMatchObject({ status: 200, data: null, extensions: { cost: { estimatedCalls: 1 } } });
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(await gateway.query(WRITE, {}, { ...BEARER, accept })).toMatchObject({ status: 406 });
  expect(gateway.calls()).toEqual([]);
});

test('`X-Max-Calls` lowers the limit that an estimate names', async () => {
  const { extensions } = await gateway.query(LIST, {}, { ...ESTIMATED, 'x-max-calls': '7' });
  expect(extensions.cost).toEqual({ estimatedCalls: 1, maxCalls: 7 });
  const refused = await gateway.query(
    `{ ${lists.slice(0, 8).join(' ')} }`,
    {},
    { ...ESTIMATED, 'x-max-calls': '7' },
  );
  expect(codesOf(refused)).toEqual(['OPERATION_TOO_EXPENSIVE']);
});

test('the log and the metrics distinguish an estimate from an operation', async () => {
  await observed.query(WRITE, {}, ESTIMATED);
  await eventually(() => expect(telemetry.lines()).toHaveLength(1));
  expect(telemetry.lines()).toMatchObject([
    { type: 'mutation', estimate: true, status: 200, codes: [], restCalls: 0 },
  ]);
  const metrics = telemetry.exposition();
  expect(sampleOf(metrics, 'receivables_operations_total{type="estimate",outcome="OK"}')).toBe(1);
  expect(sampleOf(metrics, 'receivables_operations_total{type="mutation",outcome="OK"}')).toBeUndefined();
  expect(sampleOf(metrics, 'receivables_operation_rest_calls_count')).toBe(0);
});

test('an estimate runs no execution hooks of plugins and none of their resolvers', async () => {
  const ran: string[] = [];
  const spy: Plugin = {
    onExecute({ setExecuteFn }) {
      ran.push('onExecute');
      setExecuteFn(() => ({ data: { mine: true } }));
      return { onExecuteDone: () => void ran.push('onExecuteDone') };
    },
    onSubscribe: () => void ran.push('onSubscribe'),
  };
  for (const query of [LIST, WRITE, `subscription { changes(${IN}) { eventId } }`]) {
    const { body } = await withPlugin(spy, () =>
      plugged.post({ query }, { ...ESTIMATED, accept: 'application/json, text/event-stream' }),
    );
    expect(body).toMatchObject({ data: null, extensions: { cost: { maxCalls: 50 } } });
  }
  expect(ran).toEqual([]);
  const wrapped: Plugin = {
    onSchemaChange({ schema }: { readonly schema: GraphQLSchema }) {
      for (const type of [schema.getQueryType(), schema.getMutationType()])
        for (const field of Object.values(type?.getFields() ?? {}))
          field.resolve = () => void ran.push(field.name);
    },
  };
  const other = await useFetchGateway({ plugins: [wrapped] });
  for (const query of [LIST, WRITE]) {
    const { body } = await other.post({ query }, ESTIMATED);
    expect(body).toMatchObject({
      data: null,
      extensions: { explain: [{ path: expect.stringMatching(/^\/v1/) }] },
    });
  }
  expect(ran).toEqual([]);
  expect(other.calls()).toEqual([]);
});
