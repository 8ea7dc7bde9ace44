import { type ExecutionResult, GraphQLError, OperationTypeNode } from 'graphql';
import type { Budget } from './budget.ts';
import { compileFields, compileObject } from './compile.ts';
import type { PlannedOperation } from './operation.ts';
import { isPromise, Run } from './run.ts';

/**
 * Executes an operation by its compiled plan. Data and errors are as the GraphQL specification defines them.
 * `onMutationField` is called before each root field of a mutation.
 */
export function execute(
  planned: PlannedOperation,
  context: unknown,
  budget: Budget,
  onMutationField?: (key: string) => void,
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
        : compileObject(planned.root).read(run, {}, undefined);
    return isPromise(data) ? data.then(finish, failed) : finish(data);
  } catch (error) {
    return failed(error);
  }
}

/** Each root field starts after the previous one and its whole selection have settled. */
async function executeSerially(
  fields: ReturnType<typeof compileFields>,
  run: Run,
  onField?: (key: string) => void,
): Promise<Record<string, unknown>> {
  const data: Record<string, unknown> = {};
  for (const { key, read } of fields) {
    onField?.(key);
    data[key] = await read(run, {}, undefined);
    await run.whenSettled();
  }
  return data;
}

function createResult(run: Run, data: Record<string, unknown> | null, error?: unknown): ExecutionResult {
  const { errors, budget } = run;
  if (budget.stopError) return budget.errorResult(budget.stopError);
  if (error !== undefined && !run.ignoresErrors)
    errors.push(error instanceof GraphQLError ? error : new GraphQLError(String(error)));
  return errors.length > 0 ? { errors, data } : { data };
}
