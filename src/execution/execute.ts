import { type ExecutionResult, OperationTypeNode } from 'graphql';
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
import { writeField, writeObject } from './write.ts';

/** Executes an operation. `source` is the event of a subscription. */
export async function execute(
  planned: PlannedOperation,
  context: unknown,
  size: ResultSize,
  { source = {}, onMutationField }: { source?: Source; onMutationField?: (key: string) => void } = {},
): Promise<ExecutionResult> {
  const exeContext = new ExecutionContext(planned, context, size);
  if (planned.definition.operation === OperationTypeNode.MUTATION)
    await executeSerially(exeContext, onMutationField);
  else writeObject(exeContext, planned.root, source, undefined);
  await exeContext.whenSettled();
  if (size.error) return { errors: [asGraphQLError(size.error)] };
  const { errors, data } = exeContext;
  return errors ? { errors, data } : { data };
}

/**
 * Runs the root fields serially. One that is too large becomes null alone: a token in another cannot be fetched again.
 */
async function executeSerially(exeContext: ExecutionContext, onField?: (key: string) => void): Promise<void> {
  const { fields } = exeContext.planned.root;
  for (const plan of fields) {
    const { data, size } = exeContext;
    if (data === null) return;
    size.reset(fields.length);
    onField?.(plan.key);
    const path = writeField(exeContext, plan, {}, data, undefined);
    await exeContext.whenSettled();
    if (size.error === undefined) continue;
    setResult(path, null);
    exeContext.addError(afterMutation(size.error), path);
    size.error = undefined;
  }
}

/** Opens the event stream of a subscription, or returns the error as a result. */
export async function openEvents(
  planned: PlannedOperation,
  context: unknown,
  size: ResultSize,
): Promise<AsyncIterable<unknown> | ExecutionResult> {
  // Validation ensures one root field, which `@skip` cannot remove.
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
