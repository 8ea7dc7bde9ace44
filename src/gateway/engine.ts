import { type ExecutionArgs, type ExecutionResult, type GraphQLError, OperationTypeNode } from 'graphql';
import { execute } from '../execution/execute.ts';
import { type PlannedOperation, planOperation } from '../execution/operation.ts';
import type { OperationContext } from './context.ts';
import { type Cost, type CostLimits, estimateCost } from './cost.ts';
import { fitMutation } from './fit-mutation.ts';

/** The result of an operation. Its strings are those of REST records, in the form that `context.rest.text` says. */
export class OperationResult implements ExecutionResult {
  readonly planned: PlannedOperation;
  readonly estimatedCalls: number;
  readonly data?: { [key: string]: unknown } | null;
  readonly errors?: readonly GraphQLError[];
  /** How many errors were cut, if any were. */
  readonly extensions?: { readonly [name: string]: unknown };

  constructor(
    planned: PlannedOperation,
    estimatedCalls: number,
    { data, errors, extensions }: ExecutionResult,
  ) {
    this.planned = planned;
    this.estimatedCalls = estimatedCalls;
    if (data !== undefined) this.data = data;
    if (errors !== undefined) this.errors = errors;
    if (extensions !== undefined) this.extensions = extensions;
  }
}

/** Executes an operation by its compiled plan; throws if its estimated cost exceeds the limits. */
export function executeOperation(
  args: ExecutionArgs,
  context: OperationContext,
  limits: CostLimits,
): OperationResult | Promise<OperationResult> {
  const planned = planOperation(args);
  const cost = estimateCost(planned, limits);
  const { rest, budget } = context;
  // No operation makes more, however many administrations a token reaches.
  const estimatedCalls = cost.isUnbounded ? limits.maxCalls : cost.calls;
  const isMutation = planned.definition.operation === OperationTypeNode.MUTATION;
  if (isMutation) startWriting(context, cost);
  const finish = (result: ExecutionResult) => {
    const fitted = isMutation ? fitMutation(result, budget, rest.text) : result;
    return new OperationResult(planned, estimatedCalls, fitted);
  };
  const result = execute(planned, context, budget, (key) => {
    rest.reservedCalls -= cost.callsByField?.get(key) ?? 0;
  });
  return result instanceof Promise ? result.then(finish) : finish(result);
}

/**
 * From here on a mutation runs to its end. One that was stopped or aborted before has written nothing, and must not.
 * While one of its fields runs, the calls of those after it are reserved: no read takes the call that a write needs.
 */
function startWriting({ budget, rest }: OperationContext, { calls }: Cost): void {
  if (budget.stopError) throw budget.stopError;
  if (rest.cancellation.isAborted) throw rest.cancellation.error();
  budget.protect();
  rest.reservedCalls = calls;
}
