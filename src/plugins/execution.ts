import { type ExecutionArgs, type ExecutionResult, GraphQLError, OperationTypeNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Context } from '../context.ts';
import { type CostLimits, estimateCost } from '../cost.ts';
import { execute } from '../execution/execute.ts';
import { type PlannedOperation, planOperation } from '../execution/operation.ts';
import { isLarge, writeLarge } from '../execution/write.ts';
import { answerPlace, KeptAnswer, keepAnswer, WrittenData } from './answers.ts';
import { explain } from './explain.ts';

/** Runs operations by their plan: refuses one that would take too much, and counts the REST calls that it made. */
export function useExecution(limits: CostLimits): Plugin<Context> {
  return {
    // What comes of it is finished here and not in `onExecuteDone`: each such hook costs promises of Yoga's.
    onExecute: ({ args, setExecuteFn }) => setExecuteFn(prepare(args, args.contextValue, limits)),
  };
}

function prepare(
  args: ExecutionArgs,
  context: Context,
  limits: CostLimits,
): () => ExecutionResult | Promise<ExecutionResult> {
  const place = answerPlace(args, context);
  const kept = place?.known?.made;
  if (kept instanceof KeptAnswer) {
    context.rest.calls.push(...kept.calls);
    return () => withExtensions({ data: kept.data }, kept.estimatedCalls, context);
  }
  const planned = planOperation(args);
  const estimatedCalls = checkedCalls(planned, limits);
  if (planned.definition.operation === OperationTypeNode.MUTATION) context.budget.protect();
  const finish = (result: ExecutionResult): ExecutionResult | Promise<ExecutionResult> => {
    const { data } = result;
    if (data && isLarge(planned.root, context.budget, context.holding.amount))
      return writeLarge(data, planned.root, context.budget).then(
        (pieces) => withExtensions({ ...result, data: new WrittenData(pieces) }, estimatedCalls, context),
        (error) => withExtensions(context.budget.resultOf(error), estimatedCalls, context),
      );
    const done = place ? keepAnswer(place, planned, result, estimatedCalls, context.rest) : result;
    return withExtensions(done, estimatedCalls, context);
  };
  return () => {
    const result = execute(planned, context, context.budget);
    return result instanceof Promise ? result.then(finish) : finish(result);
  };
}

function withExtensions(result: ExecutionResult, estimatedCalls: number, context: Context): ExecutionResult {
  const { calls } = context.rest;
  const cost = { estimatedCalls, calls: 0, cacheHits: 0, coalesced: 0 };
  for (const { source } of calls) {
    if (source === 'network') cost.calls += 1;
    else if (source === 'cache') cost.cacheHits += 1;
    else cost.coalesced += 1;
  }
  result.extensions = context.explain ? { cost, explain: explain(calls) } : { cost };
  return result;
}

function checkedCalls(planned: PlannedOperation, limits: CostLimits): number {
  const { calls, objects } = estimateCost(planned, limits);
  if (objects > limits.maxObjects) {
    throw tooExpensive(
      `The operation asks for more than ${limits.maxObjects} objects: rows of lists inside lists multiply.`,
    );
  }
  if (calls <= limits.maxCalls) return calls;
  throw tooExpensive(
    `The operation would need about ${calls} REST calls, and at most ${limits.maxCalls} are allowed.`,
  );
}

function tooExpensive(what: string): GraphQLError {
  return new GraphQLError(`${what} Ask for fewer rows or fewer lists.`, {
    extensions: { code: 'OPERATION_TOO_EXPENSIVE', http: { status: 400 } },
  });
}
