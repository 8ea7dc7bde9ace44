import type { ExecutionArgs, ExecutionResult } from 'graphql';
import { execute } from '../execution/execute.ts';
import { planBytes } from '../execution/plan-cache.ts';
import { createExportPlan } from '../export/export-plan.ts';
import type { ExportRequest } from '../export/export-request.ts';
import { readPages } from '../export/page-rows.ts';
import type { GatewayContext } from '../request/context.ts';
import { createPageSession, type SessionOptions } from '../request/rest-sessions.ts';

/** Executes the operation of an export once for each page of its list. */
export function executePages(
  args: ExecutionArgs,
  exported: ExportRequest,
  context: GatewayContext,
  options: SessionOptions,
): AsyncIterable<ExecutionResult> {
  const plan = createExportPlan(args, exported, options.maxFirst);
  context.holding.add(planBytes(plan.root));
  context.exportPlan = plan;
  return readPages(plan, (page) => {
    const { end, ...session } = createPageSession(options, context, plan.pageRows);
    const { size, maxFirst } = session;
    const ofPage = { ...context, ...session, maxFirst: plan.maxFirst ?? maxFirst };
    const run = async () => execute(plan.operation(page), ofPage, size);
    return { result: run(), end };
  });
}
