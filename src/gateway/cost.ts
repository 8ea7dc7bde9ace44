import { getNullableType, isIntrospectionType, isListType, OperationTypeNode } from 'graphql';
import type { PlannedOperation } from '../execution/operation.ts';
import type { FieldPlan, ObjectPlan } from '../execution/plan.ts';
import { countParts } from '../rest/query.ts';
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

/** Without variables an operation is the same every time, and so is its cost. */
const known = new WeakMap<ObjectPlan, Cost>();

/** The REST calls that an operation takes at most. Throws where it would take too many, or its response too many objects. */
export function estimateCalls(planned: PlannedOperation, limits: CostLimits): number {
  const { calls, objects } = estimateCost(planned, limits);
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
export function estimateCost(planned: PlannedOperation, limits: CostLimits): Cost {
  if (planned.definition.variableDefinitions?.length) return new Counter(planned, limits).count();
  let cost = known.get(planned.root);
  if (cost === undefined) {
    cost = new Counter(planned, limits).count();
    known.set(planned.root, cost);
  }
  return cost;
}

class Counter {
  readonly #planned: PlannedOperation;
  readonly #limits: CostLimits;
  readonly #calls = new Map<string, number>();
  readonly #lookups = new Map<string, { readonly keys: Set<string>; room: number; times: number }>();
  #objects = 0;

  constructor(planned: PlannedOperation, limits: CostLimits) {
    this.#planned = planned;
    this.#limits = limits;
  }

  count(): Cost {
    const { root, definition } = this.#planned;
    const isSerial = definition.operation === OperationTypeNode.MUTATION;
    for (const field of root.fields) {
      // A write starts when the one before it has ended, so nothing below two of them is read together.
      const origin = isSerial ? field.key : '';
      const { maxFirst } = this.#limits;
      this.#visitField(field, { origin, records: 1, rows: 1, administrations: 1, maxFirst });
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
    const plans = plan.objectPlans().filter(({ type }) => !isIntrospectionType(type));
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
      this.#calls.set(name, Math.max(this.#calls.get(name) ?? 0, calls));
      return;
    }
    const { room, times } = calls;
    const lookup = this.#lookups.get(name) ?? { keys: new Set(), room, times };
    this.#lookups.set(name, lookup);
    lookup.room = Math.min(lookup.room, room);
    lookup.times = Math.max(lookup.times, times);
    for (const key of calls.keys) lookup.keys.add(key);
  }

  /** Each read is a call at least. */
  #isOver(): boolean {
    const { maxObjects, maxCalls } = this.#limits;
    return this.#objects > maxObjects || this.#calls.size + this.#lookups.size > maxCalls;
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
