import { type ExecutionArgs, type ExecutionResult, OperationTypeNode } from 'graphql';
import { createSourceEventStream, execute } from '../execution/execute.ts';
import { type PlannedOperation, planOperation } from '../execution/operation.ts';
import { createExportPlan } from '../export/export-plan.ts';
import type { OperationContext } from '../request/context.ts';
import { type CostLimits, estimateCost, mutationCost, requireFewReads } from '../request/cost.ts';
import type { RunningOperation } from '../request/operation.ts';
import { describeCall } from '../response/json-response.ts';
import { createRestCache } from '../rest/cache/rest-cache.ts';
import { NOT_SENT } from '../rest/errors.ts';
import { RestSession } from '../rest/session.ts';
import { OperationLoaders } from '../schema/fields/loaders.ts';
import { schema } from '../schema/index.ts';

/** A dry run uses no credentials of the caller, so it cannot reveal them. */
const CREDENTIALS = { bearer: 'Bearer -', basic: 'Basic -' };

/** Estimates the REST calls of an operation without sending any. Throws if executing it would be rejected. */
export async function estimateOperation(
  args: ExecutionArgs,
  { operation, exchange }: OperationContext,
): Promise<ExecutionResult> {
  const form = exchange.responseForm;
  const { maxCalls, maxFirst } = operation.limits;
  const plan = form.kind === 'export' ? createExportPlan(args, form.request, maxFirst) : undefined;
  const planned = plan?.planPage(0, plan.start) ?? planOperation(args);
  operation.memory.add(planned.root.bytes);
  // The plan has already limited the rows of a page.
  const limits = { maxCalls, maxFirst: plan ? Number.POSITIVE_INFINITY : maxFirst };
  const { operation: type } = planned.definition;
  if (type === OperationTypeNode.QUERY && !plan) requireFewReads(planned, limits);
  const estimate = type === OperationTypeNode.MUTATION ? mutationCost : estimateCost;
  const { most } = estimate(planned, limits);
  const { calls, data, errors } = await dryRun(planned, operation, limits);
  // An export that fails on its first page returns only the error.
  if (errors.length > 0 && (plan || data === undefined)) return { errors };
  const { maxPages = 1 } = plan ?? {};
  const isPerPage = maxPages === Number.POSITIVE_INFINITY;
  const per = type === OperationTypeNode.SUBSCRIPTION ? 'event' : isPerPage ? 'page' : undefined;
  // The pages of an export are not limited.
  const cost = { estimatedCalls: isPerPage ? most : maxPages * most, maxCalls: plan ? null : maxCalls, per };
  const extensions = { cost, explain: calls.map(({ call }) => describeCall({ call })) };
  return { ...(errors.length > 0 && { errors }), data: null, extensions };
}

/**
 * Runs the gateway's own resolvers, not those of plugins, until each needs a REST call, which is recorded but not sent.
 * Returns these calls, and the errors that do not depend on their responses.
 */
async function dryRun(
  planned: PlannedOperation,
  { dataSource, size, cancellation }: RunningOperation,
  { maxCalls, maxFirst }: CostLimits,
) {
  const { service, limitKey } = dataSource.session;
  // The dry run shares no caches, calls in flight or counts with executed operations.
  const client = { ...service.client, events: undefined };
  const dryService = { ...service, client, cache: createRestCache(0), refreshes: undefined };
  const options = { credentials: { ...CREDENTIALS }, limitKey, maxCalls, cancellation, isDryRun: true };
  const session = new RestSession(dryService, options);
  const changes = () => Promise.reject(NOT_SENT);
  const context = {
    dataSource: { ...dataSource, session, loaders: new OperationLoaders(session), maxFirst, changes },
  };
  const isSubscription = planned.definition.operation === OperationTypeNode.SUBSCRIPTION;
  const result = await (isSubscription ? createSourceEventStream : execute)(
    planned.planFor(schema),
    context,
    size,
  );
  const { data, errors = [] }: ExecutionResult = Symbol.asyncIterator in result ? {} : result;
  const reported = errors.filter(
    ({ originalError, extensions }) => originalError !== NOT_SENT && extensions.code !== 'MORE_ERRORS',
  );
  return { calls: session.calls, data, errors: reported };
}
