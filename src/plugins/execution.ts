import { type ExecutionArgs, GraphQLError } from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import type { Context } from '../context.ts';
import { estimateCalls } from '../cost.ts';
import { execute } from '../execution/execute.ts';
import { type PlannedOperation, planOperation } from '../execution/operation.ts';

/** Runs operations by their plan: refuses one that would need too many REST calls, and counts those it made. */
export function useExecution(maxCalls: number): Plugin<Context> {
  return {
    onExecute({ args, setExecuteFn }) {
      const planned = planOperation(args);
      const estimatedCalls = checkedEstimate(planned, maxCalls);
      setExecuteFn(({ contextValue }: ExecutionArgs) => execute(planned, contextValue));
      return {
        onExecuteDone({ result, setResult, args: { contextValue } }) {
          if (isAsyncIterable(result)) return;
          const { calls } = contextValue.rest;
          const from = (source: string) => calls.filter((call) => call.source === source).length;
          const cost = {
            estimatedCalls,
            calls: from('network'),
            cacheHits: from('cache'),
            coalesced: from('flight'),
          };
          setResult({ ...result, extensions: { ...result.extensions, cost } });
        },
      };
    },
  };
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
