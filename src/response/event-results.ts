import type { ExecutionResult } from 'graphql';
import { ChangeStream } from '../changes/stream.ts';
import type { StreamState } from '../request/context.ts';

export interface ExecutedEvents {
  readonly results: readonly ExecutionResult[];
  /** Called when the last of them has been sent, or never will be: until then they hold memory. */
  end(): void;
}

type ExecuteEvents = (events: readonly unknown[]) => Promise<ExecutedEvents>;

/** Not a generator, since one that waits for an event cannot be ended: its `return` would wait too. */
export class EventResults implements AsyncIterableIterator<ExecutionResult, void>, StreamState {
  readonly #events: AsyncIterator<unknown>;
  readonly #stream: ChangeStream | undefined;
  readonly #execute: ExecuteEvents;
  readonly #maxBatch: number;
  #endBatch: (() => void) | undefined;
  #ready: { readonly result: ExecutionResult; readonly cursor: string | undefined }[] = [];
  #isOver = false;
  cursor: string | undefined;
  #isExecuting = false;

  /** `maxBatch` events are executed together, if they are there together. */
  constructor(events: AsyncIterable<unknown>, maxBatch: number, execute: ExecuteEvents) {
    this.#events = events[Symbol.asyncIterator]();
    // A plugin may give other events in their place.
    this.#stream = events instanceof ChangeStream ? events : undefined;
    this.#execute = execute;
    this.#maxBatch = maxBatch;
    this.cursor = this.#stream?.cursor;
  }

  get position(): string | undefined {
    const isBehind = this.#isExecuting || this.#ready.length > 0;
    return isBehind ? this.cursor : (this.#stream?.cursor ?? this.cursor);
  }

  async next(): Promise<IteratorResult<ExecutionResult, void>> {
    if (this.#ready.length === 0 && !this.#isOver) await this.#readOn();
    const next = this.#isOver ? undefined : this.#ready.shift();
    if (next === undefined) return this.return();
    this.cursor = next.cursor;
    return { done: false, value: next.result };
  }

  async return(): Promise<IteratorReturnResult<void>> {
    this.#isOver = true;
    this.#ready = [];
    this.#endSent();
    await this.#events.return?.();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #endSent(): void {
    this.#endBatch?.();
    this.#endBatch = undefined;
  }

  async #readOn(): Promise<void> {
    this.#endSent();
    const { value, done } = await this.#events.next();
    if (done) return;
    this.#isExecuting = true;
    const stream = this.#stream;
    const events: unknown[] = [value];
    const cursors = [stream?.cursor];
    while (events.length < this.#maxBatch) {
      const more = stream?.takeNow();
      if (more === undefined) break;
      events.push(more);
      cursors.push(stream?.cursor);
    }
    try {
      const { results, end } = await this.#execute(events);
      this.#isExecuting = false;
      this.#endBatch = end;
      // It may have ended meanwhile.
      if (this.#isOver) this.#endSent();
      else this.#ready = results.map((result, index) => ({ result, cursor: cursors[index] }));
    } catch (error) {
      // These events were not told: nothing may come behind them.
      await this.return();
      throw error;
    }
  }
}
