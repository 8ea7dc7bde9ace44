import fc from 'fast-check';
import {
  buildSchema,
  getVariableValues,
  isScalarType,
  Kind,
  type OperationDefinitionNode,
  parse,
  versionInfo,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { coerceVariables } from '../../src/execution/variables.ts';
import { casesOf } from '../support/search.ts';

const schema = buildSchema(`
  enum Color { RED GREEN }
  scalar Anything
  scalar Even
  input Choice @oneOf { a: String b: Int c: Inner }
  input Inner { n: Int! = 3 words: [String!] colors: [[Color]] }
  input Whole { id: ID! flag: Boolean! = true ratio: Float inner: Inner choice: Choice any: Anything }
  type Query { a: Int }
`);

const even = schema.getType('Even');
if (isScalarType(even)) {
  const parseValue = (value: unknown) => {
    if (typeof value === 'number') return value;
    throw new TypeError(`${value} is no number`);
  };
  // Both the names of graphql 16 and of graphql 17.
  Object.assign(even, { parseValue, coerceInputValue: parseValue });
}

const NAMED = 'Int Float String Boolean ID Color Anything Even Choice Inner Whole'.split(' ');
const LISTS = ['[Int]', '[Int!]!', '[[Color!]]', '[Inner]', '[Whole!]!'];
const TYPES = [...NAMED, ...NAMED.map((name) => `${name}!`), ...LISTS];
const name = fc.constantFrom(...'id flag ratio inner choice any n words colors a b c x'.split(' '));
/** JSON of these leaves, with keys of the inputs above. */
const jsonOf = (...leaves: readonly unknown[]) =>
  fc.letrec<{ json: unknown }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(...leaves),
      fc.array(tie('json'), { maxLength: 3 }),
      fc.dictionary(name, tie('json'), { maxKeys: 4 }),
    ),
  })).json;
const json = jsonOf(null, true, 1, 1.5, 2 ** 31, -0, 'RED', 'text', '', '7');

function operation(variables: string): OperationDefinitionNode {
  const [definition] = parse(`query (${variables}) { a }`).definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new TypeError('not an operation');
  return definition;
}

function reference(text: string, given: unknown): unknown {
  const { variableDefinitions = [] } = operation(`$v: ${text}`);
  const { errors, coerced, variableValues } = Object(
    getVariableValues(schema, variableDefinitions, { v: given }),
  );
  // graphql 17 wraps the values in `variableValues`.
  return errors ? 'invalid' : (coerced ?? variableValues.coerced).v;
}

function ours(text: string, given: unknown): unknown {
  try {
    return coerceVariables(schema, operation(`$v: ${text}`), { v: given }).v;
  } catch (error) {
    return error instanceof AggregateError ? 'invalid' : error;
  }
}

test('variables are coerced or rejected as by graphql-js', () => {
  fc.assert(
    fc.property(fc.constantFrom(...TYPES), json, (type, given) => {
      expect(ours(type, given)).toEqual(reference(type, given));
    }),
    { numRuns: casesOf({ short: 600, long: 3_000 }) },
  );
});

const messagesOf = (variables: string, given: { readonly [name: string]: unknown }) => {
  try {
    coerceVariables(schema, operation(variables), given);
    return [];
  } catch (error) {
    return error instanceof AggregateError ? error.errors.map(({ message }) => message) : [];
  }
};

test.each([
  ['$v: Int! = 4', {}, { v: 4 }],
  ['$v: Int = 4', { v: null }, { v: null }],
  ['$v: Int', {}, {}],
  ['$v: Inner', { v: {} }, { v: { n: 3 } }],
])('a default replaces a variable that is not set: %s %j', (variables, given, expected) => {
  expect(coerceVariables(schema, operation(variables), given)).toEqual(expected);
});

/** graphql 16 and 17 word some messages differently. */
const worded = (in16: string, in17: string) => (versionInfo.major > 16 ? in17 : in16);
const ONE_OF =
  'Within OneOf Input Object type "Choice", exactly one field must be specified, and the value for that field must be ' +
  'non-null.';

describe('an error of a variable names the path and the expected type, but never the value', () => {
  const SECRET = 's3cret';
  const INT = 'an Int: a whole number up to 2147483647, without quotes.';
  test.each<[string, unknown, string, string]>([
    ['[Int!]', [1, SECRET], 'v[1]', `Expected ${INT}`],
    ['ID', { [SECRET]: SECRET }, 'v', 'Expected an ID: text in double quotes, or a whole number.'],
    ['Inner', { words: [SECRET], extra: 1 }, 'v', 'Field "extra" is not defined by type "Inner".'],
    ['Inner', { word: SECRET }, 'v', 'Field "word" is not defined by type "Inner". Did you mean "words"?'],
    [
      'Whole',
      { ratio: 1, any: SECRET },
      'v',
      worded(
        'Field "id" of required type "ID!" was not provided.',
        'Expected value of type "Whole" to include required field "id".',
      ),
    ],
    [
      'Choice',
      { a: SECRET, b: 1 },
      'v',
      `${worded('Exactly one key must be specified for OneOf type "Choice".', ONE_OF)} Its keys are a, b and c.`,
    ],
    ['Choice', { a: null }, 'v.a', worded('Field "a" must be non-null.', ONE_OF)],
    [
      '[Int!]!',
      [null],
      'v[0]',
      worded(
        'Expected non-nullable type "Int!" not to be null.',
        'Expected value of non-null type "Int!" not to be null.',
      ),
    ],
    ['Even', SECRET, 'v', 'Expected a value of type "Even".'],
  ])('%s %j', (type, given, place, reason) => {
    const message = `Variable "$v" got an invalid value at "${place}": ${reason}`;
    expect(messagesOf(`$v: ${type}`, { v: given })).toEqual([message]);
  });

  test('for random values of all types', () => {
    const secrets = jsonOf(SECRET, 471_147.5, null);
    fc.assert(
      fc.property(fc.constantFrom(...TYPES), secrets, (type, given) => {
        expect(messagesOf(`$v: ${type}`, { v: given }).join()).not.toMatch(/s3cret|471147/);
      }),
      { numRuns: casesOf({ short: 400, long: 2_000 }) },
    );
  });
});

test('too many input objects are rejected before they are coerced', () => {
  const objects = (count: number) => ({ v: Array.from({ length: count }, () => ({ n: 1 })) });
  expect(messagesOf('$v: [Inner]', objects(2_500))).toEqual([]);
  const [message] = messagesOf('$v: [Inner]', objects(2_501));
  expect(message).toBe('The variables hold too many input objects. Send them in several operations.');
});
