import { Kind, type ValueNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import { SharedPart } from '../limits/shared-budget.ts';
import { weakMemoize } from '../memoize.ts';
import type { FieldPlan, ObjectPlan } from './plan.ts';

export const MAX_PLAN_BYTES = 16_000_000;

/** Measured after execution, with 200 to 1,500 fields: 300 to 700 bytes for a leaf, up to 2,000 for others. */
const PLAN_BYTES = 1_000;
const FIELD_BYTES = 800;
const OBJECT_BYTES = 1_500;
/** Constant arguments are cached as values, in addition to the nodes of the document. */
const VALUE_BYTES = 50;

/** The plans of one operation of a document: by the values of the variables in its `@skip` and `@include`. */
export type Plans = Map<string, CachedPlan>;

interface CachedPlan {
  readonly root: ObjectPlan;
  /** The key of the plan in the LRU cache, which must not reference the plan itself. */
  readonly lruKey: object;
}

/**
 * Limits the memory of the plans of all documents together. A plan references nodes of its document, so it must not
 * outlive the document: plans are owned by their document, and this cache holds only weak references.
 */
const lru = new LRUCache<object, { readonly plans: WeakRef<Plans>; readonly key: string }>({
  maxSize: MAX_PLAN_BYTES,
  dispose: ({ plans, key }, lruKey) => {
    const owner = plans.deref();
    if (owner?.get(key)?.lruKey === lruKey) owner.delete(key);
  },
});

export function cachedPlan(plans: Plans, key: string): ObjectPlan | undefined {
  const used = plans.get(key);
  if (used === undefined) return undefined;
  lru.get(used.lruKey);
  return used.root;
}

/** What keeps a plan counts it: one document has a plan for each combination of its conditions, cached or not. */
export const planPart = weakMemoize((root: ObjectPlan) => new SharedPart(PLAN_BYTES + bytesOf(root)));

/** Evicts the least recently used plans if necessary; a plan larger than the cache is not cached. */
export function cachePlan(plans: Plans, key: string, root: ObjectPlan): void {
  const size = planPart(root).amount + 2 * key.length;
  if (size > MAX_PLAN_BYTES) return;
  const lruKey = {};
  plans.set(key, { root, lruKey });
  lru.set(lruKey, { plans: new WeakRef(plans), key }, { size });
}

export function planCacheSize(): { readonly bytes: number; readonly entries: number } {
  return { bytes: lru.calculatedSize, entries: lru.size };
}

/** Includes the nested selections, which are planned here if they were not yet. */
function bytesOf(plan: ObjectPlan): number {
  let bytes = OBJECT_BYTES;
  for (const field of plan.fields) {
    bytes += FIELD_BYTES + argumentBytes(field);
    for (const child of field.objectPlans()) bytes += bytesOf(child);
  }
  return bytes;
}

function argumentBytes({ nodes: [node] }: FieldPlan): number {
  let bytes = 0;
  for (const { value } of node?.arguments ?? []) bytes += valueBytes(value);
  return bytes;
}

function valueBytes(value: ValueNode): number {
  let bytes = VALUE_BYTES;
  if (value.kind === Kind.LIST) for (const item of value.values) bytes += valueBytes(item);
  if (value.kind === Kind.OBJECT) for (const member of value.fields) bytes += valueBytes(member.value);
  return bytes;
}
