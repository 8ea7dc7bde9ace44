import type { ExecutionResult } from 'graphql';
import {
  type CallBounds,
  type GatewayContext,
  type GatewayPlugin,
  mapResults,
} from '../../request/context.ts';
import type { CallRecord } from '../../rest/call-record.ts';

/** Adds the cost, and with `X-Explain: true` the REST calls. It stands before plugins of users, which may change it. */
export function useExplain(): GatewayPlugin {
  return {
    onResultProcess({ result, setResult, serverContext }) {
      if (Symbol.asyncIterator in result) return;
      setResult(mapResults(result, serverContext, explained));
    },
  };
}

function explained(result: ExecutionResult, { executed, rest, headers }: GatewayContext): ExecutionResult {
  if (executed === undefined) return result;
  const { calls } = rest;
  const cost = countCalls(calls, executed.bounds);
  const explain = headers['x-explain'] === 'true' ? { explain: calls.map(describeCall) } : {};
  return { ...result, extensions: { cost, ...explain, ...result.extensions } };
}

function countCalls(calls: readonly CallRecord[], { estimatedCalls, leastCalls }: CallBounds) {
  const counts = { estimatedCalls, leastCalls, calls: 0, cacheHits: 0, coalesced: 0 };
  for (const { source } of calls) {
    if (source === 'network') counts.calls += 1;
    else if (source === 'cache') counts.cacheHits += 1;
    else counts.coalesced += 1;
  }
  return counts;
}

/** `fields` is a JSON string; it is parsed to be readable. */
function describeCall({ call: { method, path, parameters }, ...outcome }: CallRecord) {
  const { fields } = parameters;
  const displayed = typeof fields === 'string' ? { ...parameters, fields: JSON.parse(fields) } : parameters;
  return { method, path, parameters: displayed, ...outcome };
}
