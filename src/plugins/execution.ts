import { type ExecutionArgs, type ExecutionResult, GraphQLError } from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import type { Context } from '../context.ts';
import { estimateCalls } from '../cost.ts';
import { execute } from '../execution/execute.ts';
import { type PlannedOperation, planOperation } from '../execution/operation.ts';
import type { CallRecord } from '../rest/session.ts';
import { answerPlace, keepAnswer, WrittenData } from './answers.ts';

/** An operation that has been let in: how to run it, and what to do with what comes of it. */
interface Prepared {
  readonly estimatedCalls: number;
  run(): ExecutionResult | Promise<ExecutionResult>;
  finish(result: ExecutionResult): ExecutionResult;
}

/** Runs operations by their plan: refuses one that would need too many REST calls, and counts those it made. */
export function useExecution(maxCalls: number): Plugin<Context> {
  return {
    onExecute({ args, setExecuteFn }) {
      const { estimatedCalls, run, finish } = prepare(args, args.contextValue, maxCalls);
      setExecuteFn(run);
      return {
        onExecuteDone({ result, setResult, args: { contextValue } }) {
          if (isAsyncIterable(result)) return;
          const cost = { estimatedCalls, ...count(contextValue.rest.calls) };
          setResult({ ...finish(result), extensions: { ...result.extensions, cost } });
        },
      };
    },
  };
}

function prepare(args: ExecutionArgs, context: Context, maxCalls: number): Prepared {
  const place = answerPlace(args, context);
  const written = place?.known?.made;
  if (written instanceof WrittenData) {
    context.rest.calls.push(...written.calls);
    const { estimatedCalls } = written;
    return { estimatedCalls, run: () => ({ data: written }), finish: (result) => result };
  }
  const planned = planOperation(args);
  const estimatedCalls = checkedEstimate(planned, maxCalls);
  return {
    estimatedCalls,
    run: () => execute(planned, context),
    finish: (result) => (place ? keepAnswer(place, planned, result, estimatedCalls, context.rest) : result),
  };
}

function count(calls: readonly CallRecord[]) {
  const numbers = { network: 0, cache: 0, flight: 0 };
  for (const { source } of calls) numbers[source] += 1;
  return { calls: numbers.network, cacheHits: numbers.cache, coalesced: numbers.flight };
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
