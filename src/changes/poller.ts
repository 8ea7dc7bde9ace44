import { isSliceOver, nextSlice } from '../limits/time-slice.ts';
import { Cancellation } from '../rest/cancellation.ts';
import { asError, RestError } from '../rest/errors.ts';
import { Channels } from './channels.ts';
import { EVICTED, expired, retryDelay } from './endings.ts';
import type { Follower } from './follower.ts';
import { nextMark } from './position.ts';
import { Walker, type WalkerOptions } from './walker.ts';

/** How long a page waits for the slowest of several readers. */
const PATIENCE_MS = 10_000;

/** A first walk starts this much earlier: the service tells its time in whole seconds, and later than it was. */
const CLOCK_GRAIN_MS = 2_000;

/** A first walk that went back this much further than it had to, since clocks differ, is begun anew. */
const CLOCK_TOLERANCE_MS = 60_000;

interface PollerOptions extends WalkerOptions {
  /** Called when nobody follows it any more. */
  readonly onIdle: () => void;
}

/**
 * Reads the changes of one kind in one administration for all streams of one credential: again and again from a mark,
 * which moves on only behind a complete walk.
 */
export class Poller {
  readonly #options: PollerOptions;
  readonly #walker: Walker;
  /** Those that walk together, from the mark. */
  readonly #followers = new Set<Follower>();
  #walk = new Cancellation();
  /** Those that walk alone, each at the pace of its reader: others must not wait for it. */
  readonly #alone = new Set<Follower>();
  /** Those that are no longer behind, until the next walk of the others. */
  readonly #ready = new Set<Follower>();
  readonly #channels: Channels;
  #mark: number | undefined;
  #failures = 0;
  /** When the next walk is due behind one that failed. */
  #dueAt = 0;
  /** Set while the service has asked to be left alone. */
  #asked: (Pick<RestError, 'code' | 'message' | 'upstream'> & { readonly until: number }) | undefined;
  #isRunning = false;
  #wake = new Cancellation();

