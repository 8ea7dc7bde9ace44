import type { GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql';

/** Resolves a field for many sources at once, each to a value, null or an Error. */
export interface Batch {
  resolve(
    sources: readonly object[],
    context: unknown,
    info: GraphQLResolveInfo,
  ): Promise<readonly unknown[]>;
}

// By the resolver itself: a plugin may have put another in its place, which is then called as any other.
const computing = new WeakSet<object>();
const batches = new WeakMap<object, Batch>();

/** Tells the executor that a resolver takes its source and the context alone, and never returns a promise. */
export function computes<Resolve extends object>(resolve: Resolve): Resolve {
  computing.add(resolve);
  return resolve;
}

export function isComputed(resolve: GraphQLFieldResolver<unknown, unknown>): boolean {
  return computing.has(resolve);
}

/** Tells the executor what stands for the resolver of a nullable field without arguments, for many sources at once. */
export function resolvesInBatches(resolve: object, batch: Batch): void {
  batches.set(resolve, batch);
}

export function batchOf(resolve: GraphQLFieldResolver<unknown, unknown> | undefined): Batch | undefined {
  return resolve && batches.get(resolve);
}
