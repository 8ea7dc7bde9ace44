import type { ExecutionArgs, ExecutionResult } from 'graphql';
import type { Subscriber as ChangesCaller, OpenChanges } from '../changes/change.ts';
import { AnswerSize } from '../execution/answer-size.ts';
import { execute, openEvents } from '../execution/execute.ts';
import { type PlannedOperation, planOperation } from '../execution/operation.ts';
import { planBytes } from '../execution/plan-cache.ts';
import { overloaded, RequestError } from '../http/errors.ts';
import type { Places } from '../limits/places.ts';
import { inTurn } from '../limits/turns.ts';
import type { GatewayContext } from '../request/context.ts';
import { type Caller, createEventSession, type SessionOptions } from '../request/rest-sessions.ts';
import { EventResults, type ExecutedEvents } from '../response/event-results.ts';
import { authorizationFor } from '../rest/authorization.ts';
import { isObject } from '../rest/json.ts';
import { introspectCaller } from '../rest/oauth.ts';
import { RestSession } from '../rest/session.ts';
import type { RequestTelemetry } from '../telemetry/telemetry.ts';

const OVERLOADED = overloaded('Too many subscriptions are open.', '10');
const STOPPING = new RequestError(
  503,
  'SERVER_STOPPING',
  'This gateway is being stopped. Subscribe again, at another one.',
  { 'retry-after': '1', connection: 'close' },
);

/** What a stream takes for as long as it is open, besides its document and its events. */
const STREAM_BYTES = 25_000;

/** How many events are executed together, so that their lookups share batches. */
const MAX_EVENTS_AT_ONCE = 100;

export interface SubscriptionOptions {
  readonly session: SessionOptions;
  /** Streams last for hours, so they have places of their own. */
  readonly subscriptions: Places;
  readonly telemetry: RequestTelemetry;
}

/** Executes a subscription: its events come from the feeds of changes, and its plan is executed for each. */
export async function subscribe(
  args: ExecutionArgs,
  context: GatewayContext,
  { session, subscriptions, telemetry }: SubscriptionOptions,
): Promise<EventResults | ExecutionResult> {
  // `EventSource` sends an empty one if it knows none.
  const lastEventId = context.headers['last-event-id']?.toString() || undefined;
  const planned = afterLastEvent(planOperation(args), lastEventId);
  const { owner, cancellation, observed } = context;
  if (session.feeds.isEnding) throw STOPPING;
  const release = subscriptions.admit(owner);
  if (!release) {
    observed.isShed = true;
    telemetry.shed('subscriptions');
    throw OVERLOADED;
  }
  context.endings.push(release);
  Object.assign(context, { changes: openChanges(session, context) });
  // What it opens too late is closed then by itself.
  const events = await cancellation.limit(openEvents(planned, context, context.size));
  if (!(Symbol.asyncIterator in events)) {
    // It may have been ended before it was open.
    if (session.feeds.isEnding) throw STOPPING;
    return events;
  }
  const results = new EventResults(events, MAX_EVENTS_AT_ONCE, async (batch) => {
    // One page of changes may be for hundreds of streams.
    await inTurn(() => {});
    return executeEvents(batch, planned, context, session);
  });
  context.holding.add(STREAM_BYTES + planBytes(planned.root));
  context.stream = results;
  context.releasePlace();
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
  options: SessionOptions,
): Promise<ExecutedEvents> {
  const { limits, end, ...session } = createEventSession(options, context, events.length);
  try {
    const results = await Promise.all(
      events.map((event) => {
        const source = isObject(event) ? event : {};
        return execute(planned, { ...context, ...session }, new AnswerSize(limits), { source });
      }),
    );
    return { results, end };
  } catch (error) {
    end();
    throw error;
  }
}

/** Streams of changes are read with the caller's credential, apart from the operation that has opened them. */
function openChanges(options: SessionOptions, context: Caller & Pick<GatewayContext, 'rest'>): OpenChanges {
  const { credentials, client, rest, cancellation } = context;
  return (request) =>
    options.feeds.open(callerOf(options, credentials, client?.address), request, {
      cancellation,
      expiresAt: expiryOf(rest),
    });
}

/** Others who follow the same changes outlive the stream that was first, so that nothing else of it is kept. */
function callerOf(
  { rest }: SessionOptions,
  credentials: Caller['credentials'],
  address: string | undefined,
): ChangesCaller {
  const cache = rest.cache.credential(authorizationFor(credentials, 'bearer'));
  const session = { ...rest, credentials, bypassCache: true, storesLists: false, keepsCalls: false };
  return {
    credential: cache.hash,
    createRest: (cancellation) => new RestSession({ ...session, cancellation, owner: cache.owner(address) }),
    dropCached: () => cache.invalidate(),
  };
}

/** When the caller's token expires, if an application is there to ask. */
async function expiryOf(rest: RestSession): Promise<number | undefined> {
  const { basic, own } = rest.credentials;
  if (basic === undefined && own === undefined) return undefined;
  try {
    const { exp } = await introspectCaller(rest);
    return typeof exp === 'number' ? exp * 1_000 : undefined;
  } catch {
    // A token that is refused is told by what it reads.
    return undefined;
  }
}
