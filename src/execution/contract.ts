import { type GraphQLField, type GraphQLResolveInfo, isNonNullType } from 'graphql';

/** What a schema declares for the executor, in `extensions`. */
export interface ExecutionHints {
  /** On a scalar: its values are strings, which go into the response unchanged. */
  readonly isStringScalar?: boolean;
  /** The resolver that the next two stand for: a plugin may have put another in its place. */
  readonly resolve?: unknown;
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

type Field = GraphQLField<unknown, unknown>;

/** The member of the source that is the value of a field; undefined if the field has a resolver. */
export function memberName({ name, resolve }: Field): string | undefined {
  return resolve === undefined ? name : undefined;
}

export function computeOf(field: Field): ExecutionHints['compute'] {
  const { compute, resolve } = hintsOf(field);
  return resolve === field.resolve ? compute : undefined;
}

export function resolveBatchOf(field: Field): ExecutionHints['resolveBatch'] {
  const { resolveBatch, resolve } = hintsOf(field);
  const isFit = !isNonNullType(field.type) && field.args.length === 0;
  return isFit && resolve === field.resolve ? resolveBatch : undefined;
}
