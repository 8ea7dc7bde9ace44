import type { ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { EventStreamParser } from '../../src/http/server-sent-events.ts';
import { ADMINISTRATION } from '../support/gateway.ts';

export const SUBSCRIPTION = `subscription Live { changes(administrationId: "${ADMINISTRATION}") { cursor eventId } }`;
export const SSE = { accept: 'text/event-stream' };
export const PARTS = { accept: 'multipart/mixed;boundary=graphql;subscriptionSpec=1.0' };

export function event(number: number, text = ''): ExecutionResult {
  return { data: { changes: { cursor: `c${number}`, eventId: `e${number}${text}` } } };
}

/** One subscription of a test, which says what comes. */
export class Feed implements AsyncIterableIterator<ExecutionResult> {
  returned = 0;
  asked = 0;
  readonly #items: (() => IteratorResult<ExecutionResult>)[] = [];
  #waiting: (() => void) | undefined;

  tell(...results: readonly ExecutionResult[]): this {
    return this.#add(...results.map((value) => () => ({ done: false, value })));
  }

  fail(error: unknown): this {
    return this.#add(() => {
      throw error;
    });
  }

  end(): this {
    return this.#add(() => ({ done: true, value: undefined }));
  }

  async next(): Promise<IteratorResult<ExecutionResult>> {
    this.asked += 1;
    if (this.#items.length === 0)
      await new Promise<void>((resolve) => {
        this.#waiting = resolve;
      });
    return this.#items.shift()?.() ?? { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<ExecutionResult>> {
    this.returned += 1;
    this.#waiting?.();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #add(...items: readonly (() => IteratorResult<ExecutionResult>)[]): this {
    this.#items.push(...items);
    this.#waiting?.();
    return this;
  }
}

/** A plugin that answers each subscription by what is given for it. */
export function useFeed(open: () => AsyncIterable<ExecutionResult> | ExecutionResult): Plugin {
  return {
    onSubscribe({ setSubscribeFn }) {
      setSubscribeFn(async () => open());
    },
  };
}

export interface SentEvent {
  readonly event: string;
  readonly id?: string;
  readonly data: unknown;
}

/** The events that stand in the text of a stream, without its comments. */
export function eventsIn(text: string): SentEvent[] {
  return new EventStreamParser()
    .take(Buffer.from(text))
    .flatMap(({ event, data, ...rest }) =>
      event ? [{ ...rest, event, data: data && JSON.parse(data) }] : [],
    );
}

/** The events of a text that grows: each is parsed once. */
export class GrowingEvents {
  readonly #events: SentEvent[] = [];
  #length = 0;

  in(text: string): readonly SentEvent[] {
    const end = text.lastIndexOf('\n\n') + 2;
    if (end > this.#length) {
      this.#events.push(...eventsIn(text.slice(this.#length, end)));
      this.#length = end;
    }
    return this.#events;
  }
}

export function partsIn(text: string): unknown[] {
  const [, ...parts] = text.split('\r\n--graphql');
  return parts.map((part) => part.split('\r\n\r\n')[1]).flatMap((json) => (json ? [JSON.parse(json)] : []));
}

export class StreamReader {
  text = '';
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  readonly #decoder = new TextDecoder();

  constructor(response: Response) {
    this.#reader = response.body?.getReader();
  }

  async until(expected: string | RegExp | ((text: string) => boolean)): Promise<string> {
    const isThere = () => {
      if (typeof expected === 'function') return expected(this.text);
      return typeof expected === 'string' ? this.text.includes(expected) : expected.test(this.text);
    };
    while (!isThere()) {
      const chunk = await this.#reader?.read();
      if (!chunk || chunk.done) break;
      this.text += this.#decoder.decode(chunk.value, { stream: true });
    }
    return this.text;
  }

  toEnd(): Promise<string> {
    return this.until(/(?!)/);
  }

  cancel(): Promise<void> | undefined {
    return this.#reader?.cancel();
  }
}
