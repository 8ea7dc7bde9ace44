import type { ExecutionResult } from 'graphql';
import { ChangeStream } from '../changes/stream.ts';
import { AnswerSize } from '../execution/answer-size.ts';
import { execute } from '../execution/execute.ts';
import type { PlannedOperation } from '../execution/operation.ts';
import { inTurn } from '../limits/turns.ts';
import type { GatewayContext } from '../request/context.ts';
import { isObject } from '../rest/json.ts';
import type { GatewayState } from './gateway-state.ts';
import { startPart } from './sessions.ts';

/** How many events are executed together, so that their lookups share batches. */
const MAX_EVENTS_AT_ONCE = 100;
/** An event is written in one go, to each of many streams. */
const MAX_EVENT_BYTES = 2_000_000;

/** The results of events, which are executed as they are taken, and how far they have come. */
export function eventResults(
  events: AsyncIterable<unknown>,
  planned: PlannedOperation,
  context: GatewayContext,
  state: GatewayState,
) {
  const { maxCalls, maxValues } = state;
  // One that is too large is told as an error in its place, and the stream goes on.
  const limits = { maxValues, maxBytes: Math.min(state.maxResponseBytes, MAX_EVENT_BYTES) };
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
      await inTurn(() => {});
      const part = startPart(state, context, { maxCalls: maxCalls * batch.length });
      const executed = batch.map(async ({ event, cursor }) => {
        const source = isObject(event) ? event : {};
        return { result: await execute(planned, part.context, new AnswerSize(limits), { source }), cursor };
      });
      try {
        for (const [index, told] of (await Promise.all(executed)).entries()) {
          cursor = told.cursor;
          isBehind = index < batch.length - 1;
          yield told.result;
        }
      } finally {
        // The last of them has been sent, or never will be: until then they hold memory.
        part.end();
      }
    }
  }

  const results = run();
  return {
    get cursor() {
      return cursor;
    },
    get position() {
      return isBehind ? cursor : (stream?.cursor ?? cursor);
    },
    next: () => results.next(),
    // A generator that waits for an event does not end before it.
    async return() {
      await iterator.return?.();
      return results.return();
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
