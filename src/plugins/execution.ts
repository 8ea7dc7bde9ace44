import { type ExecutionArgs, type ExecutionResult, GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Context } from '../context.ts';
import { estimateCalls } from '../cost.ts';
import { execute } from '../execution/execute.ts';
import { type PlannedOperation, planOperation } from '../execution/operation.ts';
import { answerPlace, keepAnswer, WrittenData } from './answers.ts';
import { explain } from './explain.ts';

/** Runs operations by their plan: refuses one that would need too many REST calls, and counts those it made. */
export function useExecution(maxCalls: number): Plugin<Context> {
  return {
    // What comes of it is finished here and not in `onExecuteDone`: each such hook costs promises of Yoga's.
    onExecute: ({ args, setExecuteFn }) => setExecuteFn(prepare(args, args.contextValue, maxCalls)),
  };
}

function prepare(
  args: ExecutionArgs,
  context: Context,
  maxCalls: number,
): () => ExecutionResult | Promise<ExecutionResult> {
  const place = answerPlace(args, context);
  const written = place?.known?.made;
  if (written instanceof WrittenData) {
    context.rest.calls.push(...written.calls);
    return () => withExtensions({ data: written }, written.estimatedCalls, context);
  }
  const planned = planOperation(args);
  const estimatedCalls = checkedEstimate(planned, maxCalls);
  const finish = (result: ExecutionResult) => {
    const kept = place ? keepAnswer(place, planned, result, estimatedCalls, context.rest) : result;
    return withExtensions(kept, estimatedCalls, context);
  };
  return () => {
    const result = execute(planned, context);
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

function checkedEstimate(planned: PlannedOperation, maxCalls: number): number {
  const calls = estimateCalls(planned);
  if (calls <= maxCalls) return calls;
  throw new GraphQLError(
    `The operation would need about ${calls} REST calls, and at most ${maxCalls} are allowed. ` +
      'Ask for fewer rows or fewer lists.',
    { extensions: { code: 'OPERATION_TOO_EXPENSIVE', http: { status: 400 } } },
  );
}
