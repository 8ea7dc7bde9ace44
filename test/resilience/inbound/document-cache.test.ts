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

  test('because it is not GraphQL is kept within a bound', () => {
    const { errorCache, bytes } = filledCache(({ errorCache: errors }, index) =>
      errors.set(`{ ${index} ${'x'.repeat(1_000)}`, new GraphQLError('No.')),
    );
    expect(bytes.errors.used).toBeLessThanOrEqual(bytes.errors.max);
    expect(errorCache.get(`{ 0 ${'x'.repeat(1_000)}`)).toBeUndefined();
    expect(errorCache.get(`{ 2999 ${'x'.repeat(1_000)}`)).toBeDefined();
  });

  test('because it is not valid counts with its errors, and drives out no valid one', () => {
    const errors = times(5, () => new GraphQLError('x'.repeat(1_000)));
    const cache = new DocumentCache();
    const add = (source: string, found: readonly GraphQLError[]) => {
      const document = parseBounded(source);
      cache.documentCache.set(source, document);
      cache.validated(document, found);
    };
    add('{ __typename }', []);
    add('{ unknown }', errors);
    expect(cache.bytes.others.used).toBeGreaterThan(5 * 2_000);
    for (const index of times(1_000, (number) => number)) add(`{ unknown${index} }`, errors);
    expect(cache.bytes.others.used).toBeLessThanOrEqual(cache.bytes.others.max);
    expect(cache.documentCache.get('{ unknown }')).toBeUndefined();
    expect(cache.documentCache.get('{ unknown999 }')).toBeDefined();
    expect(cache.documentCache.get('{ __typename }')).toBeDefined();
  });
});

function filledCache(add: (cache: DocumentCache, index: number) => void): DocumentCache {
  const cache = new DocumentCache();
  for (const index of times(3_000, (number) => number)) add(cache, index);
  return cache;
}

test('a document that is known is neither parsed nor validated again', async () => {
  for (const _time of times(3, () => 0)) await gateway.query('{ known: __typename }');
  expect(work).toEqual({ parsed: 1, validated: 1 });
});

describe('the documents that are kept', () => {
  /** With the bytes that each was measured to take. */
  const dense: Record<string, [bytes: number, make: (index: number) => string]> = {
    'of aliases': [
      190 * 3 * 280,
      (index) => `{ ${times(190, (field) => `a${field}:__typename`).join(' ')} b${index}: __typename }`,
    ],
    'of comments': [5_000 * 90, (index) => `{ __typename } ${'#\n'.repeat(5_000)} #${index}`],
    'of values': [2_000 * 245, (index) => `{ nodes(ids: [${'1 '.repeat(2_000)}${index}]) { id } }`],
  };
  test.each(Object.entries(dense))('count for what is made of their text: %s', (_what, [bytes, make]) => {
    const cache = new DocumentCache();
    const add = (index: number) => {
      const document = parseBounded(make(index));
      cache.documentCache.set(make(index), document);
      cache.validated(document, validateBounded(schema, document));
    };
    add(0);
    expect(cache.bytes.valid.used).toBeGreaterThanOrEqual(bytes);
    const { max } = cache.bytes.valid;
    // More than fit.
    for (const index of times(Math.ceil(max / bytes), (number) => 1 + number)) add(index);
    const { used } = cache.bytes.valid;
    expect(used).toBeLessThanOrEqual(max);
  });
});
