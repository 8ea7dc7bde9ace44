import type { Variables } from '../../execution/variables.ts';
import { CommandFailure } from '../failure.ts';
import { type GatewayClient, getErrors, toFailure } from '../gateway.ts';

const MAX_ATTEMPTS = 3;
const MAX_RESULT_BYTES = 20_000;
const TOO_LARGE =
  'The result is larger than 20 kB. Ask for fewer fields or records, or for `totals` or `groups`.';

/** The structured content of a tool; `isError` is a field next to it. */
export type Outcome = Variables & { restCalls?: number; isError?: boolean };
export type Run = (...args: Parameters<GatewayClient['run']>) => Promise<Outcome>;

/** Returns a function that runs an operation, or estimates it. */
export function createRun(gateway: GatewayClient): Run {
  let isSupported = false;

  async function fetchResult(...[operation, options]: Parameters<Run>) {
    const { result, bytes } = await gateway.run(operation, options);
    isSupported = true;
    if (!options?.isEstimate && bytes > MAX_RESULT_BYTES) throw new CommandFailure(TOO_LARGE);
    return result;
  }

  return async (operation, options = {}) => {
    const { isEstimate } = options;
    const outcomes = gateway.retry(async function* (failures) {
      // An earlier gateway would not limit the REST calls.
      if (!isSupported && !isEstimate) await fetchResult(operation, { ...options, isEstimate: true });
      const result = await fetchResult(operation, options);
      const errors = getErrors(result).map(({ message, code, path }) => ({ message, code, path }));
      const failure = getErrors(result).map(toFailure).find(isTemporary);
      if (failure && failures < MAX_ATTEMPTS - 1) throw failure;
      const { cost, explain } = Object(result.extensions);
      const { estimatedCalls, maxCalls, calls } = Object(cost);
      const { data } = result;
      const outcome = isEstimate ? { estimatedCalls, maxCalls, calls: explain } : { data, restCalls: calls };
      yield errors.length > 0 ? { ...outcome, errors, isError: true } : outcome;
    }, MAX_ATTEMPTS);
    for await (const outcome of outcomes) return outcome;
    return { isError: true };
  };
}

const isTemporary = ({ code, retryAfterMs }: CommandFailure) =>
  code === 'UNAUTHENTICATED' || retryAfterMs !== undefined;
