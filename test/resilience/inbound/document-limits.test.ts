import { getIntrospectionQuery } from 'graphql';
import { expect, test } from 'vitest';
import { codesOf } from '../../support/answers.ts';
import { BEARER, useGateway } from '../../support/gateway.ts';
import { times } from '../../support/times.ts';

const gateway = await useGateway();

const brackets = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const nested = (depth: number) => `${'{ a'.repeat(depth)}${' }'.repeat(depth)}`;
/** Each fragment spreads the next twice, so that the last is there 2 ** count times. */
const bomb = (count: number) =>
  `{ ...f0 } ${times(count, (index) => `fragment f${index} on Query { ...f${index + 1} ...f${index + 1} }`).join(' ')}
   fragment f${count} on Query { __typename }`;

const tooLarge: Record<string, string> = {
  'longer than 64,000 characters': `{ __typename }${' '.repeat(64_000)}`,
  'of more than 8,000 tokens': `{ ${'a '.repeat(8_100)} }`,
  'of more than 20 levels': nested(21),
  'of 2,000 levels of inline fragments': `${'{ ... '.repeat(2_000)}{ __typename }${' }'.repeat(2_000)}`,
  'with 10,000 levels in an argument': `{ debtors(administrationId: "1001", ids: ${brackets(10_000)}) { nodes { name } } }`,
  'with 10,000 levels in a type': `query ($a: ${'['.repeat(10_000)}Int${']'.repeat(10_000)}) { __typename }`,
  'with 201 aliases': `{ ${times(201, (index) => `a${index}: __typename`).join(' ')} }`,
  'with 51 fragments': `{ __typename } ${times(51, (index) => `fragment f${index} on Query { __typename }`).join(' ')}`,
  'with fragments that expand exponentially': bomb(40),
  'with values multiplied by fragments': `{ ${times(10, (index) => `a${index}: administration(id: "1") { ...f }`).join(' ')} }
    fragment f on Administration { debtors(ids: [${'1 '.repeat(1_000)}]) { nodes { id } } }`,
  'with 6 introspections': `{ ${times(6, (index) => `s${index}: __schema { description }`).join(' ')} }`,
  'of operations that have 1,500 fields together': `${times(51, (index) => `query q${index} { ...f }`).join(' ')}
    fragment f on Query { debtors(administrationId: "1") { nodes { ${times(28, (index) => `f${index}`).join(' ')} } } }`,
  'with levels hidden in a fragment of the same name as another': `{ ...f } fragment f on Query ${nested(21)}
    fragment f on Query { __typename }`,
  'with the same field 700 times': `{ ${'node(id: 0) { id } '.repeat(700)} }`,
  'with levels hidden in fragments': `{ ...f0 } ${times(30, (index) => `fragment f${index} on Debtor { administration { debtor(by: { id: "1" }) { ...f${index + 1} } } }`).join(' ')}
    fragment f30 on Debtor { name }`,
};

test.each(Object.entries(tooLarge))('a document is rejected before validation: %s', async (_what, query) => {
  const answer = await gateway.query(query);
  expect(answer.status).toBe(query.length > 64_000 ? 413 : 400);
  expect(codesOf(answer)).toEqual(['OPERATION_TOO_EXPENSIVE']);
  expect(answer.errors?.[0]?.extensions.requestId).toBe(answer.headers.get('x-request-id'));
  expect(answer.text.length).toBeLessThan(1000);
  expect(gateway.calls()).toEqual([]);
});

const honest: Record<string, string> = {
  "GraphiQL's introspection": getIntrospectionQuery({ inputValueDeprecation: true, oneOf: true }),
  'forty fragments that each ask for the same three fields': `{ debtors(administrationId: "1001") { nodes {
    ${times(40, (index) => `...f${index}`).join(' ')} } } } ${times(40, (index) => `fragment f${index} on Debtor { __typename id name }`).join(' ')}`,
  'a few hundred fields under aliases': `{ ${times(40, (index) => `l${index}: debtors(administrationId: "1001") { nodes { id name } pageInfo { endCursor } }`).join(' ')} }`,
  'five hundred ids': `{ debtors(administrationId: "1001", ids: [${times(500, (index) => `"${index}"`).join(' ')}]) { nodes { id } } }`,
};

test.each(Object.entries(honest))('the limits of documents allow %s', async (_what, query) => {
  expect(codesOf(await gateway.query(query))).toEqual([]);
});

test.each([
  ['nested 20 times', `{"a":${brackets(20)}}`],
  ['with a thousand errors', JSON.stringify({ a: times(1000, () => ({})) })],
  ['that are missing', '{}'],
  ['of another type', '{"a":{"b":1}}'],
])('variables %s are rejected with a short message', async (_what, variables) => {
  const query = 'query ($a: [ID!]!) { nodes(ids: $a) { id } }';
  const response = await gateway.post(`{"query":"${query}","variables":${variables}}`);
  const text = await response.text();
  expect(text).toContain('"code":"BAD_USER_INPUT"');
  expect(response.status).toBe(400);
  expect(text.length).toBeLessThan(20_000);
});

test.each([
  ['as an alias', '{ __proto__: __typename }'],
  ['as an alias in a record', '{ debtors(administrationId: "1001") { nodes { __proto__: name } } }'],
  [
    'as an alias in a large result',
    '{ debtors(administrationId: "1001", first: 5000) { edges { __proto__: node { name } } } }',
  ],
  ['as an alias in a skipped fragment', '{ __typename ... @skip(if: true) { __proto__: __typename } }'],
  ['as a variable', 'query ($__proto__: Boolean!) { __typename @skip(if: $__proto__) }'],
])('`__proto__` is rejected %s', async (_what, query) => {
  const answer = await gateway.query(query, {}, { ...BEARER, accept: 'application/graphql-response+json' });
  expect(codesOf(answer)).toEqual(['GRAPHQL_VALIDATION_FAILED']);
  expect(answer.status).toBe(400);
  expect(gateway.rest.calls).toEqual([]);
});
