import type { Variables } from '../../execution/variables.ts';
import { CommandFailure } from '../failure.ts';
import { type GatewayClient, getErrors, type SentOperation, toFailure } from '../gateway.ts';

const MAX_ATTEMPTS = 3;
const MAX_RESULT_BYTES = 20_000;
const TOO_LARGE =
  'The result is larger than 20 kB. Ask for fewer fields or rows, or for `totals` or `groups`.';
const TOO_OLD =
  'The gateway can neither estimate operations nor limit their calls, so nothing was run. Update it.';
/** A gateway that knows no estimates would execute, but it refuses to answer in such a type. */
const ESTIMATE = { accept: 'application/estimate+json', 'x-explain': 'estimate' };
const PROBE = { query: '{ __typename }', variables: {} };

/** The structured content of a tool; `isError` is a field next to it. */
export type Outcome = Variables & { restCalls?: number; isError?: boolean };
export type Run = (operation: SentOperation, isEstimate: boolean, stop: AbortSignal) => Promise<Outcome>;

/** Returns a function that runs an operation, or estimates it, with at most so many REST calls. */
export function createRun(gateway: GatewayClient, maxCalls: string): Run {
  let isSupported = false;

  async function ask(operation: SentOperation, isEstimate: boolean, stop: AbortSignal) {
    const more = { accept: 'application/json', 'x-max-calls': maxCalls, ...(isEstimate && ESTIMATE) };
    const { answer, headers, bytes } = await gateway.ask(operation, more, stop);
    if (isEstimate) isSupported = headers.get('x-explain') === 'estimate';
    if (!isSupported) throw new CommandFailure(TOO_OLD);
    if (!isEstimate && bytes > MAX_RESULT_BYTES) throw new CommandFailure(TOO_LARGE);
    return answer;
  }

  return async (operation, isEstimate, stop) => {
    const outcomes = gateway.retry(async function* (failures) {
      // An older gateway would not limit the REST calls.
      if (!isSupported && !isEstimate) await ask(PROBE, true, stop);
      const answer = await ask(operation, isEstimate, stop);
      const errors = getErrors(answer).map(({ message, code, path }) => ({ message, code, path }));
      const failure = getErrors(answer).map(toFailure).find(mayPass);
      if (failure && failures < MAX_ATTEMPTS - 1) throw failure;
      const [{ data }, { cost, explain }] = [answer, Object(answer.extensions)];
      const { estimatedCalls, maxCalls, calls } = Object(cost);
      const result = isEstimate ? { estimatedCalls, maxCalls, calls: explain } : { data, restCalls: calls };
      yield errors.length > 0 ? { ...result, errors, isError: true } : result;
    }, MAX_ATTEMPTS);
    for await (const outcome of outcomes) return outcome;
    return { isError: true };
  };
}

const mayPass = ({ code, retryAfterMs }: CommandFailure) =>
  code === 'UNAUTHENTICATED' || retryAfterMs !== undefined;
