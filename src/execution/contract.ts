import {
  type GraphQLField,
  type GraphQLSchema,
  isAbstractType,
  isIntrospectionType,
  isObjectType,
} from 'graphql';

/**
 * What this execution leaves out of GraphQL's, because our schema does not need it. A schema that does is refused as it
 * is built, rather than answered wrongly.
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
      if (resolve !== undefined && isExposed) exposing.add(resolve);
    }
  }
  return schema;
}

/** Resolvers that do nothing but read the property that their field exposes. */
const exposing = new WeakSet<object>();

/** The property of the source that a field is, unless its resolver was replaced, as plugins do. */
export function exposedProperty({ resolve, extensions }: GraphQLField<unknown, unknown>): string | undefined {
  const { pothosExposedField: property } = extensions;
  if (typeof property !== 'string') return undefined;
  return resolve === undefined || exposing.has(resolve) ? property : undefined;
}

/** A promise that is no `Promise` would be read as a record, and an iterable that is no array as a broken list. */
export function requireNative(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if ('then' in value && typeof value.then === 'function')
    throw new Error('A resolver gave a promise that is not a native `Promise`');
  if (Symbol.iterator in value && !Array.isArray(value))
    throw new Error('A resolver gave an iterable that is not an array');
}
