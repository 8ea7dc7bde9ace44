import { type ExecutionResult, GraphQLError, OperationTypeNode } from 'graphql';
import type { Budget } from './budget.ts';
import { compileFields, compileObject } from './compile.ts';
import type { PlannedOperation } from './operation.ts';
import { isPromise, Run } from './run.ts';

/** Runs an operation by its compiled plan. Answers and errors are those of the GraphQL specification. */
export function execute(
  planned: PlannedOperation,
  context: unknown,
  budget: Budget,
): ExecutionResult | Promise<ExecutionResult> {
  const run = new Run(planned, context, budget);
  const failed = (error: unknown) => resultOf(run, null, error);
  const whole = (data: Record<string, unknown>) => {
    const settled = run.settled();
    return settled ? settled.then(() => resultOf(run, data)) : resultOf(run, data);
  };
  try {
    const data =
      planned.definition.operation === OperationTypeNode.MUTATION
        ? executeSerially(compileFields(planned.root), run)
        : compileObject(planned.root)(run, {}, undefined);
    return isPromise(data) ? data.then(whole, failed) : whole(data);
  } catch (error) {
    return failed(error);
  }
}

/** A write starts when the one before it has ended, with all that was asked of what it gave. */
async function executeSerially(
  fields: ReturnType<typeof compileFields>,
  run: Run,
): Promise<Record<string, unknown>> {
  const answer: Record<string, unknown> = {};
  for (const { key, read } of fields) {
    answer[key] = await read(run, {}, undefined);
    await run.settled();
  }
  return answer;
}

function resultOf(run: Run, data: Record<string, unknown> | null, error?: unknown): ExecutionResult {
  const { errors, budget } = run;
  if (budget.stopped) return budget.resultOf(budget.stopped);
  if (error !== undefined && !run.isSilent)
    errors.push(error instanceof GraphQLError ? error : new GraphQLError(String(error)));
  return errors.length > 0 ? { errors, data } : { data };
}
