import { GraphQLError, NoSchemaIntrospectionCustomRule, type ValidationRule } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { describe, expect, test } from 'vitest';
import { codesIn } from '../library/support.ts';
import { times } from '../support/times.ts';
import { LIST, TYPENAME, useFetchGateway } from './support.ts';

const gateway = await useFetchGateway();

let parsed = 0;
let validated = 0;
const noCities: ValidationRule = (context) => ({
  Field(node) {
    if (node.name.value === 'city') context.reportError(new GraphQLError('No cities.', { nodes: node }));
  },
});
const useRules: Plugin = {
  onParse: ({ parseFn, setParseFn }) =>
    setParseFn((source: string, options: object) => {
      parsed += 1;
      return parseFn(source, options);
    }),
  onValidate({ addValidationRule, validateFn, setValidationFn }) {
    addValidationRule(noCities);
    addValidationRule(NoSchemaIntrospectionCustomRule);
    setValidationFn((...args) => {
      validated += 1;
      return validateFn(...args);
    });
  },
};
const ruled = await useFetchGateway({ plugins: [useRules] });

describe('a document that would take too long is refused before any call:', () => {
  test.each([
    ['a long one', `{ __typename # ${'x'.repeat(64_000)}\n}`, 413, /longer than 64000 characters/],
    ['many tokens', `{ ${'a '.repeat(8_001)} }`, 400, /more than 8000 tokens/],
    ['many fields', `{ ${'__typename '.repeat(1_501)} }`, 400, /more than 1500 fields/],
    ['many aliases', `{ ${times(201, (n) => `a${n}: __typename`).join(' ')} }`, 400, /more than 200 aliases/],
    ['many levels', `{ ${'a { '.repeat(21)} a ${'}'.repeat(21)} }`, 400, /more than 20 levels/],
    [
      'very many levels',
      `{ ${'a{'.repeat(3_900)} a ${'}'.repeat(3_900)} }`,
      400,
      /more than (20 levels|8000 tokens)/,
    ],
    [
      'many fragments',
      `{ __typename } ${times(51, (n) => `fragment F${n} on Query { __typename }`).join(' ')}`,
      400,
      /more than 50 fragments/,
    ],
    [
      'many fragments that are not defined',
      `{ ${times(51, (n) => `...F${n}`).join(' ')} }`,
      400,
      /more than 50 fragments that it does not define/,
    ],
    ['many pairs of fields', `{ ${'node(id: "1") { id } '.repeat(200)} }`, 400, /pairs|200 times|fields/],
  ])('%s', async (_what, query, status, message) => {
    for (const _again of [1, 2]) {
      const answer = await gateway.post({ query });
      expect(answer.status).toBe(status);
      expect(answer.body.errors).toMatchObject([
        { message: expect.stringMatching(message), extensions: { code: 'OPERATION_TOO_EXPENSIVE' } },
      ]);
    }
    expect(gateway.calls()).toEqual([]);
  });
});

test('of many errors the first are shown', async () => {
  const { body } = await gateway.post({ query: `{ ${times(20, (n) => `nonsense${n}`).join(' ')} }` });
  expect(body.errors).toHaveLength(6);
  expect(body.errors?.at(-1)?.message).toBe('The document has more errors: the first 5 are shown.');
});

test.each([
  ['{ node(id: $identifier) { id } }', 'Variable "$identifier" is not defined.'],
  [
    'query ($count: String) { debtors(administrationId: "1", first: $count) { nodes { id } } }',
    'Variable "$count" of type "String" used in position expecting type "Int".',
  ],
  ['{ declarationLines(administrationId: "1", claimStatus: "FAILED") { nodes { id } } }', 'FAILED'],
])('names of variables and of the schema are shown: %s', async (query, message) => {
  const { body } = await gateway.post({ query });
  expect(body.errors?.[0]?.message).toContain(message);
});

test('text of the document that may be secret is not shown', async () => {
  for (const query of [
    '{ debtors(administrationId: 1, first: "my-secret") { nodes { id } } }',
    '{ "my-secret" }',
  ]) {
    const { body, text } = await gateway.post({ query });
    expect(body.errors).toHaveLength(1);
    expect(text).not.toContain('secret');
  }
});

test('valid documents alone are among those that are kept', async () => {
  const kept = () => gateway.gateway.stats().caches.document?.entries;
  const before = kept() ?? 0;
  await gateway.post({ query: '{ nonsense }' });
  await gateway.post({ query: '{' });
  expect(kept()).toBe(before);
  for (const _again of [1, 2]) await gateway.post({ query: '{ kept: __typename }' });
  expect(kept()).toBe(before + 1);
});

test('plugins of users may add rules, and wrap the parser and the validation with their limits', async () => {
  expect(codesIn(await ruled.post({ query: LIST }))).toEqual([]);
  const refused = await ruled.post({ query: LIST.replace('name', 'postalAddress { city }') });
  expect(refused.body.errors).toMatchObject([
    { message: 'No cities.', extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } },
  ]);
  expect(codesIn(await ruled.post({ query: '{ __schema { __typename } }' }))).toEqual([
    'GRAPHQL_VALIDATION_FAILED',
  ]);
  expect(codesIn(await ruled.post({ query: `{ ${'__typename '.repeat(1_501)} }` }))).toEqual([
    'OPERATION_TOO_EXPENSIVE',
  ]);
  expect(codesIn(await ruled.post({ query: '{ nonsense }' }))).toEqual(['GRAPHQL_VALIDATION_FAILED']);
});

test('a document is parsed and validated once, whoever sends it', async () => {
  const query = '{ once: __typename }';
  [parsed, validated] = [0, 0];
  for (const headers of [{}, { authorization: 'Bearer x' }, {}]) await ruled.post({ query }, headers);
  expect([parsed, validated]).toEqual([1, 1]);
  await ruled.post({ query: TYPENAME });
  expect([parsed, validated]).toEqual([2, 2]);
});
