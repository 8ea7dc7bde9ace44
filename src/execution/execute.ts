import { type ExecutionResult, OperationTypeNode } from 'graphql';
import { executeField, executeFields } from './execute-fields.ts';
import {
  addPath,
  asGraphQLError,
  buildResolveInfo,
  ExecutionContext,
  locateError,
  type Source,
  setResult,
} from './execution-context.ts';
import type { PlannedOperation } from './operation.ts';
import { afterMutation, type ResultSize } from './result-size.ts';

/**
 * Executes an operation by its plan, with the data and errors that the GraphQL specification defines. The root fields are
 * read from `source`: for a subscription, an event. `onMutationField` is called before each root field of a mutation.
 */
export async function execute(
  planned: PlannedOperation,
  context: unknown,
  size: ResultSize,
  { source = {}, onMutationField }: { source?: Source; onMutationField?: (key: string) => void } = {},
): Promise<ExecutionResult> {
  const exeContext = new ExecutionContext(planned, context, size);
  if (planned.definition.operation === OperationTypeNode.MUTATION)
    await executeSerially(exeContext, onMutationField);
  else executeFields(exeContext, planned.root, source, undefined);
  await exeContext.whenSettled();
  if (size.error) return { errors: [asGraphQLError(size.error)] };
  const { errors, data } = exeContext;
  return errors ? { errors, data } : { data };
}

/**
 * Starts each root field after the previous one and its whole selection have settled. If a field is too large, only that
 * field becomes null: the results of others, such as a token, cannot be fetched again.
 */
async function executeSerially(exeContext: ExecutionContext, onField?: (key: string) => void): Promise<void> {
  const { fields } = exeContext.planned.root;
  for (const plan of fields) {
    const { data, size } = exeContext;
    if (data === null) return;
    size.reset(fields.length);
    onField?.(plan.key);
    const path = executeField(exeContext, plan, {}, data, undefined);
    await exeContext.whenSettled();
    if (size.error === undefined) continue;
    setResult(path, null);
    exeContext.addError(afterMutation(size.error), path);
    size.error = undefined;
  }
}

/** Opens the events of a subscription, or returns the error as a result. Each event is later executed as the source. */
export async function createSourceEventStream(
  planned: PlannedOperation,
  context: unknown,
  size: ResultSize,
): Promise<AsyncIterable<unknown> | ExecutionResult> {
  // Validation ensures that there is one root field, whatever `@skip` says.
  const [plan] = planned.root.fields;
  if (plan?.field.subscribe === undefined) throw new Error('A subscription without events');
  const path = addPath(plan, {});
  try {
    const info = buildResolveInfo(new ExecutionContext(planned, context, size), path);
    const events: unknown = await plan.field.subscribe({}, planned.getArguments(plan), context, info);
    if (isAsyncIterable(events)) return events;
    throw new TypeError('A subscription that gives no events');
  } catch (error) {
    return { errors: [locateError(error, path)] };
  }
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return Symbol.asyncIterator in Object(value);
}
