import type { ExecutionResult } from 'graphql';
import { type GatewayContext, type GatewayPlugin, mapResults } from '../../request/context.ts';
import type { CallRecord } from '../../rest/call-record.ts';
import { CallCounts } from '../../telemetry/observation.ts';

/** More are not made, but a token may have thousands of administrations whose lists are cached. */
const MAX_EXPLAINED = 500;

/** Adds what an operation has cost to its result, and with `X-Explain: true` the REST calls that it took. */
export function useExplain(): GatewayPlugin {
  return {
    onResultProcess({ result, setResult, serverContext }) {
      if (Symbol.asyncIterator in result) return;
      setResult(mapResults(result, serverContext, withCost));
    },
  };
}

function withCost(result: ExecutionResult, { executed, rest, headers }: GatewayContext): ExecutionResult {
  if (executed === undefined) return result;
  const { estimatedCalls } = executed;
  const { sent: calls, cacheHits, coalesced } = new CallCounts().add(rest.calls);
  const cost = { calls, cacheHits, coalesced };
  const explained =
    headers['x-explain'] === 'true'
      ? {
          cost: { estimatedCalls, ...cost },
          explain: rest.calls.slice(0, MAX_EXPLAINED).map(describeCall),
        }
      : { cost };
  const { extensions } = result;
  return { ...result, extensions: extensions ? { ...explained, ...extensions } : explained };
}

/** `fields` is a JSON string; it is parsed to be readable. */
function describeCall({ call: { method, path, parameters }, ...outcome }: CallRecord) {
  const { fields } = parameters;
  const displayed = typeof fields === 'string' ? { ...parameters, fields: JSON.parse(fields) } : parameters;
  return { method, path, parameters: displayed, ...outcome };
}
