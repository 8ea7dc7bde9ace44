import { type ExecutionResult, OperationTypeNode } from 'graphql';
import { type AnswerSize, afterWrite } from './answer-size.ts';
import { isPromise } from './complete.ts';
import { FieldFailure } from './field-errors.ts';
import { type CompiledField, compileFields, compileObject } from './object.ts';
import type { PlannedOperation } from './operation.ts';
import { asGraphQLError } from './public-errors.ts';
import { infoOf, Run, type Source } from './run.ts';

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
  size: AnswerSize,
  { source = {}, onMutationField }: ExecuteOptions = {},
): ExecutionResult | Promise<ExecutionResult> {
  const run = new Run(planned, context, size);
  const failed = (error: unknown) => createResult(run, null, error);
  const finish = (data: Record<string, unknown>) => {
    const pending = run.whenSettled();
    return pending ? pending.then(() => createResult(run, data)) : createResult(run, data);
  };
  try {
    const data =
      planned.definition.operation === OperationTypeNode.MUTATION
        ? executeSerially(compileFields(planned.root), run, onMutationField)
        : compileObject(planned.root)(run, source, undefined);
    return isPromise(data) ? data.then(finish, failed) : finish(data);
  } catch (error) {
    return failed(error);
  }
}

/**
 * Each root field starts after the previous one and its whole selection have settled. What is too large is left out
 * field by field, the longest first: what is short, such as a token, cannot be had again.
 */
async function executeSerially(
  fields: readonly CompiledField[],
  run: Run,
  onField?: (key: string) => void,
): Promise<Record<string, unknown>> {
  const data: Record<string, unknown> = {};
  const { size } = run;
  const told: { readonly field: CompiledField; readonly bytes: number }[] = [];
  const leaveOut = ({ key, plan }: CompiledField, error = size.tooLong()) => {
    size.restart();
    const path = { prev: undefined, key, typename: undefined };
    data[key] = run.record(new FieldFailure(plan, afterWrite(error), path));
  };
  for (const field of fields) {
    size.restart();
    onField?.(field.key);
    data[field.key] = await field.read(run, {}, undefined);
    await run.whenSettled();
    if (size.error) {
      leaveOut(field, size.error);
      continue;
    }
    told.push({ field, bytes: size.bytes });
    told.sort((one, other) => one.bytes - other.bytes);
    // Not at the end alone: until then all of them would be held.
    while (size.isTooLong(told.reduce((sum, { bytes }) => sum + bytes, 0))) {
      const longest = told.pop();
      if (longest) leaveOut(longest.field);
    }
  }
  return data;
}

function createResult(run: Run, data: Record<string, unknown> | null, error?: unknown): ExecutionResult {
  if (run.size.error) return { errors: [asGraphQLError(run.size.error)] };
  if (error instanceof FieldFailure) run.record(error);
  // Of a plan that cannot be made, before anything was executed.
  else if (error !== undefined) return { errors: [asGraphQLError(error)], data };
  const { errors } = run;
  return errors ? { errors, data } : { data };
}

/** Opens the events of a subscription, each of which is then executed as its source; or gives the error as a result. */
export async function openEvents(
  planned: PlannedOperation,
  context: unknown,
  size: AnswerSize,
): Promise<AsyncIterable<unknown> | ExecutionResult> {
  // The specification allows one root field, and the validation sees to it that `@skip` does not leave none.
  const [plan] = planned.root.fields;
  if (plan?.field.subscribe === undefined) throw new Error('A subscription without events');
  const path = { prev: undefined, key: plan.key, typename: undefined };
  try {
    const info = infoOf(new Run(planned, context, size), plan, path);
    const events: unknown = await plan.field.subscribe({}, planned.argumentsOf(plan), context, info);
    if (isIterable(events)) return events;
    throw new TypeError('A subscription that gives no events');
  } catch (error) {
    return { errors: [new FieldFailure(plan, error, path).locate()] };
  }
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
