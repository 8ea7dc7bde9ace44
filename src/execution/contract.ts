import { type GraphQLSchema, isAbstractType, isIntrospectionType, isObjectType } from 'graphql';

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
    for (const { name, resolve, extensions } of Object.values(type.getFields()))
      if (resolve === undefined && extensions.pothosExposedField === undefined)
        throw new Error(`${type.name}.${name} needs a resolver`);
  }
  return schema;
}

/** A promise that is no `Promise` would be read as a record, and an iterable that is no array as a broken list. */
export function requireNative(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if ('then' in value && typeof value.then === 'function')
    throw new Error('A resolver gave a promise that is not a native `Promise`');
  if (Symbol.iterator in value && !Array.isArray(value))
    throw new Error('A resolver gave an iterable that is not an array');
}
