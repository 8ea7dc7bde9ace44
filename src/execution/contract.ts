import type { GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql';

/** Resolves a field for many sources at once, each to a value, null or an Error. */
export interface Batch {
  resolve(
    sources: readonly object[],
    context: unknown,
    info: GraphQLResolveInfo,
  ): Promise<readonly unknown[]>;
}

type Resolver = GraphQLFieldResolver<unknown, unknown> | undefined;

// By the resolver itself: a plugin may have put another in its place, which is then called as any other.
const computing = new WeakSet<object>();
const batches = new WeakMap<object, Batch>();

/** Tells the executor that a resolver takes its source and the context alone, and never returns a promise. */
export function computes<Resolve extends object>(resolve: Resolve): Resolve {
  computing.add(resolve);
  return resolve;
}

/** Tells the executor what stands for the resolver of a nullable field without arguments, for many sources at once. */
export function resolvesInBatches<Resolve extends object>(resolve: Resolve, batch: Batch): Resolve {
  batches.set(resolve, batch);
  return resolve;
}

export function isComputed(resolve: Resolver): boolean {
  return resolve !== undefined && computing.has(resolve);
}

export function batchOf(resolve: Resolver): Batch | undefined {
  return resolve && batches.get(resolve);
}
