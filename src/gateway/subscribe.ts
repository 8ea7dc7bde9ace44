import type { ExecutionArgs, ExecutionResult } from 'graphql';
import type { OpenChanges, Subscriber } from '../changes/change.ts';
import { openEvents } from '../execution/execute.ts';
import { type PlannedOperation, planOperation } from '../execution/operation.ts';
import { RequestError } from '../http/errors.ts';
import type { GatewayContext } from '../request/context.ts';
import { authorizationFor } from '../rest/authorization.ts';
import { introspectCaller } from '../rest/oauth.ts';
import { type Credentials, RestSession } from '../rest/session.ts';
import { eventResults } from './event-results.ts';
import type { GatewayState } from './gateway-state.ts';
import { takePlace } from './sessions.ts';

const STOPPING = new RequestError(
  503,
  'SERVER_STOPPING',
  'This gateway is being stopped. Subscribe again, at another one.',
  { 'retry-after': '1', connection: 'close' },
);

/** What a stream takes for as long as it is open, besides its document and its events. */
const STREAM_BYTES = 25_000;

/** Executes a subscription: its events come from the feeds of changes, and its plan is executed for each. */
export async function subscribe(
  args: ExecutionArgs,
  context: GatewayContext,
  state: GatewayState,
): Promise<AsyncIterable<ExecutionResult> | ExecutionResult> {
  // `EventSource` sends an empty one if it knows none.
  const lastEventId = context.headers['last-event-id']?.toString() || undefined;
  const planned = afterLastEvent(planOperation(args), lastEventId);
  const { cancellation } = context;
  if (state.feeds.isEnding) throw STOPPING;
  takePlace(context, state, 'subscriptions');
  context.changes = openChanges(context, state);
  // What it opens too late is closed then by itself.
  const events = await cancellation.limit(openEvents(planned, context, context.size));
  if (!(Symbol.asyncIterator in events)) {
    // It may have been ended before it was open.
    if (state.feeds.isEnding) throw STOPPING;
    return events;
  }
  const results = eventResults(events, planned, context, state);
  context.holding.add(STREAM_BYTES + planned.root.bytes);
  context.stream = results;
  context.releasePlace();
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

/** Streams of changes are read with the caller's credential, apart from the operation that has opened them. */
function openChanges(context: GatewayContext, state: GatewayState): OpenChanges {
  const { credentials, client, rest, cancellation } = context;
  return (request) =>
    state.feeds.open(subscriberOf(state, credentials, client?.address), request, {
      cancellation,
      expiresAt: expiryOf(rest),
    });
}

/** Others who follow the same changes outlive the stream that was first, so that nothing else of it is kept. */
function subscriberOf(
  { rest }: GatewayState,
  credentials: Credentials,
  address: string | undefined,
): Subscriber {
  const cache = rest.cache.credential(authorizationFor(credentials, 'bearer'));
  const session = { ...rest, credentials, bypassCache: true, storesLists: false };
  return {
    credential: cache.hash,
    createRest: (cancellation) => new RestSession({ ...session, cancellation, owner: cache.owner(address) }),
    dropCached: () => cache.invalidate(),
  };
}

/** When the caller's token expires, if an application is there to ask. */
async function expiryOf(rest: RestSession): Promise<number | undefined> {
  const { basic, own } = rest.options.credentials;
  if (basic === undefined && own === undefined) return undefined;
  try {
    const { expiresAt } = await introspectCaller(rest);
    return typeof expiresAt === 'string' ? Date.parse(expiresAt) : undefined;
  } catch {
    // A token that is refused is told by what it reads.
    return undefined;
  }
}
