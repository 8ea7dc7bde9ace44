import { type ExecutionResult, OperationTypeNode } from 'graphql';
import { afterWrite, type Budget } from './budget.ts';
import { compileFields, compileObject } from './compile.ts';
import { FieldFailure } from './field-errors.ts';
import type { CompiledField } from './object-literal.ts';
import type { PlannedOperation } from './operation.ts';
import { asGraphQLError } from './public-errors.ts';
import { isPromise, ResolveInfo, Run, type Source } from './run.ts';

interface ExecuteOptions {
  /** What the root fields are read from: of a subscription, an event. */
  readonly source?: Source;
  /** Called before each root field of a mutation. */
  readonly onMutationField?: (key: string) => void;
}

/** Executes an operation by its compiled plan. Data and errors are as the GraphQL specification defines them. */
export function execute(
  planned: PlannedOperation,
  context: unknown,
  budget: Budget,
  { source = {}, onMutationField }: ExecuteOptions = {},
): ExecutionResult | Promise<ExecutionResult> {
  const run = new Run(planned, context, budget);
  const failed = (error: unknown) => createResult(run, null, error);
  const finish = (data: Record<string, unknown>) => {
    const pending = run.whenSettled();
    return pending ? pending.then(() => createResult(run, data)) : createResult(run, data);
  };
  try {
    const data =
      planned.definition.operation === OperationTypeNode.MUTATION
        ? executeSerially(compileFields(planned.root), run, onMutationField)
        : compileObject(planned.root).read(run, source, undefined);
    return isPromise(data) ? data.then(finish, failed) : finish(data);
  } catch (error) {
    return failed(error);
  }
}

/**
 * Each root field starts after the previous one and its whole selection have settled. One whose result is too large is
 * null on its own: what the others have brought back, such as a token, cannot be had again.
 */
async function executeSerially(
  fields: readonly CompiledField[],
  run: Run,
  onField?: (key: string) => void,
): Promise<Record<string, unknown>> {
  const data: Record<string, unknown> = {};
  const { budget } = run;
  const told: { readonly field: CompiledField; readonly bytes: number }[] = [];
  let length = 0;
  const leaveOut = ({ key, plan }: CompiledField, error: Error) => {
    const path = { prev: undefined, key, typename: undefined };
    data[key] = run.recordFailure(new FieldFailure(plan, error, path), path);
  };
  for (const field of fields) {
    const { key, read } = field;
    const before = budget.startField();
    onField?.(key);
    data[key] = await read(run, {}, undefined);
    await run.whenSettled();
    if (!budget.isProtected) continue;
    const stopError = budget.takeStopError(before);
    if (stopError) {
      leaveOut(field, stopError);
      continue;
    }
    const bytes = budget.bytesSince(before);
    told.push({ field, bytes });
    length += bytes;
    // Not at the end alone: until then all of them would be held.
    while (budget.isTooLong(length)) {
      const longest = told.reduce((one, other) => (other.bytes > one.bytes ? other : one));
      told.splice(told.indexOf(longest), 1);
      length -= longest.bytes;
      leaveOut(longest.field, afterWrite(budget.tooLongError()));
    }
  }
  return data;
}

function createResult(run: Run, data: Record<string, unknown> | null, error?: unknown): ExecutionResult {
  const { budget } = run;
  if (!budget.isProtected) budget.settle();
  if (budget.stopError) return budget.errorResult(budget.stopError);
  if (error instanceof FieldFailure) run.recordFailure(error, undefined);
  // Of a plan that cannot be made, before anything was executed.
  else if (error !== undefined) return { errors: [asGraphQLError(error)], data };
  if (run.errors === undefined) return { data };
  const { all: errors, truncated } = run.errors;
  return { errors, data, ...(truncated > 0 && { extensions: { truncatedErrors: truncated } }) };
}

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
