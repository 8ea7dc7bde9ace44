import { type ExecutionArgs, type ExecutionResult, OperationTypeNode } from 'graphql';
import { execute } from '../execution/execute.ts';
import { type PlannedOperation, planOperation } from '../execution/operation.ts';
import { ResultSize } from '../execution/result-size.ts';
import { createExportPlan, PAGE_ROWS } from '../export/export-plan.ts';
import type { ExportRequest } from '../export/export-request.ts';
import type { OperationContext } from '../request/context.ts';
import { estimateCost, mutationCost, requireFewReads } from '../request/cost.ts';

/**
 * Executes a query or a mutation by its plan, which is created once per document: graphql-js takes forty times as long for
 * a page of rows. An export is executed once per page of its list.
 */
export function runOperation(
  args: ExecutionArgs,
  context: OperationContext,
): ExecutionResult | Promise<ExecutionResult> | AsyncIterable<ExecutionResult> {
  const { operation, exchange } = context;
  const form = exchange.responseForm;
  if (form.kind === 'export') return runPages(args, form.request, context);
  const planned = planOperation(args);
  operation.memory.add(planned.root.bytes);
  const isExplained = exchange.headers['x-explain'] === 'true';
  if (planned.definition.operation === OperationTypeNode.MUTATION)
    return mutate(planned, isExplained, context);
  requireFewReads(planned, operation.limits);
  operation.runMode = {
    kind: 'once',
    estimatedCalls: isExplained ? estimateCost(planned, operation.limits).most : undefined,
  };
  return execute(planned, context, operation.size);
}

function mutate(
  planned: PlannedOperation,
  isExplained: boolean,
  context: OperationContext,
): Promise<ExecutionResult> {
  const { operation } = context;
  const { dataSource, size, cancellation, limits } = operation;
  const { most, calls, callsByField } = mutationCost(planned, limits);
  // From here on, no limit of size or memory may end the mutation. If one has ended it already, nothing may be written.
  if (size.error) throw size.error;
  if (cancellation.isAborted) throw cancellation.error();
  operation.isWriting = true;
  operation.runMode = { kind: 'once', estimatedCalls: isExplained ? most : undefined };
  // Reserve the calls of later fields, so that reads of one field cannot take the call that a later write needs.
  dataSource.session.reservedCalls += calls;
  return execute(planned, context, size, {
    onMutationField: (key) => {
      dataSource.session.reservedCalls -= callsByField.get(key) ?? 0;
    },
  });
}

function runPages(
  args: ExecutionArgs,
  request: ExportRequest,
  context: OperationContext,
): AsyncIterable<ExecutionResult> {
  const { operation, exchange } = context;
  const { maxFirst, maxResponseBytes } = exchange.state;
  const plan = createExportPlan(args, request, maxFirst);
  operation.memory.add(plan.root.bytes);
  operation.runMode = { kind: 'pages', plan };
  return plan.pages((planned, onList) => {
    const { dataSource, end } = operation.startSubOperation({ cacheLists: false });
    // A list that the gateway sorts is one page, limited only by memory.
    const maxBytes = maxResponseBytes * Math.max(1, plan.pageRows / PAGE_ROWS);
    const size = new ResultSize({ maxValues: Number.POSITIVE_INFINITY, maxBytes });
    // The plan has already limited the number of rows.
    const pageContext = {
      ...context,
      dataSource: { ...dataSource, maxFirst: Number.POSITIVE_INFINITY, onList },
    };
    return { result: execute(planned, pageContext, size), end };
  });
}
