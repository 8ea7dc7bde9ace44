import { describe, expect, test } from 'vitest';
import { DocumentCache } from '../../../src/documents/document-cache.ts';
import { parseBounded, validateBounded } from '../../../src/documents/limits.ts';
import { RejectedDocument, RejectedDocuments } from '../../../src/documents/rejected-documents.ts';
import { schema } from '../../../src/schema/index.ts';
import { times } from '../../support/times.ts';
import { REFUSED } from './rejected-documents.ts';

/** A reading that counts what it is asked to do. */
function countingReading() {
  const work = { parsed: 0, validated: 0 };
  return {
    work,
    schema,
    parse: (source: string) => {
      work.parsed += 1;
      return parseBounded(source);
    },
    validate: (...given: Parameters<typeof validateBounded>) => {
      work.validated += 1;
      return validateBounded(...given);
    },
  };
}

describe('a document that was refused', () => {
  test.each(Object.entries(REFUSED))('%s is neither parsed nor validated again', (_what, source) => {
    const reading = countingReading();
    const documents = new DocumentCache();
    const errorsOf = () => {
      try {
        documents.read(source, reading, () => {});
        return undefined;
      } catch (error) {
        return error instanceof RejectedDocument ? error.errors : undefined;
      }
    };
    const first = errorsOf();
    const { parsed, validated } = reading.work;
    expect(first?.length).toBeGreaterThan(0);
    expect(errorsOf()).toBe(first);
    expect(reading.work).toEqual({ parsed, validated });
  });

  test('is kept without anything of the document', () => {
    const refusals = new RejectedDocuments();
    const documents = new DocumentCache(refusals);
    const source = `{ unknown } #${'x'.repeat(50_000)}`;
    expect(() => documents.read(source, countingReading(), () => {})).toThrow(RejectedDocument);
    expect(refusals.bytes.used).toBeLessThan(2_000);
    expect(refusals.get(source)).toEqual(JSON.parse(JSON.stringify(refusals.get(source))));
  });

  test('is kept within a bound', () => {
    const refusals = new RejectedDocuments();
    for (const index of times(3_000, (number) => number))
      refusals.set(String(index), [
        { message: 'x'.repeat(1_000), extensions: { code: 'BAD_USER_INPUT' }, status: 400 },
      ]);
    const { used, max } = refusals.bytes;
    expect(used).toBeLessThanOrEqual(max);
    expect(refusals.get('0')).toBeUndefined();
    expect(refusals.get('2999')).toBeDefined();
  });
});

test('a document that is known is not looked for among those that were refused', () => {
  const asked: string[] = [];
  class Counting extends RejectedDocuments {
    override get(source: string) {
      asked.push(source);
      return super.get(source);
    }
  }
  const documents = new DocumentCache(new Counting());
  const reading = countingReading();
  for (const source of ['{ __typename }', '{ __typename }', '{ __typename }'])
    documents.read(source, reading, () => {});
  expect(asked).toEqual(['{ __typename }']);
  expect(reading.work).toEqual({ parsed: 1, validated: 1 });
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
    const documents = new DocumentCache();
    const reading = countingReading();
    documents.read(make(0), reading, () => {});
    expect(documents.bytes.used).toBeGreaterThanOrEqual(bytes);
    for (const index of times(100, (number) => 1 + number)) documents.read(make(index), reading, () => {});
    const { used, max } = documents.bytes;
    expect(used).toBeLessThanOrEqual(max);
  });
});
