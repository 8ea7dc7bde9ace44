import { getNullableType, isIntrospectionType, isListType, OperationTypeNode } from 'graphql';
import { compositeKey } from '../composite-key.ts';
import type { PlannedOperation } from '../execution/operation.ts';
import type { FieldPlan, ObjectPlan } from '../execution/plan.ts';
import { tooExpensive } from '../http/request-error.ts';
import { countParts } from '../rest/query.ts';
import type { Estimate, Read, Scope } from '../schema/estimate.ts';
import { restMetadataOf } from '../schema/metadata.ts';
import { weakMemoize } from '../weak-memoize.ts';

/** The estimated upper bounds of an operation. */
export interface Cost {
  readonly calls: number;
  /** Of a mutation: the calls of each of its fields. */
  readonly callsByField?: ReadonlyMap<string, number>;
  /** Whether `calls` are those of one administration of a token, which may reach any number of them. */
  readonly isUnbounded: boolean;
  /** Objects in its response, and values in its arguments. */
  readonly objects: number;
}

export interface CostLimits {
  readonly maxCalls: number;
  readonly maxObjects: number;
  readonly maxFirst: number;
}

/** The cost of an operation. Throws if its calls or objects exceed the limits. */
export function estimateCost(planned: PlannedOperation, limits: CostLimits): Cost {
  const cost = cachedOrCounted(planned, limits);
  const { calls, objects } = cost;
  const { maxCalls, maxObjects } = limits;
  if (objects > maxObjects) {
    throw tooExpensive(
      `The operation asks for more than ${maxObjects} objects: rows of lists inside lists multiply. ${ADVICE}`,
    );
  }
  if (calls > maxCalls) {
    throw tooExpensive(
      `The operation would need about ${calls} REST calls, and at most ${maxCalls} are allowed. ${ADVICE}`,
    );
  }
  return cost;
}

const ADVICE = 'Ask for fewer rows or fewer lists.';

/** The costs of operations without variables. */
const cachedCosts = new WeakMap<ObjectPlan, Cost>();

function cachedOrCounted(planned: PlannedOperation, limits: CostLimits): Cost {
  if (planned.definition.variableDefinitions?.length) return count(planned, limits);
  let cost = cachedCosts.get(planned.root);
  if (cost === undefined) {
    cost = count(planned, limits);
    cachedCosts.set(planned.root, cost);
  }
  return cost;
}

/** Counting stops once a limit is exceeded. */
function count(planned: PlannedOperation, limits: CostLimits): Cost {
  const { root, definition } = planned;
  if (definition.operation !== OperationTypeNode.MUTATION)
    return new Counter(planned, limits).count(root.fields);
  // Mutations run one after another, so their nested reads never share a batch.
  const callsByField = new Map<string, number>();
  const sum = { calls: 0, isUnbounded: false, objects: 0 };
  for (const field of root.fields) {
    const { calls, isUnbounded, objects } = new Counter(planned, limits).count([field]);
    callsByField.set(field.key, calls);
    sum.calls += calls;
    sum.isUnbounded ||= isUnbounded;
    sum.objects += objects;
    if (sum.calls > limits.maxCalls || sum.objects > limits.maxObjects) break;
  }
  return { ...sum, callsByField };
}

/** Written out, since spreading scopes took most of the time of an estimate. */
function nestedScope(
  parent: Scope,
  estimate: Estimate | undefined,
  { records, origin }: Pick<Scope, 'records' | 'origin'>,
): Scope {
  const changed = estimate?.scope;
  return {
    origin,
    records,
    rows: changed?.rows ?? parent.rows,
    administration: changed?.administration ?? parent.administration,
    administrations: changed?.administrations ?? parent.administrations,
    isUnbounded: changed?.isUnbounded ?? parent.isUnbounded,
    whole: changed?.whole,
    maxFirst: parent.maxFirst,
  };
}

