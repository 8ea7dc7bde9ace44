import { getIntrospectionQuery, parse, validate } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { describe, expect, test } from 'vitest';
import { parseBounded, validateBounded } from '../../../src/request/documents/limits.ts';
import { schema } from '../../../src/schema/index.ts';
import { useGateway } from '../../support/gateway.ts';
import { times } from '../../support/times.ts';

const work = { parsed: 0, validated: 0 };

/** Counts what is done with documents that are not known. */
const counting: Plugin = {
  onParse({ parseFn, setParseFn }) {
    setParseFn((...given) => {
      work.parsed += 1;
      return parseFn(...given);
    });
  },
  onValidate({ validateFn, setValidationFn }) {
    setValidationFn((...given) => {
      work.validated += 1;
      return validateFn(...given);
    });
  },
};
const gateway = await useGateway({ gateway: { plugins: [counting] } });

describe('a document that was seen before is neither parsed nor validated again, and answered alike', () => {
  test.each([
    ['that is right', '{ known: __typename }'],
    ['that cannot be parsed', '{ broken {'],
    ['that is too large', '{ __typename '.repeat(8_100)],
    ['with a fragment that spreads itself', '{ ...f } fragment f on Query { ...f }'],
  ])('%s', async (_what, query) => {
    const ask = (id: string) => gateway.query(query, {}, { 'x-request-id': id });
    const first = await ask('first');
    const before = { ...work };
    const second = await ask('other');
    expect(second.text).toBe(first.text.replaceAll('first', 'other'));
    expect(second.status).toBe(first.status);
    expect(work).toEqual(before);
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