  constructor(options: PollerOptions) {
    this.#options = options;
    this.#walker = new Walker(options);
    this.#channels = new Channels(options.caller, (selection) => {
      for (const follower of this.#followers)
        if (follower.selection === selection) follower.stream.end(EVICTED);
    });
  }

  add(follower: Follower): void {
    // Another kind may have ended the stream already.
    if (follower.isGone) return;
    const pause = this.#askedPause();
    if (pause) {
      const { error, waitMs } = pause;
      follower.failWalk(error, waitMs);
      // Nobody has seen a stream that has not started.
      if (follower.position) void this.#walkAlone(follower, waitMs);
      return;
    }
    if (follower.position) return void this.#walkAlone(follower);
    this.#followers.add(follower);
    this.#wake.abort('closed');
    void this.#run();
  }

  remove(follower: Follower): void {
    this.#alone.delete(follower);
    this.#ready.delete(follower);
    if (this.#followers.delete(follower)) this.#channels.keepThoseOf(this.#followers);
    if (this.#followers.size > 0) return;
    this.#mark = undefined;
    this.#walk.abort('closed');
    if (this.#alone.size > 0 || this.#ready.size > 0) return;
    this.#wake.abort('closed');
    this.#options.onIdle();
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    let waitMs = jittered(this.#options.pollMs);
    while (this.#followers.size > 0 || this.#ready.size > 0) {
      await this.#wake.pause(waitMs, { ref: false });
      this.#wake = new Cancellation();
      waitMs = await this.#attempt();
    }
    this.#isRunning = false;
  }

  /** Returns how long to wait for the next walk. */
  async #attempt(): Promise<number> {
    const { pollMs } = this.#options;
    this.#takeIn();
    const followers = [...this.#followers];
    const isEarly = performance.now() < this.#dueAt;
    try {
      if (followers.length > 0) await this.#walkTogether(followers);
      this.#failures = 0;
      this.#dueAt = 0;
      return jittered(pollMs);
    } catch (error) {
      if (!isEarly) {
        this.#failures += 1;
        this.#dueAt = performance.now() + laterThan(retryDelay(error, pollMs, this.#failures));
      }
      const waitMs = Math.max(0, this.#dueAt - performance.now());
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
      if (this.#isBehind(follower)) void this.#walkAlone(follower, jittered(this.#options.pollMs));
      else this.#followers.add(follower);
    }
    const marks = [...this.#followers].flatMap(({ position }) => (position ? [position.mark] : []));
    if (marks.length > 0) this.#mark ??= Math.min(...marks);
  }

  async #walkTogether(followers: readonly Follower[]): Promise<void> {
    const { lookbackMs } = this.#options;
    const members = this.#channels.membersOf(followers);
    const audiences = [...members].map(([channel, each]) => ({ ...channel, followers: each }));
    const isFirst = this.#mark === undefined;
    let mark = this.#mark ?? this.#guessedMark();
    const isFit = (start: number) => !isFirst || isClose(mark, start - lookbackMs);
    this.#walk = new Cancellation();
    const options = { cancellation: this.#walk, patienceMs: PATIENCE_MS };
    let { start, walk } = await this.#walker.walk({ mark }, audiences, options, isFit);
    if (!isFit(start)) {
      mark = start - lookbackMs;
      ({ start, walk } = await this.#walker.walk({ mark }, audiences, options));
    }
    const next = nextMark(mark, start, lookbackMs);
    if (this.#followers.size > 0) this.#mark = next;
    for (const [{ told, countTold }, each] of members) {
      told.keepSeenBy(walk);
      countTold();
      for (const follower of each) {
        if (isSliceOver()) await nextSlice(this.#options.caller.credential);
        if (follower.isGone) continue;
        follower.told?.keepSeenBy(walk);
        // A content that it alone was told may come back, and must not have the same name then.
        if (follower.told && told.knows(follower.told)) follower.told = undefined;
        follower.completeWalk(next, nextMark(follower.mark, start, lookbackMs));
      }
    }
  }

  /** Walks again and again, after a while, until it is complete and not behind the others. */
  async #walkAlone(follower: Follower, firstWaitMs = 0): Promise<void> {
    this.#alone.add(follower);
    const { pollMs } = this.#options;
    let waitMs = firstWaitMs;
    let failures = 0;
    do {
      if (waitMs > 0) await follower.cancellation.pause(waitMs, { ref: false });
      if (follower.isGone) return;
      try {
        await this.#walkOnce(follower);
        failures = 0;
        waitMs = jittered(pollMs);
      } catch (error) {
        failures += 1;
        waitMs = laterThan(retryDelay(error, pollMs, failures));
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
    const options = { cancellation, patienceMs: Number.POSITIVE_INFINITY };
    const { start, walk } = await this.#walker.walk(position, audiences, options);
    // A walk that was resumed has not seen what came before.
    if (position.walk === undefined) follower.told?.keepSeenBy(walk);
    follower.completeWalk(nextMark(position.mark, start, lookbackMs));
  }

  /** Whoever comes while the service has asked to be left alone is told so, and waits as the others do. */
  #askedPause(): { readonly error: RestError; readonly waitMs: number } | undefined {
    const waitMs = this.#asked ? this.#asked.until - performance.now() : 0;
    if (this.#asked === undefined || waitMs <= 0) return undefined;
    const { code, message, upstream } = this.#asked;
    const retryAfter = Math.ceil(waitMs / 1_000);
    return { error: new RestError(code, message, { ...(upstream && { upstream }), retryAfter }), waitMs };
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
}

function isClose(guessed: number, mark: number): boolean {
  return guessed <= mark && guessed > mark - CLOCK_TOLERANCE_MS;
}

/** Give or take a tenth, so that many pollers do not ask at the same moment. */
function jittered(milliseconds: number): number {
  return Math.round(milliseconds * (0.9 + 0.2 * Math.random()));
}

/** Never earlier than the service has asked for. */
function laterThan(milliseconds: number): number {
  return Math.round(milliseconds * (1 + 0.2 * Math.random()));
}
