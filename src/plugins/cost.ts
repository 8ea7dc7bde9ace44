import type { ExecutionArgs } from 'graphql';
import { GraphQLError, getOperationAST, getVariableValues, Kind } from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import type { Context } from '../context.ts';
import { estimateCalls } from '../cost.ts';

/** Counts the REST calls of an operation before and after, and refuses one that would need too many. */
export function useCost(maxCalls: number): Plugin<Context> {
  return {
    onExecute({ args, setResultAndStopExecution }) {
      const estimatedCalls = estimate(args);
      if (estimatedCalls > maxCalls) {
        const error = new GraphQLError(
          `The operation would need about ${estimatedCalls} REST calls, and at most ${maxCalls} are allowed. ` +
            'Ask for fewer rows or fewer lists.',
          { extensions: { code: 'OPERATION_TOO_EXPENSIVE', http: { status: 400 } } },
        );
        setResultAndStopExecution({ errors: [error] });
        return undefined;
      }
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

function estimate({ schema, document, operationName, variableValues }: ExecutionArgs): number {
  const operation = getOperationAST(document, operationName);
  if (!operation) return 0;
  const variables = getVariableValues(schema, operation.variableDefinitions ?? [], variableValues ?? {});
  if (!variables.coerced) return 0; // refused when it runs
  const fragments = Object.fromEntries(
    document.definitions.flatMap((node) =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [],
    ),
  );
  return estimateCalls({ schema, fragments, variableValues: variables.coerced }, operation);
}
