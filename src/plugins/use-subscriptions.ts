import type { ExecutionArgs, ExecutionResult } from 'graphql';
import { execute } from '../execution/execute.ts';
import { type PlannedOperation, planOperation } from '../execution/operation.ts';
import { openEvents } from '../execution/subscribe.ts';
import { RequestError } from '../http/request-error.ts';
import type { Admission } from '../limits/admission.ts';
import type { Cancellation } from '../rest/client/cancellation.ts';
import { isObject } from '../rest/json.ts';
import type { RequestTelemetry } from '../telemetry/telemetry.ts';
import type { GatewayContext, GatewayPlugin } from './context.ts';
import { estimateCost } from './cost.ts';
import { EventResults } from './event-results.ts';
import { openChanges } from './open-changes.ts';
import { createEventSession, type RestSessionOptions } from './rest-sessions.ts';

const OVERLOADED = new RequestError(503, 'OVERLOADED', 'Too many subscriptions are open.', {
  'retry-after': '10',
});
const STOPPING = new RequestError(
  503,
  'SERVER_STOPPING',
  'This gateway is being stopped. Subscribe again, at another one.',
  { 'retry-after': '1', connection: 'close' },
);

export interface SubscriptionOptions {
  readonly session: RestSessionOptions;
  /** Streams last for hours, so they have places of their own. */
  readonly subscriptions: Admission;
  readonly telemetry: RequestTelemetry;
}

/**
 * Executes subscriptions: their events come from the feeds of changes, and each is executed by the plan of the operation.
 * It stands before the plugins of users, which may wrap it.
 */
export function useSubscriptions(options: SubscriptionOptions): GatewayPlugin {
  return {
    onSubscribe({ setSubscribeFn, args: { contextValue: context } }) {
      setSubscribeFn((args: ExecutionArgs) => subscribe(args, context, options));
    },
  };
}

async function subscribe(
  args: ExecutionArgs,
  context: GatewayContext,
  { session, subscriptions, telemetry }: SubscriptionOptions,
): Promise<EventResults | ExecutionResult> {
  const planned = afterLastEvent(planOperation(args), context.lastEventId);
  estimateCost(planned, session);
  const { owner, cancellation, observed } = context;
  if (session.feeds.isEnding) throw STOPPING;
  if (!subscriptions.tryAdmit(owner)) {
    observed.isShed = true;
    telemetry.shed('subscriptions');
    throw OVERLOADED;
  }
  context.endings.push(() => subscriptions.release(owner));
  Object.assign(context, { changes: openChanges(session, context) });
  const events = await untilAborted(openEvents(planned, context, context.budget), cancellation);
  if (!isEvents(events)) return events;
  const results = new EventResults(events, owner, (batch) => executeEvents(batch, planned, context, session));
  context.stream = results;
  context.streaming = results.over;
  context.releasePlace?.();
  cancellation.withoutDeadline();
  cancellation.onAbort(() => void results.return());
  return results;
}

/** A client that comes back may send the cursor of the last event beside the operation that it sent first. */
function afterLastEvent(planned: PlannedOperation, lastEventId: string | undefined): PlannedOperation {
  const [plan] = planned.root.fields;
  if (plan === undefined || lastEventId === undefined) return planned;
  const { since: _since, ...args } = planned.argumentsOf(plan);
  return planned.withArguments(plan, { ...args, after: lastEventId });
}

async function executeEvents(
  events: readonly unknown[],
  planned: PlannedOperation,
  context: GatewayContext,
  options: RestSessionOptions,
): Promise<readonly ExecutionResult[]> {
  const { createBudget, end, ...session } = createEventSession(options, context, events.length);
  try {
    return await Promise.all(
      events.map((event) => {
        const budget = createBudget();
        const source = isObject(event) ? event : {};
        return execute(planned, { ...context, ...session, budget }, budget, { source });
      }),
    );
  } finally {
    end();
  }
}

function isEvents(opened: AsyncIterable<unknown> | ExecutionResult): opened is AsyncIterable<unknown> {
  return Symbol.asyncIterator in opened;
}

/** Rejects when the client leaves, or it takes too long: what it opens is closed then by itself. */
function untilAborted(
  opening: ReturnType<typeof openEvents>,
  cancellation: Cancellation,
): ReturnType<typeof openEvents> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(cancellation.error());
    cancellation.onAbort(onAbort);
    opening.then(resolve, reject).finally(() => cancellation.offAbort(onAbort));
  });
}
