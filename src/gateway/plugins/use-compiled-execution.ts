import { type ExecutionArgs, type ExecutionResult, OperationTypeNode } from 'graphql';
import { execute } from '../../execution/execute.ts';
import { type PlannedOperation, planOperation } from '../../execution/operation.ts';
import { planBytes } from '../../execution/plan-cache.ts';
import type { GatewayContext, GatewayPlugin } from '../../request/context.ts';
import {
  type Cost,
  type CostLimits,
  estimateCost,
  mutationCost,
  requireFewReads,
} from '../../request/cost.ts';

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
  const planned = planOperation(args);
  context.holding.add(planBytes(planned.root));
  const { rest, size } = context;
  const isMutation = planned.definition.operation === OperationTypeNode.MUTATION;
  const cost = costOf(planned, limits, isMutation, context.headers['x-explain'] === 'true');
  if (isMutation && cost) startWriting(context, cost);
  const note = (result: ExecutionResult) => {
    context.executed = { estimatedCalls: cost?.most, planned, data: result.data };
    return result;
  };
  const result = execute(planned, context, size, {
    onMutationField: (key) => {
      rest.reservedCalls -= cost?.callsByField.get(key) ?? 0;
    },
  });
  return result instanceof Promise ? result.then(note) : note(result);
}

/** Estimated where somebody asks for it, and for a mutation, which is refused whole or not at all. */
function costOf(
  planned: PlannedOperation,
  limits: CostLimits,
  isMutation: boolean,
  isExplained: boolean,
): Cost | undefined {
  if (isMutation) return mutationCost(planned, limits);
  requireFewReads(planned, limits);
  return isExplained ? estimateCost(planned, limits) : undefined;
}

/**
 * From here on a mutation runs to its end. One that was stopped or aborted before has written nothing, and must not.
 * While one of its fields runs, the calls of those after it are reserved: no read takes the call that a write needs.
 */
function startWriting(context: GatewayContext, { calls }: Cost): void {
  const { rest, size } = context;
  if (size.error) throw size.error;
  if (rest.cancellation.isAborted) throw rest.cancellation.error();
  context.isWriting = true;
  rest.reservedCalls += calls;
}
