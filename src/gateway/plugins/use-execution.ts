import { type ExecutionArgs, type ExecutionResult, OperationTypeNode } from 'graphql';
import { execute } from '../../execution/execute.ts';
import { type PlannedOperation, planOperation } from '../../execution/operation.ts';
import { planBytes } from '../../execution/plan-cache.ts';
import type { GatewayContext, GatewayPlugin } from '../../request/context.ts';
import { type Cost, estimateCost, mutationCost, requireFewReads } from '../../request/cost.ts';
import type { SessionOptions } from '../../request/rest-sessions.ts';
import { executePages } from '../execute-pages.ts';
import { type SubscriptionOptions, subscribe } from '../subscribe.ts';

/**
 * Executes operations by their plans, which are made once for each document: graphql-js takes forty times as long for a
 * page of rows. An export is executed once for each page of its list, and a subscription for each of its events.
 */
export function useExecution(options: SubscriptionOptions): GatewayPlugin {
  return {
    onExecute({ setExecuteFn, context, args: { document, operationName } }) {
      context.observed.setDocument(document, operationName);
      setExecuteFn((args: ExecutionArgs) => {
        const { exported } = context;
        return exported
          ? executePages(args, exported, context, options.session)
          : executeOperation(args, context, options.session);
      });
    },
    onSubscribe({ setSubscribeFn, args: { contextValue: context, document, operationName } }) {
      context.observed.setDocument(document, operationName);
      setSubscribeFn((args: ExecutionArgs) => subscribe(args, context, options));
    },
  };
}

function executeOperation(
  args: ExecutionArgs,
  context: GatewayContext,
  limits: SessionOptions,
): ExecutionResult | Promise<ExecutionResult> {
  const planned = planOperation(args);
  const { rest, size, holding, headers } = context;
  holding.add(planBytes(planned.root));
  const isMutation = planned.definition.operation === OperationTypeNode.MUTATION;
  const cost = isMutation ? mutationCost(planned, limits) : costOfQuery(planned, limits, headers);
  if (isMutation && cost) startWriting(context, cost);
  context.executed = { estimatedCalls: cost?.most };
  return execute(planned, context, size, {
    onMutationField: (key) => {
      rest.reservedCalls -= cost?.callsByField.get(key) ?? 0;
    },
  });
}

/** Estimated only where somebody asks for it. */
function costOfQuery(
  planned: PlannedOperation,
  limits: SessionOptions,
  headers: GatewayContext['headers'],
): Cost | undefined {
  requireFewReads(planned, limits);
  return headers['x-explain'] === 'true' ? estimateCost(planned, limits) : undefined;
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
