import type { ExecutionResult } from 'graphql';
import { ChangeStream } from '../changes/stream.ts';

/** How many events are executed together, so that their lookups share batches. */
const MAX_EVENTS_AT_ONCE = 100;

export interface ExecutedEvents {
  readonly results: readonly ExecutionResult[];
  /** Called when the last of them has been sent, or never will be: until then they hold memory. */
  end(): void;
}

/** The results of events, which are executed as they are taken, and how far they have come. */
export function eventResults(
  events: AsyncIterable<unknown>,
  execute: (events: readonly unknown[]) => Promise<ExecutedEvents>,
) {
  const iterator = events[Symbol.asyncIterator]();
  // A plugin may give other events in their place.
  const stream = events instanceof ChangeStream ? events : undefined;
  let cursor = stream?.cursor;
  let isBehind = false;

  async function* run(): AsyncGenerator<ExecutionResult, void> {
    try {
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
        isBehind = true;
        const batch: unknown[] = [next.value];
        const cursors = [stream?.cursor];
        for (;;) {
          const more = batch.length < MAX_EVENTS_AT_ONCE ? stream?.takeNow() : undefined;
          if (more === undefined) break;
          batch.push(more);
          cursors.push(stream?.cursor);
        }
        const { results, end } = await execute(batch);
        try {
          for (const [index, result] of results.entries()) {
            cursor = cursors[index];
            isBehind = index < results.length - 1;
            yield result;
          }
        } finally {
          end();
        }
      }
    } finally {
      // Events that could not be executed were not told: nothing may come behind them.
      await iterator.return?.();
    }
  }

  const results = run();
  return {
    /** Behind the result that was taken last. */
    get cursor() {
      return cursor;
    },
    /** The same, or further on if it is known that nothing came since. */
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
