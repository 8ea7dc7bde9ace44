import {
  type GraphQLField,
  type GraphQLSchema,
  isAbstractType,
  isIntrospectionType,
  isObjectType,
} from 'graphql';

/**
 * Throws if the schema uses a GraphQL feature that this executor does not implement, so that it fails at startup
 * rather than with wrong results.
 */
export function requireExecutable(schema: GraphQLSchema): GraphQLSchema {
  if (schema.getSubscriptionType()) throw new Error('Subscriptions are not executed');
  for (const type of Object.values(schema.getTypeMap())) {
    if (isAbstractType(type) && type.resolveType === undefined)
      throw new Error(`${type.name} needs a \`resolveType\`: \`isTypeOf\` is not asked`);
    if (!isObjectType(type) || isIntrospectionType(type)) continue;
    if (type.isTypeOf) throw new Error(`${type.name} has an \`isTypeOf\`, which is not asked`);
    // GraphQL's default resolver would call a property that is a function.
    for (const { name, resolve, extensions } of Object.values(type.getFields())) {
      const isExposed = extensions.pothosExposedField !== undefined;
      if (resolve === undefined && !isExposed) throw new Error(`${type.name}.${name} needs a resolver`);
      if (resolve !== undefined && isExposed) exposeResolvers.add(resolve);
    }
  }
  return schema;
}

/** Resolvers that only read the property that their field exposes. */
const exposeResolvers = new WeakSet<object>();

/** The source property that a field exposes; undefined if it has another resolver, for example one of a plugin. */
export function exposedProperty({ resolve, extensions }: GraphQLField<unknown, unknown>): string | undefined {
  const { pothosExposedField: property } = extensions;
  if (typeof property !== 'string') return undefined;
  return resolve === undefined || exposeResolvers.has(resolve) ? property : undefined;
}

/** A thenable would be completed as a record, and an iterable other than an array would be an invalid list. */
export function requireNative(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if ('then' in value && typeof value.then === 'function')
    throw new Error('A resolver gave a promise that is not a native `Promise`');
  if (Symbol.iterator in value && !Array.isArray(value))
    throw new Error('A resolver gave an iterable that is not an array');
}
