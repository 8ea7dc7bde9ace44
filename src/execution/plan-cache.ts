import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import { weakMemoize } from '../memoize.ts';
import type { ObjectPlan } from './plan.ts';

/** Measured after execution, with 200 to 1,500 fields: 300 to 700 bytes for a leaf, up to 2,000 for others. */
const FIELD_BYTES = 800;
const OBJECT_BYTES = 1_500;
/** A token with the nodes parsed from it; measured at 90 to 500, the most for a field without arguments. */
const TOKEN_BYTES = 500;

/** The plans of an operation, one for each combination of its variables that conditions may use. */
interface Plans {
  readonly byKey: Map<string, ObjectPlan>;
  bytes: number;
}

/** Of all documents together, by bytes: a plan keeps its document. */
const cache = new LRUCache<OperationDefinitionNode, Plans>({ maxSize: 16_000_000 });

export function cachedPlan(
  document: DocumentNode,
  definition: OperationDefinitionNode,
  key: string,
  create: () => ObjectPlan,
): ObjectPlan {
  const plans = cache.get(definition) ?? { byKey: new Map(), bytes: documentBytes(document) };
  const cached = plans.byKey.get(key);
  if (cached) return cached;
  const plan = create();
  plans.byKey.set(key, plan);
  plans.bytes += planBytes(plan) + 2 * key.length;
  // Plans that are larger than the cache are not kept.
  cache.set(definition, plans, { size: plans.bytes });
  return plan;
}

export function clearPlans(): void {
  cache.clear();
}

export function planCacheSize(): { readonly bytes: number; readonly entries: number } {
  return { bytes: cache.calculatedSize, entries: cache.size };
}

/** What a plan takes with its nested selections, which are planned here if they were not yet. */
export const planBytes = weakMemoize((plan: ObjectPlan): number => {
  let bytes = OBJECT_BYTES;
  for (const field of plan.fields) {
    bytes += FIELD_BYTES;
    for (const child of field.objectPlans()) bytes += planBytes(child);
  }
  return bytes;
});

/** What a parsed document takes. The parser does not count comments, but keeps them in its list of tokens. */
export function documentBytes({ loc }: DocumentNode): number {
  let bytes = 1_000 + 2 * (loc?.source.body.length ?? 0);
  for (let token = loc?.startToken ?? null; token !== null; token = token.next) bytes += TOKEN_BYTES;
  return bytes;
}
