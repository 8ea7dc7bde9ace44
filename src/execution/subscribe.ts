import type { ExecutionResult } from 'graphql';
import type { Budget } from './budget.ts';
import { FieldFailure } from './field-errors.ts';
import type { PlannedOperation } from './operation.ts';
import { ResolveInfo, Run } from './run.ts';

/** Opens the events of a subscription, each of which is then executed as its source; or gives the error as a result. */
export async function openEvents(
  planned: PlannedOperation,
  context: unknown,
  budget: Budget,
): Promise<AsyncIterable<unknown> | ExecutionResult> {
  // The specification allows one root field, and the validation sees to it that `@skip` does not leave none.
  const [plan] = planned.root.fields;
  if (plan?.field.subscribe === undefined) throw new Error('A subscription without events');
  const path = { prev: undefined, key: plan.key, typename: undefined };
  const run = new Run(planned, context, budget);
  try {
    const info = new ResolveInfo(run, plan, path);
    const events: unknown = await plan.field.subscribe({}, planned.argumentsOf(plan), context, info);
    if (isIterable(events)) return events;
    throw new TypeError('A subscription that gives no events');
  } catch (error) {
    run.recordFailure(FieldFailure.of(plan, error, path), path);
    return { errors: run.errors?.all ?? [] };
  }
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