/** Leaves of records take neither calls nor objects of their own. */
const countedFields = weakMemoize((plan: ObjectPlan) =>
  plan.fields.filter(
    (field) => restMetadataOf(field.field).cost !== undefined || field.objectPlans().length > 0,
  ),
);

class Counter {
  readonly #planned: PlannedOperation;
  readonly #limits: CostLimits;
  readonly #calls = new Map<string, number>();
  readonly #lookups = new Map<string, { readonly keys: Set<string>; room: number; times: number }>();
  /** A lower bound of the calls counted so far. */
  #minCalls = 0;
  #isUnbounded = false;
  #objects = 0;

  constructor(planned: PlannedOperation, limits: CostLimits) {
    this.#planned = planned;
    this.#limits = limits;
  }

  /** The cost of root fields that run at the same time. */
  count(fields: readonly FieldPlan[]): Cost {
    for (const field of fields) {
      this.#visitField(field, {
        origin: '',
        records: 1,
        rows: 1,
        administration: undefined,
        administrations: 1,
        isUnbounded: false,
        maxFirst: this.#limits.maxFirst,
      });
    }
    let calls = 0;
    for (const count of this.#calls.values()) calls += count;
    for (const { keys, room, times } of this.#lookups.values()) calls += times * countParts(keys, room);
    return { calls, isUnbounded: this.#isUnbounded, objects: this.#objects };
  }

  #visitField(plan: FieldPlan, parent: Scope): void {
    if (this.#exceedsLimits()) return;
    const { cost, wrapsRecord } = restMetadataOf(plan.field);
    const estimate = cost?.(readableArguments(this.#planned, plan), parent);
    for (const read of estimate?.reads ?? []) {
      this.#add(read);
      this.#isUnbounded ||= parent.isUnbounded;
    }
    // Introspection makes no REST calls, and its objects are counted during execution.
    const plans = plan
      .objectPlans()
      .filter(({ type }) => !isIntrospectionType(type) && estimate?.types?.has(type.name) !== false);
    const isRows = wrapsRecord === true && isListType(getNullableType(plan.field.type));
    const records = parent.records * (estimate?.items ?? (isRows ? parent.rows : 1));
    this.#objects += parent.records * (estimate?.values ?? 0);
    if (plans.length > 0) this.#objects += records;
    for (const objectPlan of plans) {
      const fields = countedFields(objectPlan);
      if (fields.length === 0) continue;
      const origin = estimate?.scope?.origin ?? parent.origin;
      const scope = nestedScope(parent, estimate, {
        records,
        // Records of different types come from different calls.
        origin: plans.length > 1 ? compositeKey('type', objectPlan.type.name, origin) : origin,
      });
      for (const field of fields) this.#visitField(field, scope);
    }
  }

  #add({ name, calls }: Read): void {
    if (typeof calls === 'number') {
      const previous = this.#calls.get(name) ?? 0;
      if (calls <= previous) return;
      this.#calls.set(name, calls);
      this.#minCalls += calls - previous;
      return;
    }
    const { room, times } = calls;
    let lookup = this.#lookups.get(name);
    if (lookup === undefined) {
      lookup = { keys: new Set(), room, times };
      this.#lookups.set(name, lookup);
      if (calls.keys.length > 0) this.#minCalls += 1;
    }
    lookup.room = Math.min(lookup.room, room);
    lookup.times = Math.max(lookup.times, times);
    for (const key of calls.keys) lookup.keys.add(key);
  }

  #exceedsLimits(): boolean {
    const { maxObjects, maxCalls } = this.#limits;
    return this.#objects > maxObjects || this.#minCalls > maxCalls;
  }
}

/** Invalid arguments are an error only when the field is executed; here they count as none. */
function readableArguments(planned: PlannedOperation, plan: FieldPlan) {
  try {
    return planned.argumentsOf(plan);
  } catch {
    return {};
  }
}
