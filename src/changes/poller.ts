import { jittered } from '../limits/jitter.ts';
import type { Holding } from '../limits/shared-budget.ts';
import { isSliceOver, nextSlice } from '../limits/time-slice.ts';
import { Cancellation } from '../rest/cancellation.ts';
import { asError, RestError } from '../rest/errors.ts';
import type { Fields } from '../rest/fields.ts';
import type { Subscriber } from './change.ts';
import { EVICTED, expired, retryDelay } from './endings.ts';
import { type Follower, SentContents } from './follower.ts';
import { nextMark } from './position.ts';
import { type WalkOptions, walkChanges } from './walk-changes.ts';

/** How long a page waits for the slowest of several readers: one that is ended goes on alone, at its own pace. */
const PATIENCE_MS = 2_000;

/** A first walk starts this much earlier: the service tells its time in whole seconds, and later than it was. */
const CLOCK_GRAIN_MS = 2_000;

/** A first walk that went back this much further than it had to, since clocks differ, is begun anew. */
const CLOCK_TOLERANCE_MS = 60_000;

interface PollerOptions extends WalkOptions {
  readonly onIdle: () => void;
}

/**
 * Reads the changes of one kind in one administration for all streams of one credential: again and again from a mark,
 * which moves on only behind a complete walk. A follower that starts now joins the others at once. One that starts in
 * the past walks alone until it is not behind them; then it is ready, and joins them at their next walk.
 */
export class Poller {
  readonly #options: PollerOptions;
  /** Those that walk together, from the mark; by their selections. */
  readonly #channels = new Map<string, Channel>();
  /** Those that walk alone, each at the pace of its reader: others must not wait for it. */
  readonly #alone = new Set<Follower>();
  /** Those that are no longer behind, until the next walk of the others. */
  readonly #ready = new Set<Follower>();
  /** Of the walk that is under way. */
  #walk = new Cancellation();
  /** Where walks together start; undefined before the first. */
  #mark: number | undefined;
  #failures = 0;
  /** When the next walk is due behind one that failed. */
  #dueAt = 0;
  /** Set while the service has asked to be left alone. */
  #asked: (Pick<RestError, 'code' | 'message' | 'upstream'> & { readonly until: number }) | undefined;
  #isRunning = false;
  /** Ends the pause between two walks. */
  #wake = new Cancellation();

  constructor(options: PollerOptions) {
    this.#options = options;
  }

  add(follower: Follower): void {
    // Another kind may have ended the stream already.
    if (follower.isGone) return;
    const askedMs = this.#asked ? this.#asked.until - performance.now() : 0;
    if (this.#asked && askedMs > 0) {
      // It is told so, and waits as the others do.
      const { code, message, upstream } = this.#asked;
      const retryAfter = Math.ceil(askedMs / 1_000);
      follower.failWalk(new RestError(code, message, { upstream, retryAfter }), askedMs);
      // Nobody has seen a stream that has not started.
      if (follower.position) void this.#walkAlone(follower, askedMs);
    } else if (follower.position) void this.#walkAlone(follower);
    else {
      this.#join(follower);
      this.#wake.abort('closed');
      void this.#run();
    }
  }

  remove(follower: Follower): void {
    this.#alone.delete(follower);
    this.#ready.delete(follower);
    const channel = this.#channels.get(follower.selection);
    if (channel?.followers.delete(follower) && channel.followers.size === 0) {
      channel.holding.release();
      this.#channels.delete(follower.selection);
    }
    if (this.#channels.size > 0) return;
    this.#mark = undefined;
    this.#walk.abort('closed');
    if (this.#alone.size > 0 || this.#ready.size > 0) return;
    this.#wake.abort('closed');
    this.#options.onIdle();
  }

  #join(follower: Follower): void {
    const { selection, fields } = follower;
    const channel = this.#channels.get(selection) ?? new Channel(fields, this.#options.caller);
    channel.followers.add(follower);
    this.#channels.set(selection, channel);
  }

  /** Walks together, while there is somebody to walk for. */
  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    let waitMs = this.#interval();
    while (this.#channels.size > 0 || this.#ready.size > 0) {
      await this.#wake.pause(waitMs, { ref: false });
      this.#wake = new Cancellation();
      waitMs = await this.#attempt();
    }
    this.#isRunning = false;
  }

