import { Cancellation } from '../rest/client/cancellation.ts';
import { asError } from '../rest/errors.ts';
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

export interface PollerOptions extends WalkerOptions {
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
  readonly #cancellation = new Cancellation();
  /** Those that walk together, from the mark. */
  readonly #followers = new Set<Follower>();
  /** Those that are near the mark: each walks alone once more before it goes on with the others. */
  readonly #joining = new Set<Follower>();
  /** Those that are far behind: each walks at its own pace, since others must not wait for it. */
  readonly #behind = new Set<Follower>();
  readonly #channels: Channels;
  #mark: number | undefined;
  #failures = 0;
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
    if (this.#isFarBehind(follower)) return void this.#catchUp(follower);
    const { position } = follower;
    (position === undefined ? this.#followers : this.#joining).add(follower);
    this.#wake.abort('closed');
    if (!this.#isRunning) void this.#run();
  }

  remove(follower: Follower): void {
    this.#behind.delete(follower);
    this.#joining.delete(follower);
    if (this.#followers.delete(follower)) this.#channels.keepThoseOf(this.#followers);
    if (this.#followers.size > 0 || this.#joining.size > 0 || this.#behind.size > 0) return;
    this.#cancellation.abort('closed');
    this.#wake.abort('closed');
    this.#options.onIdle();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#followers.size > 0 || this.#joining.size > 0) {
      this.#wake = new Cancellation();
      const waitMs = await this.#attempt();
      await this.#wake.pause(waitMs, { ref: false });
    }
    this.#isRunning = false;
  }

  /** Returns how long to wait for the next walk. */
  async #attempt(): Promise<number> {
    const { pollMs } = this.#options;
    const failures = new Map<Follower, Error>();
    const isWalked = this.#followers.size > 0;
    await this.#letJoin(failures);
    const followers = [...this.#followers];
    try {
      if (isWalked) await this.#walkTogether(followers);
    } catch (error) {
      for (const follower of followers) failures.set(follower, asError(error));
    }
    const [first] = failures.values();
    this.#failures = first ? this.#failures + 1 : 0;
    const waitMs = first ? laterThan(retryDelay(first, pollMs, this.#failures)) : jittered(pollMs);
    for (const [follower, error] of failures) this.#fail(follower, error, waitMs);
    return waitMs;
  }

  /**
   * Whoever has walked alone since the last walk of the others can go on with them: what it does not know yet has changed
   * since, and the walks from the mark will show it.
   */
  async #letJoin(failures: Map<Follower, Error>): Promise<void> {
    const joined: Follower[] = [];
    await Promise.all(
      [...this.#joining].map(async (follower) => {
        try {
          const isResumed = follower.position?.walk !== undefined;
          await this.#walkAlone(follower);
          // A walk that was resumed began long ago, perhaps before the mark of the others.
          if (isResumed && !follower.isGone) await this.#walkAlone(follower);
          if (!follower.isGone) joined.push(follower);
        } catch (error) {
          failures.set(follower, asError(error));
        }
      }),
    );
    const marks = joined.flatMap(({ position }) => (position ? [position.mark] : []));
    if (marks.length > 0 && (this.#mark === undefined || this.#followers.size === 0))
      this.#mark = Math.min(...marks);
    for (const follower of joined) {
      this.#joining.delete(follower);
      this.#followers.add(follower);
      if (this.#mark !== undefined) follower.moveTo({ mark: this.#mark });
    }
  }

  async #walkTogether(followers: readonly Follower[]): Promise<void> {
    const { lookbackMs } = this.#options;
    const members = this.#channels.membersOf(followers);
    const audiences = [...members].map(([channel, each]) => ({ ...channel, followers: each }));
    const isFirst = this.#mark === undefined;
    let mark = this.#mark ?? this.#guessedMark();
    const isFit = (start: number) => !isFirst || isClose(mark, start - lookbackMs);
    const options = { cancellation: this.#cancellation, patienceMs: PATIENCE_MS };
    let { start, walk } = await this.#walker.walk({ mark }, audiences, options, isFit);
    if (!isFit(start)) {
      mark = start - lookbackMs;
      ({ start, walk } = await this.#walker.walk({ mark }, audiences, options));
    }
    this.#mark = nextMark(mark, start, lookbackMs);
    for (const [{ told, countTold }, each] of members) {
      told.keepSeenBy(walk);
      countTold();
      for (const follower of each) {
        follower.told?.keepSeenBy(walk);
        // A content that it alone was told may come back, and must not have the same name then.
        if (follower.told && told.knows(follower.told)) follower.told = undefined;
        follower.completeWalk(this.#mark);
      }
    }
  }

  async #walkAlone(follower: Follower, patienceMs = PATIENCE_MS): Promise<void> {
    const { position, fields, stream, cancellation } = follower;
    if (position === undefined) throw new TypeError('a stream without a position');
    const { source, clock, lookbackMs } = this.#options;
    const { retentionMs = Number.POSITIVE_INFINITY } = source;
    if (clock.now() - position.mark > retentionMs) return stream.end(expired(source));
    const audiences = [{ fields, followers: [follower] }];
    const { start, walk } = await this.#walker.walk(position, audiences, { cancellation, patienceMs });
    // A walk that was resumed has not seen what came before.
    if (position.walk === undefined) follower.told?.keepSeenBy(walk);
    follower.completeWalk(nextMark(position.mark, start, lookbackMs));
  }

  async #catchUp(follower: Follower): Promise<void> {
    this.#behind.add(follower);
    const { pollMs } = this.#options;
    let failures = 0;
    while (!follower.isGone && this.#isFarBehind(follower)) {
      try {
        await this.#walkAlone(follower, Number.POSITIVE_INFINITY);
        failures = 0;
      } catch (error) {
        failures += 1;
        const waitMs = laterThan(retryDelay(error, pollMs, failures));
        this.#fail(follower, asError(error), waitMs);
        await follower.cancellation.pause(waitMs, { ref: false });
      }
    }
    if (this.#behind.delete(follower)) this.add(follower);
  }

  #fail(follower: Follower, error: Error, waitMs: number): void {
    if (follower.isGone) return;
    const isStarted = follower.position !== undefined;
    follower.failWalk(error, waitMs);
    if (!isStarted) this.remove(follower);
  }

  #isFarBehind({ position }: Follower): boolean {
    if (position === undefined) return false;
    const { lookbackMs, pollMs } = this.#options;
    return position.mark < (this.#mark ?? this.#guessedMark()) - lookbackMs - 2 * pollMs;
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
