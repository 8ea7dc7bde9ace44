import { getNullableType, isIntrospectionType, isListType, OperationTypeNode } from 'graphql';
import type { PlannedOperation } from '../execution/operation.ts';
import type { FieldPlan, ObjectPlan } from '../execution/plan.ts';
import { countParts } from '../rest/query.ts';
import type { Assumptions } from '../schema/assumptions.ts';
import type { Read, Scope } from '../schema/estimate.ts';
import { restMetadataOf } from '../schema/metadata.ts';
import { tooExpensive } from './errors.ts';

/** What an operation may take, as far as that can be told before it runs. */
export interface Cost {
  readonly calls: number;
  /** Objects of its answer, and values of its arguments. */
  readonly objects: number;
}

export interface CostLimits {
  readonly maxCalls: number;
  readonly maxObjects: number;
  readonly maxFirst: number;
}

/** An operation without variables costs the same every time, while the assumptions are the same. */
const cached = new WeakMap<ObjectPlan, { readonly cost: Cost; readonly assumptions: Assumptions }>();

/** The REST calls that an operation takes at most. Throws where it would take too many, or its response too many objects. */
export function estimateCalls(
  planned: PlannedOperation,
  limits: CostLimits,
  assumptions: Assumptions,
): number {
  const { calls, objects } = estimateCost(planned, limits, assumptions);
  if (objects > limits.maxObjects) {
    throw tooExpensive(
      `The operation asks for more than ${limits.maxObjects} objects: rows of lists inside lists multiply. ${ADVICE}`,
    );
  }
  if (calls <= limits.maxCalls) return calls;
  throw tooExpensive(
    `The operation would need about ${calls} REST calls, and at most ${limits.maxCalls} are allowed. ${ADVICE}`,
  );
}

const ADVICE = 'Ask for fewer rows or fewer lists.';

/** At most so much; where it is over a limit, counting ends there. */
export function estimateCost(planned: PlannedOperation, limits: CostLimits, assumptions: Assumptions): Cost {
  if (planned.definition.variableDefinitions?.length) return count(planned, limits, assumptions);
  const before = cached.get(planned.root);
  if (before && isSame(before.assumptions, assumptions)) return before.cost;
  const cost = count(planned, limits, assumptions);
  cached.set(planned.root, { cost, assumptions });
  return cost;
}

function count(planned: PlannedOperation, limits: CostLimits, assumptions: Assumptions): Cost {
  return new Counter(planned, limits, assumptions).count();
}

/** What an estimate did not depend on may differ. */
function isSame(before: Assumptions, now: Assumptions): boolean {
  const { joinKeyLength, usedAdministrations } = before;
  if (joinKeyLength !== now.joinKeyLength) return false;
  return usedAdministrations === undefined || usedAdministrations === now.administrations;
}

class Counter {
  readonly #planned: PlannedOperation;
  readonly #limits: CostLimits;
  readonly #assumptions: Assumptions;
  readonly #calls = new Map<string, number>();
  readonly #lookups = new Map<string, { readonly keys: Set<string>; room: number; times: number }>();
  /** What all reads so far take at least. */
  #leastCalls = 0;
  #objects = 0;

  constructor(planned: PlannedOperation, limits: CostLimits, assumptions: Assumptions) {
    this.#planned = planned;
    this.#limits = limits;
    this.#assumptions = assumptions;
  }

  count(): Cost {
    const { root, definition } = this.#planned;
    const isSerial = definition.operation === OperationTypeNode.MUTATION;
    for (const field of root.fields) {
      // A write starts when the one before it has ended, so nothing below two of them is read together.
      const origin = isSerial ? field.key : '';
      const { maxFirst } = this.#limits;
      const assumptions = this.#assumptions;
      this.#visitField(field, { origin, records: 1, rows: 1, administrations: 1, maxFirst, assumptions });
    }
    let calls = 0;
    for (const count of this.#calls.values()) calls += count;
    for (const { keys, room, times } of this.#lookups.values()) calls += times * countParts(keys, room);
    return { calls, objects: this.#objects };
  }

  #visitField(plan: FieldPlan, outside: Scope): void {
    if (this.#isOver()) return;
    const { cost, sameRecord } = restMetadataOf(plan.field);
    const estimate = cost?.(readableArguments(plan, this.#planned.variables), outside);
    for (const read of estimate?.reads ?? []) this.#add(read);
    // Introspection costs no call, and is counted as it runs.
    const plans = plan
      .objectPlans()
      .filter(({ type }) => !isIntrospectionType(type) && estimate?.types?.has(type.name) !== false);
    const isRows = sameRecord === true && isListType(getNullableType(plan.field.type));
    const records = outside.records * (estimate?.items ?? (isRows ? outside.rows : 1));
    this.#objects += outside.records * (estimate?.values ?? 0);
    if (plans.length > 0) this.#objects += records;
    const inside = { ...outside, ...estimate?.scope, records };
    for (const { type, fields } of plans) {
      // Records of two types come from two calls.
      const origin = plans.length > 1 ? `${inside.origin} as ${type.name}` : inside.origin;
      for (const field of fields) this.#visitField(field, { ...inside, origin });
    }
  }

  #add({ name, calls }: Read): void {
    if (typeof calls === 'number') {
      const before = this.#calls.get(name) ?? 0;
      if (calls <= before) return;
      this.#calls.set(name, calls);
      this.#leastCalls += calls - before;
      return;
    }
    const { room, times } = calls;
    let lookup = this.#lookups.get(name);
    if (lookup === undefined) {
      lookup = { keys: new Set(), room, times };
      this.#lookups.set(name, lookup);
      if (calls.keys.length > 0) this.#leastCalls += 1;
    }
    lookup.room = Math.min(lookup.room, room);
    lookup.times = Math.max(lookup.times, times);
    for (const key of calls.keys) lookup.keys.add(key);
  }

  #isOver(): boolean {
    const { maxObjects, maxCalls } = this.#limits;
    return this.#objects > maxObjects || this.#leastCalls > maxCalls;
  }
}

/** Bad arguments are refused when the field runs; until then they cost nothing. */
function readableArguments(plan: FieldPlan, variables: PlannedOperation['variables']) {
  try {
    return plan.argumentsWith(variables);
  } catch {
    return {};
  }
}
