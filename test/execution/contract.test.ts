import {
  buildSchema,
  GraphQLList,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
  parse,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { Budget } from '../../src/execution/budget.ts';
import { requireExecutable } from '../../src/execution/contract.ts';
import { execute } from '../../src/execution/execute.ts';
import { planOperation } from '../../src/execution/operation.ts';

const Item = new GraphQLObjectType({
  name: 'Item',
  fields: { name: { type: GraphQLString, resolve: () => 'a' } },
});

const withItem = (
  item: GraphQLObjectType | GraphQLUnionType | GraphQLList<GraphQLObjectType>,
  given?: unknown,
) =>
  new GraphQLSchema({
    query: new GraphQLObjectType({ name: 'Query', fields: { item: { type: item, resolve: () => given } } }),
  });

describe('a schema that would be executed wrongly is refused as it is built', () => {
  test.each([
    [
      'a subscription without events',
      () => buildSchema('type Subscription { a: Int }'),
      'Subscription.a needs a `subscribe`',
    ],
    ['a field without a resolver', () => buildSchema('type Query { a: Int }'), 'Query.a needs a resolver'],
    [
      'a union that cannot tell its types apart',
      () => withItem(new GraphQLUnionType({ name: 'Either', types: [Item] })),
      'Either needs a `resolveType`',
    ],
    [
      'an `isTypeOf`',
      () => withItem(new GraphQLObjectType({ ...Item.toConfig(), isTypeOf: () => true })),
      'Item has an `isTypeOf`',
    ],
  ])('%s', (_what, make, message) => {
    expect(() => requireExecutable(make())).toThrow(message);
  });

  test('and one that is not is given back', () => {
    const schema = withItem(Item);
    expect(requireExecutable(schema)).toBe(schema);
  });
});

/** As the promises of some libraries are. */
class Thenable {
  // biome-ignore lint/suspicious/noThenProperty: this is what is to be refused.
  then(resolve: (value: unknown) => void) {
    resolve({});
  }
}

describe('what a resolver may not give is an error that says so, and no data', () => {
  test.each([
    ['a thenable', Item, new Thenable(), 'not a native `Promise`'],
    ['a promise of an iterable', new GraphQLList(Item), Promise.resolve(new Set([{}])), 'not an array'],
    ['a list of thenables', new GraphQLList(Item), [new Thenable()], 'not a native `Promise`'],
  ])('%s', async (_what, type, given, message) => {
    const planned = planOperation({ schema: withItem(type, given), document: parse('{ item { name } }') });
    const { errors } = await execute(planned, undefined, new Budget({ maxObjects: 1e3, maxBytes: 1e6 }));
    expect(errors).toHaveLength(1);
    expect(errors?.[0]?.message).toContain(message);
  });
});
