import { getIntrospectionQuery, parse, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { parseBounded, validateBounded } from '../../src/execution/limits.ts';
import { createDocuments } from '../../src/plugins/documents.ts';
import { createRefusals, RefusedDocument } from '../../src/plugins/refusals.ts';
import { schema } from '../../src/schema/index.ts';
import { useGateway } from '../support/gateway.ts';
import { codesOf, times } from './support.ts';

const gateway = await useGateway();

const refused: Record<string, string> = {
  'that cannot be parsed': '{ broken {',
  'that is too large': '{ __typename '.repeat(8_100),
  'that is not valid': '{ unknown debtors { nope } }',
  'with a fragment that spreads itself': '{ ...f } fragment f on Query { ...f }',
};

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
  test.each(Object.entries(refused))('%s is refused in the same bytes again', async (_what, query) => {
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

  test.each(Object.entries(refused))('%s is neither parsed nor validated again', (_what, source) => {
    const reading = countingReading();
    const documents = createDocuments();
    const errorsOf = () => {
      try {
        documents.read(source, reading);
        return undefined;
      } catch (error) {
        return error instanceof RefusedDocument ? error.errors : undefined;
      }
    };
    const first = errorsOf();
    const { parsed, validated } = reading.work;
    expect(first?.length).toBeGreaterThan(0);
    expect(errorsOf()).toBe(first);
    expect(reading.work).toEqual({ parsed, validated });
  });

  test('is kept without anything of the document', () => {
    const refusals = createRefusals();
    const documents = createDocuments(refusals);
    const source = `{ unknown } #${'x'.repeat(50_000)}`;
    expect(() => documents.read(source, countingReading())).toThrow(RefusedDocument);
    expect(refusals.bytes().kept).toBeLessThan(2_000);
    expect(refusals.of(source)).toEqual(JSON.parse(JSON.stringify(refusals.of(source))));
  });

  test('is kept within a bound', () => {
    const refusals = createRefusals();
    for (const index of times(3_000, (number) => number))
      refusals.keep(String(index), [
        { message: 'x'.repeat(1_000), extensions: { code: 'BAD_USER_INPUT' }, status: 400 },
      ]);
    const { kept, most } = refusals.bytes();
    expect(kept).toBeLessThanOrEqual(most);
    expect(refusals.of('0')).toBeUndefined();
    expect(refusals.of('2999')).toBeDefined();
  });
});

test('a document that is known is not looked for among those that were refused', () => {
  const asked: string[] = [];
  const none = (source: string) => {
    asked.push(source);
    return undefined;
  };
  const refusals = { ...createRefusals(), of: none };
  const documents = createDocuments(refusals);
  const reading = countingReading();
  for (const source of ['{ __typename }', '{ __typename }', '{ __typename }'])
    documents.read(source, reading);
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
    const documents = createDocuments();
    const reading = countingReading();
    documents.read(make(0), reading);
    expect(documents.bytes().kept).toBeGreaterThanOrEqual(bytes);
    for (const index of times(100, (number) => 1 + number)) documents.read(make(index), reading);
    const { kept, most } = documents.bytes();
    expect(kept).toBeLessThanOrEqual(most);
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

test('a name that is asked for too often is named', async () => {
  const answer = await gateway.query(`{ ${'node(id: 0) { id } '.repeat(700)} }`);
  expect(answer.errors?.[0]?.message).toBe(
    'The document asks for the same names too often, such as for `node` 700 times in one place: ask once.',
  );
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
