import { type ExecutionArgs, type ExecutionResult, OperationTypeNode } from 'graphql';
import { AnswerSize } from '../../execution/answer-size.ts';
import { execute } from '../../execution/execute.ts';
import { planOperation } from '../../execution/operation.ts';
import { createExportPlan, PAGE_ROWS } from '../../export/export-plan.ts';
import type { ExportRequest } from '../../export/export-request.ts';
import type { GatewayContext, GatewayPlugin } from '../../request/context.ts';
import { estimateCost, mutationCost, requireFewReads } from '../../request/cost.ts';
import type { GatewayState } from '../gateway-state.ts';
import { subscribe } from '../subscribe.ts';

/**
 * Executes operations by their plans, which are made once for each document: graphql-js takes forty times as long for a
 * page of rows. An export is executed once for each page of its list, and a subscription for each of its events.
 */
export function useExecution(state: GatewayState): GatewayPlugin {
  return {
    onExecute({ setExecuteFn, context, args: { document, operationName } }) {
      context.observed.setDocument(document, operationName);
      setExecuteFn((args: ExecutionArgs) => {
        const { exported } = context;
        return exported ? executePages(args, exported, context, state) : executeOnce(args, context, state);
      });
    },
    onSubscribe({ setSubscribeFn, args: { contextValue: context, document, operationName } }) {
      context.observed.setDocument(document, operationName);
      setSubscribeFn((args: ExecutionArgs) => subscribe(args, context, state));
    },
  };
}

function executeOnce(
  args: ExecutionArgs,
  context: GatewayContext,
  state: GatewayState,
): ExecutionResult | Promise<ExecutionResult> {
  const planned = planOperation(args);
  const { rest, running } = context;
  const { size } = running;
  running.holding.add(planned.root.bytes);
  const isExplained = context.headers['x-explain'] === 'true';
  if (planned.definition.operation !== OperationTypeNode.MUTATION) {
    requireFewReads(planned, state);
    // Estimated only where somebody asks for it.
    context.executed = { estimatedCalls: isExplained ? estimateCost(planned, state).most : undefined };
    return execute(planned, context, size);
  }
  const { most, calls, callsByField } = mutationCost(planned, state);
  // From here on no limit of size or memory ends a mutation. One that was ended before has written nothing, and must not.
  if (size.error) throw size.error;
  if (rest.cancellation.isAborted) throw rest.cancellation.error();
  running.isWriting = true;
  context.executed = { estimatedCalls: isExplained ? most : undefined };
  // While one of its fields runs, the calls of those after it are reserved: no read takes the call that a write needs.
  rest.reservedCalls += calls;
  return execute(planned, context, size, {
    onMutationField: (key) => {
      rest.reservedCalls -= callsByField.get(key) ?? 0;
    },
  });
}

/** Executes the operation of an export once for each page of its list. */
function executePages(
  args: ExecutionArgs,
  exported: ExportRequest,
  context: GatewayContext,
  state: GatewayState,
): AsyncIterable<ExecutionResult> {
  const { running } = context;
  const plan = createExportPlan(args, exported, state.maxFirst, (operation, onList) => {
    const { rest, loaders, end } = running.startPart({ keepsLists: false });
    // A list that the gateway orders is one page, which only its memory limits.
    const maxBytes = state.maxResponseBytes * Math.max(1, plan.pageRows / PAGE_ROWS);
    const size = new AnswerSize({ maxValues: Number.POSITIVE_INFINITY, maxBytes });
    // The plan says how many rows a page has.
    const ofPage = { ...context, rest, loaders, maxFirst: Number.POSITIVE_INFINITY, onList };
    return { result: execute(operation, ofPage, size), end };
  });
  running.holding.add(plan.root.bytes);
  context.exportPlan = plan;
  return plan.pages();
}
