import type { ExecutionArgs, ExecutionResult } from 'graphql';
import type { OpenChanges, Subscriber } from '../changes/change.ts';
import { ChangeStream } from '../changes/stream.ts';
import { yieldToEventLoop } from '../event-loop.ts';
import { execute, openEvents } from '../execution/execute.ts';
import { type PlannedOperation, planOperation } from '../execution/operation.ts';
import { ResultSize } from '../execution/result-size.ts';
import { RequestError } from '../http/errors.ts';
import type { OperationContext } from '../request/context.ts';
import { isObject } from '../rest/json.ts';
import { introspectCaller } from '../rest/oauth.ts';
import { RestSession } from '../rest/session.ts';
import type { GatewayState } from './gateway-state.ts';

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
/** An event is written in one go, to each of many streams. */
const MAX_EVENT_BYTES = 2_000_000;

/** Executes a subscription: its events come from the feeds of changes, and its plan is executed for each. */
export async function subscribe(
  args: ExecutionArgs,
  context: OperationContext,
  { feeds }: GatewayState,
): Promise<AsyncIterable<ExecutionResult> | ExecutionResult> {
  const { operation, exchange } = context;
  const { reads, cancellation } = operation;
  const { rest } = reads;
  // `EventSource` sends an empty one if it knows none.
  const lastEventId = exchange.headers['last-event-id']?.toString() || undefined;
  const planned = afterLastEvent(planOperation(args), lastEventId);
  if (feeds.isEnding) throw STOPPING;
  await exchange.admission.acquireSlots('subscriptions');
  // Read with the caller's credential, apart from the operation that has opened them.
  const changes: OpenChanges = (request) =>
    feeds.open(subscriberOf(rest, exchange.admission.address), request, rest, expiryOf(rest));
  const opening = { ...context, reads: { ...reads, changes } };
  // If it is aborted meanwhile, what opens later closes by itself.
  const events = await cancellation.limit(openEvents(planned, opening, operation.size));
  if (!(Symbol.asyncIterator in events)) {
    // It may have been ended before it was open.
    if (feeds.isEnding) throw STOPPING;
    return events;
  }
  operation.memory.add(STREAM_BYTES + planned.root.bytes);
  // There may have been no room for that.
  if (cancellation.isAborted) throw cancellation.error();
  return eventResults(events, planned, context);
}

/** The results of events, which are executed as they are taken; their progress tells how far they have come. */
function eventResults(
  events: AsyncIterable<unknown>,
  planned: PlannedOperation,
  context: OperationContext,
): AsyncIterable<ExecutionResult> {
  const { operation, exchange } = context;
  const { maxCalls } = operation.limits;
  const { maxValues, maxResponseBytes } = exchange.shared;
  // One that is too large is told as an error in its place, and the stream goes on.
  const limits = { maxValues, maxBytes: Math.min(maxResponseBytes, MAX_EVENT_BYTES) };
  const iterator = events[Symbol.asyncIterator]();
  // A plugin may give other events in their place.
  const stream = events instanceof ChangeStream ? events : undefined;
  let cursor = stream?.cursor;
  let isBehind = false;

  async function* run(): AsyncGenerator<ExecutionResult, void> {
    // Whatever ends this ends the events too: behind those that could not be executed, nothing may be told.
    for await (const first of { [Symbol.asyncIterator]: () => iterator }) {
      const batch = [{ event: first, cursor: stream?.cursor }];
      while (batch.length < MAX_EVENTS_AT_ONCE) {
        const event = stream?.takeNow();
        if (event === undefined) break;
        batch.push({ event, cursor: stream?.cursor });
      }
      isBehind = true;
      // One page of changes may be for hundreds of streams.
      await yieldToEventLoop();
      const { reads, end } = operation.startSubOperation({ maxCalls: maxCalls * batch.length });
      const ofBatch = { ...context, reads };
      const executed = batch.map(async ({ event, cursor }) => {
        const source = isObject(event) ? event : {};
        return { result: await execute(planned, ofBatch, new ResultSize(limits), { source }), cursor };
      });
      try {
        for (const [index, told] of (await Promise.all(executed)).entries()) {
          cursor = told.cursor;
          isBehind = index < batch.length - 1;
          yield told.result;
        }
      } finally {
        // The last of them has been sent, or never will be: until then they hold memory.
        end();
      }
    }
  }

  const progress = {
    get cursor() {
      return cursor;
    },
    get position() {
      return isBehind ? cursor : (stream?.cursor ?? cursor);
    },
  };
  operation.ran = { kind: 'events', progress };
  // A generator that waits for an event does not end before it.
  operation.cancellation.onAbort(() => void iterator.return?.());
  return run();
}

/** A client that comes back may send the cursor of the last event beside the operation that it sent first. */
function afterLastEvent(planned: PlannedOperation, lastEventId: string | undefined): PlannedOperation {
  const [plan] = planned.root.fields;
  if (plan === undefined || lastEventId === undefined) return planned;
  const { since: _since, ...args } = planned.getArguments(plan);
  return planned.withArguments(plan, { ...args, after: lastEventId });
}

/** Others who follow the same changes outlive the stream that was first, so that nothing else of it is kept. */
function subscriberOf(rest: RestSession, address: string | undefined): Subscriber {
  const { service, options } = rest;
  const cache = rest.credentialCache('bearer');
  const { credentials } = options;
  const ofFeed = { credentials, cache: { reads: false, cacheLists: false, joinsSince: 0 } };
  return {
    credential: cache.hash,
    createRest: (cancellation) =>
      new RestSession(service, { ...ofFeed, cancellation, limitKey: cache.limitKey(address) }),
    dropCached: () => cache.invalidate(),
  };
}

/** When the caller's token expires, if an application is there to ask. */
async function expiryOf(rest: RestSession): Promise<number | undefined> {
  const { basic, own } = rest.options.credentials;
  if (basic === undefined && own === undefined) return undefined;
  // A token that is refused is told by what it reads.
  const introspection = await introspectCaller(rest).catch(() => undefined);
  const expiresAt = introspection?.expiresAt;
  return typeof expiresAt === 'string' ? Date.parse(expiresAt) : undefined;
}
