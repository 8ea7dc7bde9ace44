import { getIntrospectionQuery, parse, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { parseBounded, validateBounded } from '../../../src/request/documents/limits.ts';
import { schema } from '../../../src/schema/index.ts';
import { codesOf } from '../../support/answers.ts';
import { useGateway } from '../../support/gateway.ts';
import { times } from '../../support/times.ts';
import { REFUSED } from './rejected-documents.ts';

const gateway = await useGateway();

describe('a document that was refused', () => {
  test.each(Object.entries(REFUSED))('%s is refused in the same bytes again', async (_what, query) => {
    const headers = { 'x-request-id': 'one-and-the-same' };
    const [first, second] = [
      await gateway.query(query, {}, headers),
      await gateway.query(query, {}, headers),
    ];
    expect(first.errors?.length).toBeGreaterThan(0);
    expect(second.text).toBe(first.text);
    expect(second.status).toBe(first.status);
  });

  test('is shown with the id of each request', async () => {
    const answers = [await gateway.query('{ unknown }'), await gateway.query('{ unknown }')];
    for (const { errors, headers } of answers)
      expect(errors?.[0]?.extensions.requestId).toBe(headers.get('x-request-id'));
  });
});

describe('validation', () => {
  test('shows the first errors, and says that there are more', async () => {
    const answer = await gateway.query(`{ ${times(9, (index) => `unknown${index}`).join(' ')} }`);
    expect(answer.errors?.map(({ message }) => message)).toEqual([
      ...times(5, (index) => `Cannot query field "unknown${index}" on type "Query".`),
      'The document has more errors: the first 5 are shown.',
    ]);
    expect(new Set(codesOf(answer))).toEqual(new Set(['GRAPHQL_VALIDATION_FAILED']));
  });

  test('shows all errors where they are few', async () => {
    const answer = await gateway.query(`{ ${times(5, (index) => `unknown${index}`).join(' ')} }`);
    expect(answer.errors).toHaveLength(5);
  });
});

const honest: Record<string, string> = {
  "GraphiQL's introspection": getIntrospectionQuery({ inputValueDeprecation: true, oneOf: true }),
  'forty fragments that each ask for the same three fields': `{ debtors(administrationId: "1001") { nodes {
    ${times(40, (index) => `...f${index}`).join(' ')} } } } ${times(40, (index) => `fragment f${index} on Debtor { __typename id name }`).join(' ')}`,
  'a few hundred fields under aliases': `{ ${times(40, (index) => `l${index}: debtors(administrationId: "1001") { nodes { id name } pageInfo { endCursor } }`).join(' ')} }`,
  'five hundred ids': `{ debtors(administrationId: "1001", ids: [${times(500, (index) => `"${index}"`).join(' ')}]) { nodes { id } } }`,
};

test.each(Object.entries(honest))('%s are within the limits', (_what, source) => {
  expect(validate(schema, parse(source))).toEqual([]);
  expect(validateBounded(schema, parseBounded(source))).toEqual([]);
});
