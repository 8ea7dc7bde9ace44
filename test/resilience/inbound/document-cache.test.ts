import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { beforeEach, describe, expect, test } from 'vitest';
import { DocumentCache } from '../../../src/request/documents/document-cache.ts';
import { parseBounded, validateBounded } from '../../../src/request/documents/limits.ts';
import { schema } from '../../../src/schema/index.ts';
import { useGateway } from '../../support/gateway.ts';
import { times } from '../../support/times.ts';
import { REFUSED } from './rejected-documents.ts';

const work = { parsed: 0, validated: 0 };
beforeEach(() => Object.assign(work, { parsed: 0, validated: 0 }));

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

describe('a document that was refused', () => {
  test.each(Object.entries(REFUSED))('%s is neither parsed nor validated again', async (_what, source) => {
    const first = await gateway.query(source);
    const { parsed, validated } = work;
    expect(first.errors?.length).toBeGreaterThan(0);
    const again = await gateway.query(source);
    expect(again.errors?.map(({ message }) => message)).toEqual(first.errors?.map(({ message }) => message));
    expect(work).toEqual({ parsed, validated });
  });
});

test('a document that is known is neither parsed nor validated again', async () => {
  for (const _time of times(3, () => 0)) await gateway.query('{ known: __typename }');
  expect(work).toEqual({ parsed: 1, validated: 1 });
});

test('the documents that are kept count for what is made of their text', () => {
  const cache = new DocumentCache();
  const add = (source: string) => {
    const document = parseBounded(source);
    cache.documentCache.set(source, document);
    cache.validated(document, validateBounded(schema, document));
  };
  const aliases = (index: number) =>
    `{ ${times(190, (field) => `a${field}:__typename`).join(' ')} b${index}: __typename }`;
  add(aliases(0));
  // As it was measured.
  expect(cache.size.bytes).toBeGreaterThanOrEqual(190 * 3 * 280);
  for (const index of times(200, (number) => 1 + number)) add(aliases(index));
  expect(cache.size.bytes).toBeLessThanOrEqual(16_000_000);
  expect(cache.documentCache.get(aliases(0))).toBeUndefined();
  expect(cache.documentCache.get(aliases(200))).toBeDefined();
});

test('documents that are not valid drive out no valid one', () => {
  const cache = new DocumentCache();
  const errors = times(5, () => new GraphQLError('x'.repeat(1_000)));
  const add = (source: string, found: readonly GraphQLError[]) => {
    const document = parseBounded(source);
    cache.documentCache.set(source, document);
    cache.validated(document, found);
  };
  add('{ __typename }', []);
  for (const index of times(1_000, (number) => number)) add(`{ unknown${index} }`, errors);
  expect(cache.documentCache.get('{ unknown0 }')).toBeUndefined();
  expect(cache.documentCache.get('{ unknown999 }')).toBeDefined();
  expect(cache.documentCache.get('{ __typename }')).toBeDefined();
});
