import { Cancellation } from '../rest/cancellation.ts';
import { badInput } from '../rest/errors.ts';
import type { ChangeRequest, FeedOptions, Subscriber } from './change.ts';
import { Poller } from './poller.ts';
import { decodeFeedCursor, type Positions } from './position.ts';
import { ChangeStream, EXPIRING, STOPPING } from './stream.ts';
import { Reader } from './walk.ts';

/** A stream ends so long before its token does, or after half of what is left. */
const BEFORE_EXPIRY_MS = 30_000;

interface OpenOptions {
  /** Of the operation that opens it: a stream that nobody waits for is closed, open or not. */
  readonly cancellation: Cancellation;
  /** Takes memory for it, or gives some back. */
  readonly hold: (bytes: number) => void;
  /** When the token expires, if that is known. */
  readonly expiresAt: Promise<number | undefined>;
}

/** The streams of changes of a gateway, and the pollers behind them. */
export class ChangeFeeds {
  readonly #options: FeedOptions;
  readonly #live = new Map<string, Poller>();
  readonly #streams = new Set<ChangeStream>();
  /** Whether streams are being ended, so that none should be opened. */
  isEnding = false;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  /** Opens a stream. One that starts now is open once the present is known: nothing that changes later is missed. */
  async open(caller: Subscriber, request: ChangeRequest, options: OpenOptions): Promise<ChangeStream> {
    const { administrationId, kinds } = request;
    const stream = new ChangeStream(administrationId, this.#positionsOf(request), options.hold);
    this.#streams.add(stream);
    stream.closing.onAbort(() => this.#streams.delete(stream));
    options.cancellation.onAbort(() => stream.close());
    const starts = kinds.map(async ({ source, fields }) => {
      const feed = { ...this.#options, caller, administrationId, source, over: new Cancellation() };
      const poller = new Poller(feed, this.#live);
      await poller.start(new Reader(stream, source, fields));
      return poller;
    });
    try {
      const pollers = await Promise.all(starts);
      // What was cached may be older than the present that the stream starts with.
      await caller.dropCached();
      // Not before all know where they start: a cursor has the positions of all kinds.
      for (const poller of pollers) void poller.run();
    } catch (error) {
      stream.close();
      throw error;
    }
    void options.expiresAt.then((moment) => {
      if (moment === undefined) return;
      const left = Math.max(0, moment - Date.now());
      stream.endAfter(Math.max(left / 2, left - BEFORE_EXPIRY_MS), EXPIRING);
    });
    return stream;
  }

  /** Ends all streams, spread over so many milliseconds: their readers come back, and not all at once. */
  end(spreadMs: number): void {
    this.isEnding = true;
    const streams = [...this.#streams];
    for (const [index, stream] of streams.entries())
      stream.endAfter((spreadMs * index) / streams.length, STOPPING);
  }

  #positionsOf({ administrationId, kinds, since, after }: ChangeRequest): Positions {
    const names = kinds.map(({ source }) => source.kind);
    if (after !== undefined) return decodeFeedCursor(after, administrationId, names);
    if (since === undefined) return new Map();
    const { lookbackMs, cacheTtlMs } = this.#options;
    const moment = Date.parse(since);
    if (moment > Date.now() + Math.max(lookbackMs, 60_000))
      throw badInput('`since` is in the future. Leave it out to start now.');
    // Who has just read a list, and now asks for what changed since, may have been shown what was cached.
    const mark = Math.max(0, moment - lookbackMs - cacheTtlMs);
    return new Map(names.map((kind) => [kind, { mark }]));
  }
}
