import { isIntrospectionType } from 'graphql';
import type { PlannedOperation } from './execution/operation.ts';
import type { FieldPlan, ObjectPlan } from './execution/plan.ts';
import { type Estimate, type Read, type Scope, traitsOf } from './traits.ts';

/** How many ids of usual length fit into one URL. */
export const KEYS_PER_CALL = 100;

/** Without variables an operation is the same every time, and so is its cost. */
const known = new WeakMap<ObjectPlan, number>();

/** How many REST calls an operation will lead to at most, as far as can be told before it runs. */
export function estimateCalls(planned: PlannedOperation): number {
  if (planned.definition.variableDefinitions?.length) return countCalls(planned);
  let calls = known.get(planned.root);
  if (calls === undefined) {
    calls = countCalls(planned);
    known.set(planned.root, calls);
  }
  return calls;
}

function countCalls({ root, variables }: PlannedOperation): number {
  const planned = new Map<
    string | symbol,
    { rows: number; keys: Set<string>; perCall: number; times: number }
  >();

  function visit(plan: ObjectPlan, scope: Scope): void {
    for (const field of plan.fields) visitField(field, scope);
  }

  function visitField(plan: FieldPlan, outside: Scope): void {
    const estimate = traitsOf(plan.field).cost?.(readableArguments(plan, variables), outside);
    for (const read of estimate?.reads ?? []) add(read, outside.administrations);
    const inside = estimate?.scope ? { ...outside, ...estimate.scope } : outside;
    for (const objectPlan of plan.objectPlans()) {
      // Introspection costs no call, however large it is.
      if (!isIntrospectionType(objectPlan.type)) visit(objectPlan, inside);
    }
  }

  function add({ call, rows, perCall }: Read, times: number): void {
    const key = call ?? Symbol();
    const calls = planned.get(key) ?? { rows: 0, keys: new Set(), perCall, times };
    planned.set(key, calls);
    if (typeof rows === 'number') calls.rows = Math.max(calls.rows, rows);
    else for (const value of rows) calls.keys.add(value);
  }

  visit(root, { origin: '', rows: 1, administrations: 1 });

  let sum = 0;
  for (const { rows, keys, perCall, times } of planned.values()) {
    sum += times * Math.ceil(Math.max(rows, keys.size) / perCall);
  }
  return sum;
}

/** Bad arguments are refused when the field runs; until then they cost nothing. */
function readableArguments(plan: FieldPlan, variables: PlannedOperation['variables']) {
  try {
    return plan.argumentsWith(variables);
  } catch {
    return {};
  }
}

/** One lookup for the records that all rows outside point to. */
export function joinCost(type: string) {
  return (_args: unknown, { origin, rows, administration }: Scope): Estimate => {
    const call = `${type} by id in ${administration}, after ${origin}`;
    return { reads: [{ call, rows, perCall: KEYS_PER_CALL }], scope: { origin: call } };
  };
}

/** A write, or another call that is never shared. */
export function oneCall(): Estimate {
  return { reads: [{ rows: 1, perCall: 1 }] };
}
