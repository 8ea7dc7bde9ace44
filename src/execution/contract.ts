import {
  type GraphQLField,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isAbstractType,
  isIntrospectionType,
  isNonNullType,
  isObjectType,
} from 'graphql';

/** Throws if the schema needs what this executor does not implement: at startup, rather than wrong results. */
export function requireExecutable(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isAbstractType(type) && type.resolveType === undefined)
      throw new Error(`${type.name} needs a \`resolveType\`: \`isTypeOf\` is not asked`);
    if (!isObjectType(type) || isIntrospectionType(type)) continue;
    if (type.isTypeOf) throw new Error(`${type.name} has an \`isTypeOf\`, which is not asked`);
    // GraphQL's default resolver would call a property that is a function.
    for (const field of Object.values(type.getFields())) {
      const { name, resolve, subscribe, extensions } = field;
      if (type === schema.getSubscriptionType() && subscribe === undefined)
        throw new Error(`${type.name}.${name} needs a \`subscribe\``);
      const isExposed = extensions.pothosExposedField !== undefined;
      if (resolve === undefined && !isExposed) throw new Error(`${type.name}.${name} needs a resolver`);
      const { compute, resolveBatch } = hintsOf(field);
      if (resolveBatch && (isNonNullType(field.type) || field.args.length > 0))
        throw new Error(`${type.name}.${name} is batched, so it must be nullable and have no arguments`);
      if (resolve !== undefined && (isExposed || compute || resolveBatch)) ownResolvers.add(resolve);
    }
  }
  return schema;
}

/** The resolvers of exposed, computed and batched fields, as the schema was built: plugins may replace those of a field. */
const ownResolvers = new WeakSet<object>();

/** How a field is read from its source alone: the property that it exposes, or a computation. */
export type SourceReader =
  | { readonly property: string }
  | { readonly compute: NonNullable<ExecutionHints['compute']> };

/** Undefined if the field has another kind of resolver, for example one of a plugin. */
export function sourceReaderOf(field: GraphQLField<unknown, unknown>): SourceReader | undefined {
  const { resolve, extensions } = field;
  if (resolve !== undefined && !ownResolvers.has(resolve)) return undefined;
  const { pothosExposedField: property } = extensions;
  if (typeof property === 'string') return { property };
  const { compute } = hintsOf(field);
  return compute && { compute };
}

/** Whether its values are those of the source, and not made for the response. */
export function isExposed(field: GraphQLField<unknown, unknown>): boolean {
  const reader = sourceReaderOf(field);
  return reader !== undefined && 'property' in reader;
}

/** Undefined if the field is not batched, or has another resolver, for example one of a plugin. */
export function ownBatchResolver(field: GraphQLField<unknown, unknown>): ExecutionHints['resolveBatch'] {
  return field.resolve && ownResolvers.has(field.resolve) ? hintsOf(field).resolveBatch : undefined;
}

/** A thenable would be completed as a record, and an iterable other than an array would be an invalid list. */
export function requireNative(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if ('then' in value && typeof value.then === 'function')
    throw new Error('A resolver gave a promise that is not a native `Promise`');
  if (Symbol.iterator in value && !Array.isArray(value))
    throw new Error('A resolver gave an iterable that is not an array');
}

/** What a schema declares for the executor, in `extensions`. */
export interface ExecutionHints {
  /** On a scalar: its values are strings, which go into the response unchanged. */
  readonly isStringScalar?: boolean;
  /** On a nullable field without arguments: resolves it for many sources at once, each to a value, null or an Error. */
  resolveBatch?(
    sources: readonly object[],
    context: unknown,
    info: GraphQLResolveInfo,
  ): Promise<readonly unknown[]>;
  /** On a field: does what its resolver does, without arguments; never returns a promise. */
  compute?(source: object, context: unknown): unknown;
}

/** A class, so that `hintsOf` can use `instanceof` rather than a cast. */
class Declared {
  readonly hints: ExecutionHints;
  constructor(hints: ExecutionHints) {
    this.hints = hints;
  }
}

export function executionHints(hints: ExecutionHints): { readonly [name: string]: unknown } {
  return { execution: new Declared(hints) };
}

const NO_HINTS: ExecutionHints = {};

export function hintsOf({
  extensions: { execution },
}: {
  readonly extensions: { readonly [name: string]: unknown };
}): ExecutionHints {
  return execution instanceof Declared ? execution.hints : NO_HINTS;
}
