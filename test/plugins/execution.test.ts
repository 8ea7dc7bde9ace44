import { GraphQLError, GraphQLObjectType, GraphQLSchema, GraphQLString, type ValidationRule } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { describe, expect, test } from 'vitest';
import {
  type FetchGateway,
  LIST,
  NOTHING,
  pluginSlot,
  TYPENAME,
  useFetchGateway,
  WRITE,
} from '../http/support/fetch-gateway.ts';
import { codesIn } from '../library/support.ts';
import { times } from '../support/times.ts';

const { plugin: useGiven, withPlugin } = pluginSlot();
const given = await useFetchGateway({ plugins: [useGiven] }, { MAX_CALLS: '3' });

const lists = (count: number) =>
  `{ ${times(count, (n) => `a${n}: debtors(administrationId: "${n}") { nodes { id } }`).join(' ')} }`;
test('a plugin can wrap the execution or replace it', async () => {
  const seen: unknown[] = [];
  const wrap: Plugin = {
    onExecute: ({ executeFn, setExecuteFn }) =>
      setExecuteFn(async (args) => {
        const result = await executeFn(args);
        seen.push([given.calls(), result.data]);
        return result;
      }),
  };
  const { body } = await withPlugin(wrap, () => given.post({ query: LIST }));
  expect(seen).toEqual([[['GET /v1/debtors'], body.data]]);
  expect(body.extensions).toMatchObject({ cost: { calls: 1 } });
  const other: Plugin = { onExecute: ({ setExecuteFn }) => setExecuteFn(() => ({ data: { other: 'ë' } })) };
  expect((await withPlugin(other, () => given.post({ query: LIST }))).body).toEqual({ data: { other: 'ë' } });
  expect(given.calls()).toHaveLength(1);
});

test('a plugin can give each request its own schema, also for the same document', async () => {
  const schemas = ['one', 'two'].map((value) => {
    const own = { type: GraphQLString, resolve: () => value };
    return new GraphQLSchema({ query: new GraphQLObjectType({ name: 'Query', fields: { own } }) });
  });
  let requests = 0;
  const useSchemas: Plugin = { onEnveloped: ({ setSchema }) => setSchema(schemas[requests++]) };
  const { post } = await useFetchGateway({ plugins: [useSchemas] });
  const data = [await post({ query: '{ own }' }), await post({ query: '{ own }' })].map(
    ({ body }) => body.data,
  );
  expect(data).toEqual([{ own: 'one' }, { own: 'two' }]);
});

test('a plugin can change the parameters of a request', async () => {
  const add: Plugin = { onParams: ({ params, setParams }) => setParams({ ...params, query: LIST }) };
  expect(codesIn(await withPlugin(add, () => given.post({})))).toEqual([]);
  const remove: Plugin = {
    onParams: ({ params: { query: _query, ...params }, setParams }) => setParams(params),
  };
  expect(codesIn(await withPlugin(remove, () => given.post({ query: LIST })))).toEqual(['BAD_REQUEST']);
  expect(given.calls()).toHaveLength(1);
});

const brief = await useFetchGateway({}, { MAX_ANSWER_BYTES: '1000' });
const few = await useFetchGateway({ maxValues: 340 });

test('a result that is too long is an error, and for a mutation says that changes were saved', async () => {
  const query = await brief.post({ query: LIST.replace('first: 2', 'first: 100') });
  expect([query.status, codesIn(query), query.body.data]).toEqual([
    400,
    ['OPERATION_TOO_EXPENSIVE'],
    undefined,
  ]);
  const subjects = times(100, (n) => `s${n}: subject`).join(' ');
  const write = await brief.post({ query: WRITE.replace('internalId', subjects) });
  expect(write).toMatchObject({ status: 200, body: { data: { unmarkTaskCompleted: null } } });
  expect(write.body.errors).toMatchObject([{ message: expect.stringContaining('its changes were saved') }]);
});

test('a result with more values than MAX_VALUES is an error', async () => {
  // The list (30), `nodes` (10), its 100 items, and two values in each of them.
  const query = LIST.replace('first: 2', 'first: 100').replace('name', 'a: name b: name');
  expect(codesIn(await few.post({ query }))).toEqual([]);
  const { body } = await few.post({ query: query.replace('{ debtors', '{ c: __typename debtors') });
  expect([body.data, body.errors?.[0]?.message]).toEqual([
    undefined,
    expect.stringContaining('more than 340 values. Request fewer records'),
  ]);
  // Each id counts as thirty, before its record is fetched or made.
  const ids = `{ nodes(ids: [${'"x" '.repeat(12)}]) { __typename } }`;
  expect(codesIn(await few.post({ query: ids }))).toEqual(['OPERATION_TOO_EXPENSIVE']);
  expect(codesIn(await few.post({ query: ids.replaceAll('"x" ', '') }))).toEqual([]);
  expect(few.calls()).toEqual(['GET /v1/debtors', 'GET /v1/debtors']);
});

const noNames: ValidationRule = (context) => ({
  Field(node) {
    if (node.name.value === 'name') context.reportError(new GraphQLError('No names.', { nodes: node }));
  },
});
const useNoNames: Plugin = { onValidate: ({ addValidationRule }) => addValidationRule(noNames) };

describe('two gateways in one process', async () => {
  const plain = await useFetchGateway({}, { CACHE_TTL_MS: '60000' });
  const strict = await useFetchGateway({ plugins: [useNoNames], maxCalls: 1 });

  test('have separate rules and limits for the same document', async () => {
    for (const order of [
      [plain, strict],
      [strict, plain],
    ]) {
      const named = LIST.replace('List', `By${order.indexOf(plain)}`);
      const answers = new Map<FetchGateway, string[]>();
      for (const gateway of [...order, ...order])
        answers.set(gateway, [
          ...codesIn(await gateway.post({ query: named })),
          ...codesIn(
            await gateway.post({
              query: lists(2)
                .replaceAll(/"(\d)"/g, '"100$1"')
                .replaceAll('1000', '1002'),
            }),
          ),
        ]);
      expect(answers.get(plain)).toEqual([]);
      expect(answers.get(strict)).toEqual(['GRAPHQL_VALIDATION_FAILED', 'OPERATION_TOO_EXPENSIVE']);
    }
  });

  test('do not wait for each other', async () => {
    strict.rest.misbehave({ kind: 'hang' });
    const caller = new AbortController();
    const hanging = strict.post({ query: lists(1) }, undefined, caller.signal);
    expect(codesIn(await plain.post({ query: TYPENAME }))).toEqual([]);
    expect(plain.held()).toEqual(NOTHING);
    expect(strict.held().operations).toBe(1);
    caller.abort();
    await expect(hanging).rejects.toThrow();
  });
});
