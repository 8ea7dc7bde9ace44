import { type ExecutionArgs, type ExecutionResult, OperationTypeNode } from 'graphql';
import { execute } from '../../execution/execute.ts';
import { planOperation } from '../../execution/operation.ts';
import type { GatewayContext, GatewayPlugin } from '../../request/context.ts';
import { type Cost, type CostLimits, estimateCost } from '../../request/cost.ts';
import { fitMutation } from './use-json-response.ts';

/** Executes an operation by its compiled plan, unless its cost exceeds the limits. */
export function useCompiledExecution(limits: CostLimits): GatewayPlugin {
  return {
    onExecute({ setExecuteFn, context }) {
      setExecuteFn((args: ExecutionArgs) => executeOperation(args, context, limits));
    },
  };
}

function executeOperation(
  args: ExecutionArgs,
  context: GatewayContext,
  limits: CostLimits,
): ExecutionResult | Promise<ExecutionResult> {
  const planned = planOperation(args, context.holding);
  const cost = estimateCost(planned, limits);
  const { rest, budget } = context;
  const { calls, leastCalls } = cost;
  // No operation makes more than are allowed, however many administrations a token reaches.
  const estimatedCalls = cost.isUnbounded ? Math.max(calls, limits.maxCalls) : calls;
  const isMutation = planned.definition.operation === OperationTypeNode.MUTATION;
  if (isMutation) startWriting(context, cost);
  const note = (result: ExecutionResult) => {
    context.executed = { bounds: { estimatedCalls, leastCalls }, planned, data: result.data };
    return result;
  };
  const finish = (result: ExecutionResult) =>
    isMutation ? fitMutation(result, budget, rest.text).then(note) : note(result);
  const result = execute(planned, context, budget, {
    onMutationField: (key) => {
      rest.reservedCalls -= cost.callsByField?.get(key) ?? 0;
    },
  });
  return result instanceof Promise ? result.then(finish) : finish(result);
}

/**
 * From here on a mutation runs to its end. One that was stopped or aborted before has written nothing, and must not.
 * While one of its fields runs, the calls of those after it are reserved: no read takes the call that a write needs.
 */
function startWriting({ budget, rest }: GatewayContext, { calls }: Cost): void {
  if (budget.stopError) throw budget.stopError;
  if (rest.cancellation.isAborted) throw rest.cancellation.error();
  budget.protect();
  rest.reservedCalls += calls;
}
