import { type ExecutionResult, GraphQLError, OperationTypeNode } from 'graphql';
import { compileFields, compileObject } from './compile.ts';
import type { PlannedOperation } from './operation.ts';
import { isPromise, type Run } from './run.ts';

/** Runs an operation by its compiled plan. Answers and errors are those of the GraphQL specification. */
export function execute(
  planned: PlannedOperation,
  context: unknown,
): ExecutionResult | Promise<ExecutionResult> {
  const run: Run = { planned, context, errors: [] };
  const failed = (error: unknown) => resultOf(run, null, error);
  try {
    const data =
      planned.definition.operation === OperationTypeNode.MUTATION
        ? inTurn(compileFields(planned.root), run)
        : compileObject(planned.root)(run, {}, undefined);
    return isPromise(data) ? data.then((answer) => resultOf(run, answer), failed) : resultOf(run, data);
  } catch (error) {
    return failed(error);
  }
}

/** A write starts when the one before it has ended. */
async function inTurn(fields: ReturnType<typeof compileFields>, run: Run): Promise<Record<string, unknown>> {
  const answer: Record<string, unknown> = {};
  for (const { key, read } of fields) answer[key] = await read(run, {}, undefined);
  return answer;
}

function resultOf({ errors }: Run, data: Record<string, unknown> | null, error?: unknown): ExecutionResult {
  if (error !== undefined)
    errors.push(error instanceof GraphQLError ? error : new GraphQLError(String(error)));
  return errors.length > 0 ? { errors, data } : { data };
}
