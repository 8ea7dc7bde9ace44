import type { GraphQLResolveInfo } from 'graphql';

interface Extended {
  readonly extensions: { readonly [name: string]: unknown };
}

/** What a schema declares for the executor, in `extensions`. */
export interface ExecutionHints {
  /** On a scalar: its values are strings, which go into the response unchanged. */
  readonly isStringScalar?: boolean;
  /** On a field: its resolver loads REST records, and calls in the same tick share a batch. */
  readonly isBatched?: boolean;
  /**
   * On a nullable field without arguments: resolves it for many sources at once, each to a value, null or an Error.
   */
  resolveBatch?(
    sources: readonly object[],
    context: unknown,
    info: GraphQLResolveInfo,
  ): Promise<readonly unknown[]>;
  /** On a field: does what its resolver does, without arguments; never returns a promise. */
  compute?(source: object, context: unknown): unknown;
}

export function executionHints(hints: ExecutionHints): { readonly [name: string]: unknown } {
  return { ...hints };
}

export function isStringScalar({ extensions }: Extended): boolean {
  return extensions.isStringScalar === true;
}

export function isBatched({ extensions }: Extended): boolean {
  return extensions.isBatched === true;
}

export type Compute = (source: object, context: unknown) => unknown;

export function computeOf({ extensions }: Extended): Compute | undefined {
  const { compute } = extensions;
  return typeof compute === 'function' ? (source, context) => compute(source, context) : undefined;
}

export function batchResolverOf({ extensions }: Extended): ExecutionHints['resolveBatch'] {
  const { resolveBatch } = extensions;
  if (typeof resolveBatch !== 'function') return undefined;
  return (sources, context, info) => resolveBatch(sources, context, info);
}
