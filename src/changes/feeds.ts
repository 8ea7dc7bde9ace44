import { Cancellation } from '../rest/cancellation.ts';
import { badInput } from '../rest/errors.ts';
import type { RestSession } from '../rest/session.ts';
import type { ChangeRequest, ChangeSource, Subscriber } from './change.ts';
import { Poller } from './poller.ts';
import { decodeFeedCursor, type Positions } from './position.ts';
import { ChangeReader, type PollTarget } from './scan.ts';
import { ChangeStream, EXPIRING, STOPPING } from './stream.ts';

/** A stream ends so long before its token does, or after half of what is left. */
const BEFORE_EXPIRY_MS = 30_000;

/** `cacheTtlMs`: how old the answer of a query may be. */
type FeedOptions = Pick<PollTarget, 'pollMs' | 'lookbackMs'> & { readonly cacheTtlMs: number };

/** The streams of changes of a gateway, and the pollers behind them. */
export class ChangeFeeds {
  readonly #sharedPollers = new Map<string, Poller>();
  readonly #streams = new Set<ChangeStream>();
  /** Whether streams are being ended, so that none should be opened. */
  isEnding = false;

  constructor(private readonly options: FeedOptions) {}

  /**
   * Opens a stream, once the service has accepted its credential. One that starts now is open once the present is known:
   * nothing that changes later is missed. It is closed, open or not, with the operation whose session is given, and ends
   * before the token expires, if it is known when.
   */
  async open(
    caller: Subscriber,
    request: ChangeRequest,
    { cancellation, retainBytes, options }: RestSession,
    expiresAt: Promise<number | undefined>,
  ): Promise<ChangeStream> {
    const { administrationId, kinds } = request;
    const sources = kinds.map(({ source }) => source);
    const positions = this.#getPositions(request, sources);
    const stream = new ChangeStream(administrationId, sources, positions, retainBytes, options.onAccepted);
    this.#streams.add(stream);
    stream.closing.onAbort(() => this.#streams.delete(stream));
    cancellation.onAbort(() => stream.close());
    const starts = kinds.map(({ source, fields }) => {
      const target = { ...this.options, caller, administrationId, source, stopped: new Cancellation() };
      return new Poller(target, this.#sharedPollers).start(new ChangeReader(stream, source, fields));
    });
    const pollers = await Promise.all(starts);
    // Not before all know where they start: a cursor has the positions of all kinds.
    for (const poller of pollers) void poller.run();
    await stream.untilRead();
    // What was cached may be older than the present that the stream starts with. Calls in flight are joined before.
    await caller.dropCached();
    void expiresAt.then((moment) => {
      const left = (moment ?? 0) - Date.now();
      // Clocks differ: the service, which has just accepted the token, says itself when it has expired.
      if (left > 0) stream.endAfter(Math.max(left / 2, left - BEFORE_EXPIRY_MS), EXPIRING);
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

  #getPositions(
    { administrationId, since, after }: ChangeRequest,
    sources: readonly ChangeSource[],
  ): Positions {
    if (after !== undefined) return decodeFeedCursor(after, administrationId, sources);
    if (since === undefined) return new Map();
    const { lookbackMs, cacheTtlMs } = this.options;
    const moment = Date.parse(since);
    if (moment > Date.now() + Math.max(lookbackMs, 60_000))
      throw badInput('`since` is in the future. Leave it out to start now.');
    // Who has just read a list, and now asks for what changed since, may have been shown what was cached.
    const watermark = Math.max(0, moment - lookbackMs - cacheTtlMs);
    return new Map(sources.map(({ cursorKey }) => [cursorKey, { watermark }]));
  }
}
