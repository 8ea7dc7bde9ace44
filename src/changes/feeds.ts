import { Cancellation } from '../rest/cancellation.ts';
import { badInput } from '../rest/errors.ts';
import type { ChangeRequest, FeedOptions, Subscriber } from './change.ts';
import { Poller } from './poller.ts';
import { decodeFeedCursor } from './position.ts';
import { ChangeStream, EXPIRING, Reader, STOPPING } from './stream.ts';

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
    const { administrationId } = request;
    const positions = this.#positionsOf(request);
    const stream = new ChangeStream(administrationId, options.hold);
    this.#streams.add(stream);
    stream.closing.onAbort(() => this.#streams.delete(stream));
    options.cancellation.onAbort(() => void stream.return());
    try {
      await Promise.all(
        request.kinds.map((kind) => {
          const { source } = kind;
          const feed = { ...this.#options, caller, administrationId, source, over: new Cancellation() };
          return new Poller(feed, this.#live).start(new Reader(stream, kind, positions?.get(source.kind)));
        }),
      );
      // What was cached may be older than the present that the stream starts with.
      await caller.dropCached();
      void options.expiresAt.then((moment) => {
        if (moment !== undefined) stream.endAfter(untilExpiry(moment), EXPIRING);
      });
      return stream;
    } catch (error) {
      const { ending } = stream;
      await stream.return();
      // It may have been ended before it was open, by another of its kinds.
      throw ending ?? error;
    }
  }

  /** Ends all streams, spread over so many milliseconds: their readers come back, and not all at once. */
  end(spreadMs: number): void {
    this.isEnding = true;
    const streams = [...this.#streams];
    for (const [index, stream] of streams.entries())
      stream.endAfter((spreadMs * index) / streams.length, STOPPING);
  }

  #positionsOf({ administrationId, kinds, since, after }: ChangeRequest) {
    const names = kinds.map(({ source }) => source.kind);
    if (after !== undefined) return decodeFeedCursor(after, administrationId, names);
    if (since === undefined) return undefined;
    const { lookbackMs, cacheTtlMs } = this.#options;
    const moment = Date.parse(since);
    if (moment > Date.now() + Math.max(lookbackMs, 60_000))
      throw badInput('`since` is in the future. Leave it out to start now.');
    // Who has just read a list, and now asks for what changed since, may have been shown what was cached.
    const mark = Math.max(0, moment - lookbackMs - cacheTtlMs);
    return new Map(names.map((kind) => [kind, { mark }]));
  }
}

function untilExpiry(expiresAt: number): number {
  const left = Math.max(0, expiresAt - Date.now());
  return Math.max(left / 2, left - BEFORE_EXPIRY_MS);
}
