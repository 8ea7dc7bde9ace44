import { jittered } from '../limits/jitter.ts';
import { Cancellation } from '../rest/cancellation.ts';
import { asError, RestError } from '../rest/errors.ts';
import { expired, retryDelay } from './endings.ts';
import { nextMark } from './position.ts';
import type { Reader } from './reader.ts';
import { type WalkOptions, walkChanges } from './walk-changes.ts';

/** A first walk starts this much earlier: the service tells its time in whole seconds, and later than it was. */
const CLOCK_GRAIN_MS = 2_000;

/** A first walk that went back this much further than it had to, since clocks differ, is begun anew. */
const CLOCK_TOLERANCE_MS = 60_000;

interface PollerOptions extends WalkOptions {
  readonly onIdle: () => void;
}

/**
 * Reads the changes of one kind in one administration for all streams of one credential: again and again from a mark,
 * which moves on only behind a complete walk. A reader that starts now joins the others at once. One that starts in the
 * past walks alone, at its own pace, until it is not behind them.
 */
export class Poller {
  readonly #options: PollerOptions;
  readonly #together = new Set<Reader>();
  readonly #alone = new Set<Reader>();
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

  add(reader: Reader): void {
    // Another kind may have ended the stream already.
    if (reader.stream.isClosed) return;
    const askedMs = this.#asked ? this.#asked.until - performance.now() : 0;
    if (this.#asked && askedMs > 0) {
      // It is told so, and waits as the others do.
      const { code, message, upstream } = this.#asked;
      const retryAfter = Math.ceil(askedMs / 1_000);
      reader.failWalk(new RestError(code, message, { upstream, retryAfter }), askedMs);
    }
    if (reader.position) return void this.#catchUp(reader, askedMs);
    if (askedMs > 0) return;
    reader.told = this.#toldWith(reader)?.told ?? reader.told;
    reader.isTogether = true;
    this.#together.add(reader);
    this.#wake.abort('closed');
    void this.#run();
  }

  remove(reader: Reader): void {
    this.#alone.delete(reader);
    this.#together.delete(reader);
    if (this.#together.size > 0) return;
    this.#mark = undefined;
    this.#walk.abort('closed');
    if (this.#alone.size > 0) return;
    this.#wake.abort('closed');
    this.#options.onIdle();
  }

  /** Another that has walked with the others, with the same selection. */
  #toldWith({ selection }: Reader): Reader | undefined {
    return [...this.#together].find((other) => other.isTogether && other.selection === selection);
  }

  /** Walks together, while there is somebody to walk for. */
  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    let waitMs = this.#interval();
    while (this.#together.size > 0) {
      await this.#wake.pause(waitMs, { ref: false });
      this.#wake = new Cancellation();
      waitMs = await this.#attempt();
    }
    this.#isRunning = false;
  }

  /** Returns how long to wait for the next walk. */
  async #attempt(): Promise<number> {
    // The others may have walked on since it joined them.
    for (const reader of this.#together) {
      if (!this.#isBehind(reader)) continue;
      this.#together.delete(reader);
      void this.#catchUp(reader, this.#interval());
    }
    const readers = [...this.#together];
    const isEarly = performance.now() < this.#dueAt;
    try {
      if (readers.length > 0) await this.#walkTogether(readers);
      this.#failures = 0;
      this.#dueAt = 0;
      return this.#interval();
    } catch (error) {
      if (!isEarly) {
        this.#failures += 1;
        this.#dueAt = performance.now() + this.#pauseAfter(error, this.#failures);
      }
      const waitMs = Math.max(0, this.#dueAt - performance.now());
      // Who starts now made it try early: that is no failure of the others, who wait no longer for it.
      const failed = isEarly ? readers.filter(({ position }) => !position) : readers;
      for (const reader of failed) this.#fail(reader, asError(error), waitMs);
      return waitMs;
    }
  }

  async #walkTogether(readers: readonly Reader[]): Promise<void> {
    const { lookbackMs } = this.#options;
    const marks = readers.flatMap(({ position }) => position?.mark ?? []);
    if (marks.length > 0) this.#mark ??= Math.min(...marks);
    const isFirst = this.#mark === undefined;
    let mark = this.#mark ?? this.#guessedMark();
    const isFit = (start: number) => {
      const tooFar = start - lookbackMs - mark;
      return !isFirst || (tooFar >= 0 && tooFar < CLOCK_TOLERANCE_MS);
    };
    this.#walk = new Cancellation();
    const request = { readers, cancellation: this.#walk, isAlone: false };
    let { start, walk } = await walkChanges(this.#options, { ...request, position: { mark }, isFit });
    if (!isFit(start)) {
      mark = start - lookbackMs;
      ({ start, walk } = await walkChanges(this.#options, { ...request, position: { mark } }));
    }
    const next = nextMark(mark, start, lookbackMs);
    if (this.#together.size > 0) this.#mark = next;
    for (const told of new Set(readers.map((reader) => reader.told))) told.keepSeenBy(walk);
    for (const reader of readers) {
      if (reader.stream.isClosed) continue;
      this.#shareTold(reader);
      reader.completeWalk(next);
    }
  }

  /** A content that it alone was told may come back, and must not have the same name then. */
  #shareTold(reader: Reader): void {
    if (reader.isTogether) return;
    const other = this.#toldWith(reader);
    reader.isTogether = other === undefined || other.told.knows(reader.told);
    if (other && reader.isTogether) reader.told = other.told;
  }

  /** Walks again and again, after a while, until it is complete and not behind the others. */
  async #catchUp(reader: Reader, firstWaitMs: number): Promise<void> {
    const { stream } = reader;
    this.#alone.add(reader);
    let waitMs = firstWaitMs;
    let failures = 0;
    do {
      if (waitMs > 0) await stream.closing.pause(waitMs, { ref: false });
      if (stream.isClosed) return;
      try {
        await this.#walkAlone(reader);
        failures = 0;
        waitMs = this.#interval();
      } catch (error) {
        failures += 1;
        waitMs = this.#pauseAfter(error, failures);
        this.#fail(reader, asError(error), waitMs);
      }
    } while (failures > 0 || this.#isBehind(reader));
    if (!this.#alone.delete(reader)) return;
    this.#together.add(reader);
    void this.#run();
  }

  async #walkAlone(reader: Reader): Promise<void> {
    const { position, stream } = reader;
    if (position === undefined) throw new TypeError('a stream without a position');
    const { source, clock, lookbackMs } = this.#options;
    const { retentionMs = Number.POSITIVE_INFINITY } = source;
    if (clock.now() - position.mark > retentionMs) return stream.end(expired(source));
    const request = { position, readers: [reader], cancellation: stream.closing, isAlone: true };
    const { start, walk } = await walkChanges(this.#options, request);
    // A walk that was resumed has not seen what came before.
    if (position.walk === undefined) reader.told.keepSeenBy(walk);
    reader.completeWalk(nextMark(position.mark, start, lookbackMs));
  }

  #fail(reader: Reader, error: Error, waitMs: number): void {
    if (error instanceof RestError && error.retryAfter !== undefined) {
      const { code, message, upstream } = error;
      // Not the error itself, which would hold whom it was made for.
      this.#asked = { code, message, upstream, until: performance.now() + waitMs };
    }
    if (reader.stream.isClosed) return;
    const isStarted = reader.position !== undefined;
    reader.failWalk(error, waitMs);
    if (!isStarted) this.remove(reader);
  }

  /** Without others, near the present is far enough: what walks together read is remembered. */
  #isBehind({ position }: Reader): boolean {
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
