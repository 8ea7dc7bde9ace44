import type { GraphQLResolveInfo } from 'graphql';

/** Resolves a field for many sources at once, each to a value, null or an Error. */
export interface Batch {
  resolve(
    sources: readonly object[],
    context: unknown,
    info: GraphQLResolveInfo,
  ): Promise<readonly unknown[]>;
}

// By the resolver itself: a plugin may have put another in its place, which is then called as any other.
export const computations = new WeakSet<object>();
export const batches = new WeakMap<object, Batch>();

/** Tells the executor that a resolver takes its source and the context alone, and never returns a promise. */
export function computes<Resolve extends object>(resolve: Resolve): Resolve {
  computations.add(resolve);
  return resolve;
}

/** Tells the executor what stands for the resolver of a nullable field without arguments, for many sources at once. */
export function resolvesInBatches(resolve: object, batch: Batch): void {
  batches.set(resolve, batch);
}
