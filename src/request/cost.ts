import { OperationTypeNode } from 'graphql';
import { truncate } from '../execution/input-words.ts';
import type { PlannedOperation } from '../execution/operation.ts';
import type { ObjectPlan } from '../execution/plan.ts';
import { tooExpensive } from '../http/errors.ts';
import { CostCounter, type CostLimits, type Count, MAX_ARGUMENT_LENGTH } from './cost-counter.ts';

/** What an operation costs, as far as that is known before it runs. */
export interface Cost extends Count {
  /** Of a mutation: the estimated calls of each of its fields. */
  readonly callsByField?: ReadonlyMap<string, number>;
}

/**
 * The cost of an operation. Throws if it must not run: a query that needs too many calls in any case, a mutation that
 * may need too many, since none of its writes is made unless all can be.
 */
export function estimateCost(planned: PlannedOperation, limits: CostLimits): Cost {
  const cost = cachedOrCounted(planned, limits);
  const { maxCalls, maxObjects } = limits;
  if (cost.argumentLength > MAX_ARGUMENT_LENGTH) {
    throw tooExpensive(
      `The arguments of the operation hold more than ${MAX_ARGUMENT_LENGTH} characters. A variable counts wherever it is ` +
        'used, and an argument in each row. Send fewer or shorter values, or several operations.',
    );
  }
  if (cost.objects > maxObjects) {
    throw tooExpensive(
      `The operation asks for more than ${maxObjects} objects: rows of lists inside lists multiply. ` +
        'Ask for fewer rows or fewer lists.',
    );
  }
  const { calls, leastCalls, callsByField, leastByPath } = cost;
  if (callsByField && calls > maxCalls) {
    throw tooExpensive(
      `The operation would need about ${calls} REST calls, and at most ${maxCalls} are allowed: ` +
        `${heaviest(callsByField)}. Ask for fewer rows or fewer lists.`,
    );
  }
  if (!callsByField && leastByPath) {
    throw tooExpensive(
      `The operation needs at least ${leastCalls} REST calls, and at most ${maxCalls} are allowed: ` +
        `${heaviest(leastByPath)}. Ask for fewer lists or records at a time.`,
    );
  }
  return cost;
}

/** As many as a message has room for. */
const MOST_NAMED = 5;
const MAX_PATH_LENGTH = 80;

/** Which fields need most of the calls. */
function heaviest(callsByPath: ReadonlyMap<string, number>): string {
  const sorted = [...callsByPath].sort(([, one], [, other]) => other - one);
  const named = sorted
    .slice(0, MOST_NAMED)
    .map(([path, calls]) => `\`${truncate(path, MAX_PATH_LENGTH)}\` ${calls}`);
  const others = sorted.slice(MOST_NAMED).reduce((sum, [, calls]) => sum + calls, 0);
  return [...named, ...(others > 0 ? [`others ${others}`] : [])].join(', ');
}

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

function count(planned: PlannedOperation, limits: CostLimits): Cost {
  const { root, definition } = planned;
  if (definition.operation !== OperationTypeNode.MUTATION)
    return new CostCounter(planned, limits).count(root.fields);
  // Mutations run one after another, so their nested reads never share a batch.
  const callsByField = new Map<string, number>();
  const sum = { calls: 0, leastCalls: 0, isUnbounded: false, objects: 0, argumentLength: 0 };
  for (const field of root.fields) {
    const { calls, leastCalls, isUnbounded, objects, argumentLength } = new CostCounter(
      planned,
      limits,
    ).count([field]);
    callsByField.set(field.key, calls);
    sum.calls += calls;
    sum.leastCalls += leastCalls;
    sum.isUnbounded ||= isUnbounded;
    sum.objects += objects;
    sum.argumentLength += argumentLength;
    if (sum.objects > limits.maxObjects || sum.argumentLength > MAX_ARGUMENT_LENGTH) break;
  }
  return { ...sum, callsByField };
}
