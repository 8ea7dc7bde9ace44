import type { ExecutionArgs, ExecutionResult } from 'graphql';
import { execute } from '../execution/execute.ts';
import { ExportPlan, type PageRequest } from '../export/export-plan.ts';
import { type ReadingPage, readPages } from '../export/read-pages.ts';
import type { ExportRequest } from '../export/request.ts';
import type { GatewayContext, GatewayPlugin } from './context.ts';
import { createPageSession, type RestSessionOptions } from './rest-sessions.ts';

/**
 * Executes the operation of an export once for each page of its list, as an async iterable of results. It stands behind
 * the execution that it takes the place of, and before the plugins of users, which may wrap it.
 */
export function useExportPages(options: RestSessionOptions): GatewayPlugin {
  return {
    onExecute({ setExecuteFn, context }) {
      const { exported } = context;
      if (exported) setExecuteFn((args: ExecutionArgs) => executePages(args, exported, context, options));
    },
  };
}

function executePages(
  args: ExecutionArgs,
  exported: ExportRequest,
  context: GatewayContext,
  options: RestSessionOptions,
): AsyncIterable<ExecutionResult> {
  const plan = new ExportPlan(args, exported, options.maxFirst);
  context.exportPlan = plan;
  return readPages(plan, (page) => readPage(plan, page, context, options));
}

function readPage(
  plan: ExportPlan,
  page: PageRequest,
  context: GatewayContext,
  options: RestSessionOptions,
): ReadingPage {
  const { end, ...session } = createPageSession(options, context, plan.pageRows);
  const run = async () => execute(plan.operation(page), { ...context, ...session }, session.budget);
  return { result: run(), end };
}
