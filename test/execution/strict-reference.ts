import { GraphQLBoolean, GraphQLID, GraphQLInt, GraphQLString } from 'graphql';

/**
 * Here we are stricter than GraphQL's reference on purpose: a scalar takes its own type of JSON, and turns nothing else
 * into it. The reference is made to do so too, in the process of one test file.
 */
export function makeReferenceStrict(): void {
  const own = [
    [GraphQLString, 'string'],
    [GraphQLID, 'string'],
    [GraphQLInt, 'number'],
    [GraphQLBoolean, 'boolean'],
  ] as const;
  for (const [scalar, type] of own) {
    const serialize: (value: unknown) => unknown = scalar.serialize;
    const strict = (value: unknown) => {
      if (typeof value === type) return serialize(value);
      throw new TypeError(`not a ${type}`);
    };
    Object.defineProperty(scalar, 'serialize', { value: strict });
  }
}
