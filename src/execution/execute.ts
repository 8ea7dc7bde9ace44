import { isAsyncIterable } from '@graphql-tools/utils';
import { type ExecutionResult, OperationTypeNode } from 'graphql';
import { type AnswerSize, afterWrite } from './answer-size.ts';
import { compileField, compileObject } from './compile.ts';
import type { PlannedOperation } from './operation.ts';
import type { FieldPlan } from './plan.ts';
import { asGraphQLError } from './public-errors.ts';
import { infoOf, locate, type ResultObject, Run, type Source } from './run.ts';

interface ExecuteOptions {
  /** What the root fields are read from: of a subscription, an event. */
  readonly source?: Source;
  /** Called before each root field of a mutation. */
  readonly onMutationField?: (key: string) => void;
}

/** Executes an operation by its compiled plan. Data and errors are as the GraphQL specification defines them. */
export async function execute(
  planned: PlannedOperation,
  context: unknown,
  size: AnswerSize,
  { source = {}, onMutationField }: ExecuteOptions = {},
): Promise<ExecutionResult> {
  const run = new Run(planned, context, size);
  let data: ResultObject | null;
  try {
    data =
      planned.definition.operation === OperationTypeNode.MUTATION
        ? await executeSerially(run, onMutationField)
        : await compileObject(planned.root)(run, source, undefined);
    await run.settled();
  } catch (error) {
    run.add(asGraphQLError(error));
    data = null;
  }
  if (size.error) return { errors: [asGraphQLError(size.error)] };
  const { errors } = run;
  return errors ? { errors, data } : { data };
}

/**
 * Each root field starts after the previous one and its whole selection have settled. What is too large is left out
 * field by field, the longest first: what is short, such as a token, cannot be had again.
 */
async function executeSerially(run: Run, onField?: (key: string) => void): Promise<ResultObject> {
  const data: ResultObject = {};
  const { size } = run;
  const told: { plan: FieldPlan; bytes: number; error: AnswerSize['error'] }[] = [];
  for (const plan of run.planned.root.fields) {
    onField?.(plan.key);
    await compileField(plan)(run, {}, data, undefined);
    await run.settled();
    const { error } = size;
    told.push({ plan, error, bytes: error ? Number.POSITIVE_INFINITY : size.bytes });
    told.sort((one, other) => one.bytes - other.bytes);
    size.restart();
    // Not at the end alone: until then all of them would be held.
    while (size.isTooLong(told.reduce((sum, { bytes }) => sum + bytes, 0))) {
      const longest = told.pop();
      if (longest === undefined) break;
      const cause = afterWrite(longest.error ?? size.tooLong());
      data[longest.plan.key] = run.report(longest.plan, cause, pathOf(longest.plan));
    }
  }
  return data;
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
  const path = pathOf(plan);
  try {
    const info = infoOf(new Run(planned, context, size), plan, path);
    const events: unknown = await plan.field.subscribe({}, planned.argumentsOf(plan), context, info);
    if (isAsyncIterable(events)) return events;
    throw new TypeError('A subscription that gives no events');
  } catch (error) {
    return { errors: [locate(plan, error, path)] };
  }
}

function pathOf({ key }: FieldPlan) {
  return { prev: undefined, key, typename: undefined };
}
