import { OperationTypeNode } from 'graphql';
import type { Config } from '../config/index.ts';
import type { PlannedOperation } from '../execution/operation.ts';
import type { FieldPlan } from '../execution/plan.ts';
import { tooExpensive } from '../http/errors.ts';
import { getOrCreate } from '../memoize.ts';
import { tooManyReads } from '../rest/errors.ts';
import { splitValues } from '../rest/query.ts';
import { type CostScope, type Estimate, getRestMetadata, ifValid } from '../schema/fields/metadata.ts';

export type CostLimits = Pick<Config, 'maxCalls' | 'maxFirst'>;

/** Throws if the root fields of a query alone need more calls than are allowed. */
export function requireFewReads(planned: PlannedOperation, limits: CostLimits): void {
  const { fields } = planned.root;
  // Each root field makes at most one read, except `nodes`, which checks its reads itself.
  if (fields.length <= limits.maxCalls) return;
  const reads = fields.flatMap((field) => estimateOf(planned, field, rootScope(limits)).reads);
  const { size } = new Set(reads.filter(({ calls }) => calls > 0).map(({ name }) => name));
  if (size > limits.maxCalls) throw tooManyReads(size, limits.maxCalls);
}

/** Throws if a mutation may need too many calls: no write is sent unless all can be. */
export function mutationCost(planned: PlannedOperation, limits: CostLimits) {
  const cost = estimateCost(planned, limits);
  if (cost.calls <= limits.maxCalls) return cost;
  const fields = Array.from(cost.callsByField, ([key, calls]) => `\`${key}\` ${calls}`).join(', ');
  throw tooExpensive(
    `The operation would need about ${cost.calls} REST calls, and at most ${limits.maxCalls} are allowed: ` +
      `${fields.slice(0, 300)}. Ask for fewer records or fewer lists.`,
  );
}

/** Estimates the most REST calls of an operation, with one administration for each token that it introspects. */
export function estimateCost(planned: PlannedOperation, limits: CostLimits) {
  let isUnbounded = false;

  /** Returns the calls of sibling fields and of all fields below them. */
  const callsOf = (fields: readonly FieldPlan[], scope: CostScope): number => {
    const shared = new Map<string, { calls: number; readonly room: number; readonly keys: Set<string> }>();
    let sum = 0;
    for (const plan of fields) {
      const { reads, scope: nested } = estimateOf(planned, plan, scope);
      isUnbounded ||= reads.length > 0 && scope.isUnbounded;
      for (const { name, calls, keys = [], room = 0 } of reads) {
        const read = getOrCreate(shared, name, () => ({ calls, room, keys: new Set<string>() }));
        read.calls = Math.max(read.calls, calls);
        for (const key of keys) read.keys.add(key);
      }
      for (const object of plan.objectPlans) sum += callsOf(object.fields, { ...scope, ...nested });
    }
    for (const { calls, room, keys } of shared.values())
      sum += keys.size > 0 ? calls * splitValues(keys, room).length : calls;
    return sum;
  };

  const { fields } = planned.root;
  const root = rootScope(limits);
  const callsByField = new Map<string, number>();
  const isMutation = planned.definition.operation === OperationTypeNode.MUTATION;
  // Each field of a mutation is a call, and runs after the previous one, so their reads are not shared.
  if (isMutation) for (const field of fields) callsByField.set(field.key, 1 + callsOf([field], root));
  const counts = isMutation ? [...callsByField.values()] : [callsOf(fields, root)];
  const calls = counts.reduce((sum, count) => sum + count, 0);
  // A token may reach many administrations, but no operation makes more calls than are allowed.
  return { calls, most: isUnbounded ? Math.max(calls, limits.maxCalls) : calls, callsByField };
}

function rootScope({ maxFirst }: CostLimits): CostScope {
  return { records: 1, administrations: 1, isUnbounded: false, maxFirst };
}

function estimateOf(planned: PlannedOperation, plan: FieldPlan, scope: CostScope): Estimate {
  const { cost } = getRestMetadata(plan.field);
  if (cost === undefined) return { reads: [] };
  // Execution rejects a field with invalid arguments before any call.
  const nothing = { reads: [], scope: { records: 0 } };
  return ifValid(() => cost(planned.getArguments(plan), scope, plan)) ?? nothing;
}