  /** Returns how long to wait for the next walk. */
  async #attempt(): Promise<number> {
    this.#takeIn();
    const audiences = Array.from(this.#channels.values(), (channel) => channel.audience());
    const isEarly = performance.now() < this.#dueAt;
    try {
      if (audiences.length > 0) await this.#walkTogether(audiences);
      this.#failures = 0;
      this.#dueAt = 0;
      return this.#interval();
    } catch (error) {
      if (!isEarly) {
        this.#failures += 1;
        this.#dueAt = performance.now() + this.#pauseAfter(error, this.#failures);
      }
      const waitMs = Math.max(0, this.#dueAt - performance.now());
      const followers = audiences.flatMap((audience) => audience.followers);
      // Who starts now made it try early: that is no failure of the others, who wait no longer for it.
      const failed = isEarly ? followers.filter(({ position }) => !position) : followers;
      for (const follower of failed) this.#fail(follower, asError(error), waitMs);
      return waitMs;
    }
  }

  /**
   * Whoever is not behind the mark can walk with the others: what it does not know yet has changed since, and walks from
   * the mark will show it. The others may have walked on since it was ready.
   */
  #takeIn(): void {
    const ready = [...this.#ready];
    this.#ready.clear();
    for (const follower of ready) {
      if (this.#isBehind(follower)) void this.#walkAlone(follower, this.#interval());
      else this.#join(follower);
    }
    const marks = [...this.#channels.values()]
      .flatMap(({ followers }) => [...followers])
      .flatMap(({ position }) => (position ? [position.mark] : []));
    if (marks.length > 0) this.#mark ??= Math.min(...marks);
  }

  async #walkTogether(audiences: readonly ReturnType<Channel['audience']>[]): Promise<void> {
    const { lookbackMs, caller } = this.#options;
    const isFirst = this.#mark === undefined;
    let mark = this.#mark ?? this.#guessedMark();
    const isFit = (start: number) => {
      const tooFar = start - lookbackMs - mark;
      return !isFirst || (tooFar >= 0 && tooFar < CLOCK_TOLERANCE_MS);
    };
    this.#walk = new Cancellation();
    const how = { cancellation: this.#walk, patienceMs: PATIENCE_MS };
    let { start, walk } = await walkChanges(this.#options, { mark }, audiences, how, isFit);
    if (!isFit(start)) {
      mark = start - lookbackMs;
      ({ start, walk } = await walkChanges(this.#options, { mark }, audiences, how));
    }
    const next = nextMark(mark, start, lookbackMs);
    if (this.#channels.size > 0) this.#mark = next;
    for (const { sent, followers } of audiences) {
      sent.keepSeenBy(walk);
      sent.count();
      for (const follower of followers) {
        if (isSliceOver()) await nextSlice(caller.credential);
        if (follower.isGone) continue;
        follower.sent?.keepSeenBy(walk);
        // A content that it alone was sent may come back, and must not have the same name then.
        if (follower.sent && sent.knows(follower.sent)) follower.shareSent();
        follower.completeWalk(next, nextMark(follower.mark, start, lookbackMs));
      }
    }
  }

  /** Walks again and again, after a while, until it is complete and not behind the others. */
  async #walkAlone(follower: Follower, firstWaitMs = 0): Promise<void> {
    this.#alone.add(follower);
    let waitMs = firstWaitMs;
    let failures = 0;
    do {
      if (waitMs > 0) await follower.cancellation.pause(waitMs, { ref: false });
      if (follower.isGone) return;
      try {
        await this.#walkOnce(follower);
        failures = 0;
        waitMs = this.#interval();
      } catch (error) {
        failures += 1;
        waitMs = this.#pauseAfter(error, failures);
        this.#fail(follower, asError(error), waitMs);
      }
    } while (failures > 0 || this.#isBehind(follower));
    if (!this.#alone.delete(follower)) return;
    this.#ready.add(follower);
    void this.#run();
  }

  async #walkOnce(follower: Follower): Promise<void> {
    const { position, fields, stream, cancellation } = follower;
    if (position === undefined) throw new TypeError('a stream without a position');
    const { source, clock, lookbackMs } = this.#options;
    const { retentionMs = Number.POSITIVE_INFINITY } = source;
    if (clock.now() - position.mark > retentionMs) return stream.end(expired(source));
    const audiences = [{ fields, followers: [follower] }];
    const how = { cancellation, patienceMs: Number.POSITIVE_INFINITY };
    const { start, walk } = await walkChanges(this.#options, position, audiences, how);
    // A walk that was resumed has not seen what came before.
    if (position.walk === undefined) follower.sent?.keepSeenBy(walk);
    follower.completeWalk(nextMark(position.mark, start, lookbackMs));
  }

  #fail(follower: Follower, error: Error, waitMs: number): void {
    if (error instanceof RestError && error.retryAfter !== undefined) {
      const { code, message, upstream } = error;
      // Not the error itself, which would hold whom it was made for.
      this.#asked = { code, message, upstream, until: performance.now() + waitMs };
    }
    if (follower.isGone) return;
    const isStarted = follower.position !== undefined;
    follower.failWalk(error, waitMs);
    if (!isStarted) this.remove(follower);
  }

  /** Without others, near the present is far enough: what walks together read is remembered. */
  #isBehind({ position }: Follower): boolean {
    const { lookbackMs, pollMs } = this.#options;
    const mark = this.#mark ?? this.#guessedMark() - lookbackMs - 2 * pollMs;
    return position !== undefined && position.mark < mark;
  }

  #guessedMark(): number {
    const { clock, lookbackMs } = this.#options;
    return clock.now() - lookbackMs - CLOCK_GRAIN_MS;
  }

  #interval(): number {
    return Math.round(jittered(this.#options.pollMs, 0.9, 1.1));
  }

  /** Never shorter than the service has asked for. */
  #pauseAfter(error: unknown, failures: number): number {
    return Math.round(jittered(retryDelay(error, this.#options.pollMs, failures), 1, 1.2));
  }
}

/** Followers that walk together with the same selection, and what all of them were sent. */
class Channel {
  readonly fields: Fields;
  readonly followers = new Set<Follower>();
  readonly holding: Holding;
  readonly sent = new SentContents((bytes) => this.holding.add(bytes));

  constructor(fields: Fields, caller: Subscriber) {
    this.fields = fields;
    this.holding = caller.hold(() => {
      for (const { stream } of this.followers) stream.end(EVICTED);
    });
  }

  /** Those that are there now. */
  audience() {
    const { fields, sent, followers } = this;
    return { fields, sent, followers: [...followers] };
  }
}
