import { buildSchema, type FieldNode, getArgumentValues, Kind, parse } from 'graphql';
import { expect, test } from 'vitest';
import { compileArguments } from '../../src/execution/arguments.ts';
import { present } from '../support/present.ts';

const schema = buildSchema(`
  input Range { from: Int! to: Int = 9 }
  type Query {
    field(text: String, must: ID!, number: Int = 5, list: [Int!], range: Range, mustHave: Int! = 3): Int
  }
`);
const field = present(schema.getQueryType()?.getFields().field);

function nodeOf(args: string): FieldNode {
  const [operation] = parse(`query { field${args} }`).definitions;
  const [node] = operation?.kind === Kind.OPERATION_DEFINITION ? operation.selectionSet.selections : [];
  if (node?.kind !== Kind.FIELD) throw new Error('not a field');
  return node;
}

function outcomeOf(compute: () => unknown): unknown {
  try {
    return compute();
  } catch (error) {
    return String(error);
  }
}

const ARGUMENTS = [
  '(must: "1")',
  '(must: "1", text: null, number: 2)',
  '(must: $id)',
  '(must: $id, text: $text)',
  '(must: $id, number: $number)',
  '(must: $id, list: [1, $number])',
  '(must: $id, list: $list)',
  '(must: $id, range: { from: $number })',
  '(must: $id, range: { from: $number, to: $to })',
  '(must: $id, mustHave: $number)',
  '(text: $text)',
];
const VARIABLES: { [name: string]: unknown }[] = [
  {},
  { id: '7' },
  { id: null },
  { id: '7', text: 'x', number: 4, list: [1], to: 2 },
  { id: '7', text: null, number: null, list: null, to: null },
  JSON.parse('{ "id": "7", "__proto__": 1, "number": 0, "text": "" }'),
];

test.each(ARGUMENTS)('%s is computed as graphql-js computes it, and refused where it refuses it', (args) => {
  const node = nodeOf(args);
  const compiled = compileArguments(field, node);
  // Twice, since constants are computed at the first call.
  for (const variables of [...VARIABLES, ...VARIABLES]) {
    expect(outcomeOf(() => compiled(variables))).toEqual(
      outcomeOf(() => getArgumentValues(field, node, variables)),
    );
  }
});
