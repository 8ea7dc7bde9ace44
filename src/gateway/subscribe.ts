import type { ExecutionArgs, ExecutionResult } from 'graphql';
import type { OpenChanges, Subscriber } from '../changes/change.ts';
import { ChangeStream } from '../changes/stream.ts';
import { yieldToEventLoop } from '../event-loop.ts';
import { createSourceEventStream, execute } from '../execution/execute.ts';
import { type PlannedOperation, planOperation } from '../execution/operation.ts';
import { ResultSize } from '../execution/result-size.ts';
import { RequestError } from '../http/errors.ts';
import type { OperationContext } from '../request/context.ts';
import type { GatewayState } from '../request/state.ts';
import { isObject } from '../rest/json.ts';
import { introspectCaller } from '../rest/oauth.ts';
import { RestSession } from '../rest/session.ts';

const STOPPING = new RequestError(
  503,
  'SERVER_STOPPING',
  'This gateway is stopping. Subscribe again to reach another replica.',
  { 'retry-after': '1', connection: 'close' },
);

/** The memory of an open stream, besides its document and its events. */
const STREAM_BYTES = 25_000;

/** Limits the events that are executed together, to share batches of lookups. */
const MAX_EVENTS_AT_ONCE = 100;
/** Writing an event blocks the event loop, once for each of many streams. */
const MAX_EVENT_BYTES = 2_000_000;

/** Subscribes to changes, and executes the plan of the subscription for each event. */
export async function runSubscription(
  args: ExecutionArgs,
  context: OperationContext,
  { streams }: GatewayState,
): Promise<AsyncIterable<ExecutionResult> | ExecutionResult> {
  const { operation, exchange } = context;
  const { dataSource, cancellation } = operation;
  const { session } = dataSource;
  // `EventSource` sends an empty header if it has no id yet.
  const lastEventId = exchange.headers['last-event-id']?.toString() || undefined;
  const planned = afterLastEvent(planOperation(args), lastEventId);
  if (streams.isEnding) throw STOPPING;
  await exchange.admission.acquireSlots('subscriptions');
  const changes: OpenChanges = (request) =>
    streams.open(createSubscriber(session, exchange.host.address), request, session, getTokenExpiry(session));
  const opening = { ...context, dataSource: { ...dataSource, changes } };
  // If the operation is aborted first, a stream that opens later closes by itself.
  const events = await cancellation.limit(createSourceEventStream(planned, opening, operation.size));
  if (!(Symbol.asyncIterator in events)) {
    // Stopping may have ended the stream before it was open.
    if (streams.isEnding) throw STOPPING;
    return events;
  }
  operation.memory.add(STREAM_BYTES + planned.root.bytes);
  // Adding to the memory may have aborted the operation.
  if (cancellation.isAborted) throw cancellation.error();
  return eventResults(events, planned, context);
}

/** Executes events as they are taken, and sets the progress of the operation. */
function eventResults(
  events: AsyncIterable<unknown>,
  planned: PlannedOperation,
  context: OperationContext,
): AsyncIterable<ExecutionResult> {
  const { operation, exchange } = context;
  const { maxCalls } = operation.limits;
  const { maxValues, maxResponseBytes } = exchange.state;
  // An event that is too large becomes an error, and the stream continues.
  const limits = { maxValues, maxBytes: Math.min(maxResponseBytes, MAX_EVENT_BYTES) };
  const iterator = events[Symbol.asyncIterator]();
  // A plugin may have replaced the events.
  const stream = events instanceof ChangeStream ? events : undefined;
  let cursor = stream?.cursor;
  let hasUnsent = false;

  async function* run(): AsyncGenerator<ExecutionResult, void> {
    // Leaving the loop also ends the events: after an event that failed, no later event may be sent.
    for await (const first of { [Symbol.asyncIterator]: () => iterator }) {
      const batch = [{ event: first, cursor: stream?.cursor }];
      while (batch.length < MAX_EVENTS_AT_ONCE) {
        const event = stream?.takeNow();
        if (event === undefined) break;
        batch.push({ event, cursor: stream?.cursor });
      }
      hasUnsent = true;
      // One page of changes may reach hundreds of streams.
      await yieldToEventLoop();
      const { dataSource, end } = operation.startSubOperation({ maxCalls: maxCalls * batch.length });
      const batchContext = { ...context, dataSource };
      const executed = batch.map(async ({ event, cursor }) => {
        const source = isObject(event) ? event : {};
        return { result: await execute(planned, batchContext, new ResultSize(limits), { source }), cursor };
      });
      try {
        for (const [index, sent] of (await Promise.all(executed)).entries()) {
          cursor = sent.cursor;
          hasUnsent = index < batch.length - 1;
          yield sent.result;
        }
      } finally {
        // The results hold memory until the last one has been sent.
        end();
      }
    }
  }

  const progress = {
    get cursor() {
      return cursor;
    },
    get position() {
      return hasUnsent ? cursor : (stream?.cursor ?? cursor);
    },
  };
  operation.runMode = { kind: 'events', progress };
  // A generator that waits for an event cannot be ended, so end the events.
  operation.cancellation.onAbort(() => void iterator.return?.());
  return run();
}

/** Applies `Last-Event-ID`: a client that reconnects sends this header with the original operation. */
function afterLastEvent(planned: PlannedOperation, lastEventId: string | undefined): PlannedOperation {
  const [plan] = planned.root.fields;
  if (plan === undefined || lastEventId === undefined) return planned;
  const { since: _since, ...args } = planned.getArguments(plan);
  return planned.withArguments(plan, { ...args, after: lastEventId });
}

/** Keeps only what polling needs: the poller may outlive the stream that started it. */
function createSubscriber(session: RestSession, address: string | undefined): Subscriber {
  const { service, options } = session;
  const cache = session.getCredentialCache('bearer');
  const { credentials } = options;
  const sessionOptions = { credentials, cache: { reads: false, cacheLists: false, joinsSince: 0 } };
  return {
    credential: cache.hash,
    createRest: (cancellation) =>
      new RestSession(service, { ...sessionOptions, cancellation, limitKey: cache.getLimitKey(address) }),
    invalidateCache: () => cache.invalidate(),
  };
}

/** Returns when the caller's token expires, if an application's credentials allow the gateway to introspect it. */
async function getTokenExpiry(session: RestSession): Promise<number | undefined> {
  const { basic, application } = session.options.credentials;
  if (basic === undefined && application === undefined) return undefined;
  // If the token is rejected, reading changes reports that.
  const introspection = await introspectCaller(session).catch(() => undefined);
  const expiresAt = introspection?.expiresAt;
  return typeof expiresAt === 'string' ? Date.parse(expiresAt) : undefined;
}
