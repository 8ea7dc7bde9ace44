import { compositeKey } from '../composite-key.ts';
import type { Cancellation } from '../rest/cancellation.ts';
import { badInput, RestError } from '../rest/errors.ts';
import {
  type ChangeRequest,
  type ChangeSource,
  type FeedOptions,
  StreamFault,
  type Subscriber,
} from './change.ts';
import { EXPIRING, STOPPING } from './endings.ts';
import { Follower } from './follower.ts';
import { Poller } from './poller.ts';
import { decodeFeedCursor, type FeedPosition, ServiceClock, withinCalendar } from './position.ts';
import { ChangeStream, type Ending } from './stream.ts';

/** A stream ends so long before its token does, or after half of what is left. */
const BEFORE_EXPIRY_MS = 30_000;

/** Longer timers would fire at once. */
const MAX_TIMER_MS = 2_147_483_647;

interface OpenOptions {
  /** Of the operation that opens it: a stream that nobody waits for is closed, open or not. */
  readonly cancellation: Cancellation;
  /** Counts bytes that wait for their reader. */
  readonly hold: (bytes: number) => void;
  /** When the token expires, if that is known. */
  readonly expiresAt: Promise<number | undefined>;
}

/** The streams of changes of a gateway, and the pollers behind them. */
export class ChangeFeeds {
  readonly #options: FeedOptions;
  readonly #clock = new ServiceClock();
  readonly #pollers = new Map<string, Poller>();
  /** Each with the timer that will end it, if there is one, and when. */
  readonly #streams = new Map<ChangeStream, { readonly at: number; readonly timer?: NodeJS.Timeout }>();
  /** Whether streams are being ended, so that none should be opened. */
  isEnding = false;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  /** Opens a stream. One that starts now is open once the present is known: nothing that changes later is missed. */
  async open(caller: Subscriber, request: ChangeRequest, options: OpenOptions): Promise<ChangeStream> {
    const { administrationId, kinds } = request;
    const positions = this.#positionsOf(request);
    const stream = new ChangeStream({
      administrationId,
      hold: options.hold,
      onClose: () => {
        clearTimeout(this.#streams.get(stream)?.timer);
        this.#streams.delete(stream);
        for (const { poller, follower } of followed) {
          poller.remove(follower);
          follower.leave();
        }
      },
    });
    this.#streams.set(stream, { at: Number.POSITIVE_INFINITY });
    const followed = kinds.map((kind) => ({
      poller: this.#pollerOf(caller, administrationId, kind.source),
      follower: new Follower(stream, kind, positions?.get(kind.source.kind)),
    }));
    for (const { poller, follower } of followed) poller.add(follower);
    options.cancellation.onAbort(() => void stream.return());
    try {
      // What was cached may be older than the present that the stream starts with.
      if (!positions) await Promise.all(followed.map(({ follower }) => follower.started));
      await caller.dropCached();
      void options.expiresAt.then((moment) => {
        if (moment !== undefined) this.#endIn(untilExpiry(moment), stream, EXPIRING);
      });
      return stream;
    } catch (error) {
      // It may have been ended before it was open; a notice that one of its kinds goes on is no reason.
      let ending: StreamFault | undefined;
      for (let next = stream.takeNow(); next !== undefined; next = stream.takeNow())
        if (next instanceof StreamFault && next.ends) ending = next;
      await stream.return();
      throw ending ? withoutCursor(ending) : error;
    }
  }

  /** Ends all streams, spread over so many milliseconds: their readers come back, and not all at once. */
  end(spreadMs: number): void {
    this.isEnding = true;
    const streams = [...this.#streams.keys()];
    for (const [index, stream] of streams.entries())
      this.#endIn((spreadMs * index) / streams.length, stream, STOPPING);
  }

  /** Unless it has ended, or will end earlier for another reason. */
  #endIn(milliseconds: number, stream: ChangeStream, ending: Ending): void {
    if (milliseconds === 0) stream.end(ending);
    const planned = this.#streams.get(stream);
    const at = performance.now() + milliseconds;
    if (planned === undefined || planned.at <= at) return;
    clearTimeout(planned.timer);
    this.#streams.set(stream, { at, timer: setTimeout(() => stream.end(ending), milliseconds).unref() });
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
    const position: FeedPosition = { mark: withinCalendar(moment - lookbackMs - cacheTtlMs) };
    return new Map(names.map((kind) => [kind, position]));
  }

  #pollerOf(caller: Subscriber, administrationId: string, source: ChangeSource): Poller {
    const key = compositeKey(caller.credential, administrationId, source.kind);
    const known = this.#pollers.get(key);
    if (known) return known;
    const poller = new Poller({
      ...this.#options,
      caller,
      administrationId,
      source,
      clock: this.#clock,
      onIdle: () => {
        if (this.#pollers.get(key) === poller) this.#pollers.delete(key);
      },
    });
    this.#pollers.set(key, poller);
    return poller;
  }
}

/** Why a stream ended before it was open. Some of its kinds may have no position yet, so that it has no cursor. */
function withoutCursor({ code, message }: StreamFault): RestError {
  return new RestError(code, message.replace(/,?( and)? with `after: <cursor>`/, ''));
}

function untilExpiry(expiresAt: number): number {
  const left = Math.max(0, expiresAt - Date.now());
  return Math.min(Math.max(left / 2, left - BEFORE_EXPIRY_MS), MAX_TIMER_MS);
}
