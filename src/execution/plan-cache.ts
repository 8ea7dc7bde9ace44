import { Kind, type ValueNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { FieldPlan, ObjectPlan } from './plan.ts';

const MAX_BYTES = 16_000_000;

/**
 * What a plan takes once it was estimated, selected and executed, measured with 200 to 1,500 fields: 300 to 700
 * bytes for each field of a record, and up to 2,000 for one with fields below it.
 */
const PLAN_BYTES = 1_000;
const FIELD_BYTES = 800;
const OBJECT_BYTES = 1_500;
/** Constant arguments are kept as values beside the nodes of the document. */
const VALUE_BYTES = 50;

/** The plans of one document: for each operation, and each combination of the variables that shape it. */
export type Plans = Map<string, CachedPlan>;

interface CachedPlan {
  readonly root: ObjectPlan;
  /** Stands for the plan in the bound, which must not hold the plan itself. */
  readonly ticket: object;
}

/**
 * Bounds what the plans of all documents take together. A plan holds nodes of its document, so it must not outlive
 * it: plans belong to their document, and the bound only refers to them.
 */
const bound = new LRUCache<object, { readonly plans: WeakRef<Plans>; readonly key: string }>({
  maxSize: MAX_BYTES,
  dispose: ({ plans, key }, ticket) => {
    const left = plans.deref();
    if (left?.get(key)?.ticket === ticket) left.delete(key);
  },
});

export function cachedPlan(plans: Plans, key: string): ObjectPlan | undefined {
  const kept = plans.get(key);
  if (kept === undefined) return undefined;
  bound.get(kept.ticket);
  return kept.root;
}

/** Keeps a plan while there is room. One that is larger than all the room is used once. */
export function cachePlan(plans: Plans, key: string, root: ObjectPlan): void {
  const size = PLAN_BYTES + 2 * key.length + bytesOf(root);
  if (size > MAX_BYTES) return;
  const ticket = {};
  plans.set(key, { root, ticket });
  bound.set(ticket, { plans: new WeakRef(plans), key }, { size });
}

/** What kept plans count for, of how much they may. */
export function planCacheBytes(): { readonly kept: number; readonly most: number } {
  return { kept: bound.calculatedSize, most: MAX_BYTES };
}

/** With everything below it, which is planned here if it was not yet. */
function bytesOf(plan: ObjectPlan): number {
  let bytes = OBJECT_BYTES;
  for (const field of plan.fields) {
    bytes += FIELD_BYTES + argumentBytes(field);
    for (const inside of field.objectPlans()) bytes += bytesOf(inside);
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
