import { compositeKey } from '../composite-key.ts';
import { jittered } from '../limits/jitter.ts';
import { asError, RestError } from '../rest/errors.ts';
import type { ChangeSource } from './change.ts';
import { type FeedPosition, nextMark } from './position.ts';
import type { Reader } from './stream.ts';
import { type Feed, walkChanges } from './walk.ts';

/** A first walk starts this much earlier: the service tells its time in whole seconds, and later than it was. */
const CLOCK_GRAIN_MS = 2_000;

/** Between two attempts while the service cannot be read: by itself, and at most if it asks for more. */
const MAX_RETRY_MS = 60_000;
const MAX_ASKED_MS = 300_000;

/**
 * Reads the changes of one kind in one administration, again and again from a mark, which moves on only behind a
 * complete walk. Each reader begins alone, at its own pace; at the present it joins the others of its credential.
 */
export class Poller {
  readonly #feed: Feed;
  /** Those who read what happens now, by the names of feeds. */
  readonly #live: Map<string, Poller>;
  readonly #readers = new Set<Reader>();

  constructor(feed: Feed, live: Map<string, Poller>) {
    this.#feed = feed;
    this.#live = live;
  }

  /** Resolves once the reader is where it starts, which takes a walk if that is now. */
  async start(reader: Reader): Promise<void> {
    this.#add(reader);
    const startsNow = reader.position === undefined;
    const isNear = startsNow && (await this.#walk());
    void this.#run(startsNow ? this.#interval() : 0, isNear);
  }

  #add(reader: Reader): void {
    this.#readers.add(reader);
    reader.stream.closing.onAbort(() => {
      this.#readers.delete(reader);
      if (this.#readers.size === 0) this.#feed.over.abort('closed');
    });
  }

  /** Walks again and again, until nobody is left, or all have joined others. */
  async #run(firstWaitMs: number, isAtPresent: boolean): Promise<void> {
    let waitMs = firstWaitMs;
    let isNear = isAtPresent;
    let failures = 0;
    while (!(isNear && this.#joinOthers())) {
      await this.#feed.over.pause(waitMs, { ref: false });
      if (this.#feed.over.isAborted) return;
      try {
        isNear = await this.#walk();
        failures = 0;
        waitMs = this.#interval();
      } catch (error) {
        isNear = false;
        failures += 1;
        waitMs = Math.round(jittered(retryDelay(error, this.#feed.pollMs, failures), 1, 1.2));
        for (const { stream } of this.#readers) stream.fail(asError(error), waitMs);
      }
    }
  }

  /** Walks once for all. Returns whether what comes next is what happens now. */
  async #walk(): Promise<boolean> {
    const { source, lookbackMs, pollMs } = this.#feed;
    const { retentionMs = Number.POSITIVE_INFINITY } = source;
    for (const { position, stream } of this.#readers)
      if (position && Date.now() - position.mark > retentionMs) stream.end(expired(source));
    const readers = [...this.#readers];
    const [first] = readers;
    if (first === undefined) return false;
    const startedAt = performance.now();
    const walkFrom = (from: FeedPosition) => walkChanges(this.#feed, from, readers);
    let position = startOf(readers, lookbackMs);
    let start = await walkFrom(position).catch((error: unknown) => {
      // The record that it was to go on from is gone: the walk begins anew.
      if (position.walk && error instanceof RestError && error.code === 'BAD_USER_INPUT')
        return walkFrom({ mark: position.mark });
      throw error;
    });
    if (first.position === undefined && start - lookbackMs < position.mark) {
      // The service's clock is another than it was taken to be.
      position = { mark: start - lookbackMs };
      start = await walkFrom(position);
    }
    for (const reader of readers)
      reader.completeWalk(nextMark(reader.position?.mark ?? position.mark, start, lookbackMs));
    return !position.walk && performance.now() - startedAt < Math.max(lookbackMs, 2 * pollMs);
  }

  #joinOthers(): boolean {
    const { caller, administrationId, source, over } = this.#feed;
    const name = compositeKey(caller.credential, administrationId, source.kind);
    const others = this.#live.get(name);
    if (others === undefined) {
      this.#live.set(name, this);
      over.onAbort(() => this.#live.delete(name));
    }
    if (others === undefined || others === this) return false;
    for (const reader of this.#readers) others.#add(reader);
    return true;
  }

  #interval(): number {
    return Math.round(jittered(this.#feed.pollMs, 0.9, 1.1));
  }
}

/** One reader goes on where it is. Several walk from the earliest mark: each knows what it was told. */
function startOf(readers: readonly Reader[], lookbackMs: number): FeedPosition {
  const positions = readers.flatMap(({ position }) => position ?? []);
  const [first, other] = positions;
  if (first === undefined) return { mark: Date.now() - lookbackMs - CLOCK_GRAIN_MS };
  return other ? { mark: Math.min(...positions.map(({ mark }) => mark)) } : first;
}

/** How long to wait after so many failures in a row: never shorter than the service has asked for. */
export function retryDelay(error: unknown, pollMs: number, failures: number): number {
  const asked = error instanceof RestError ? (error.retryAfter ?? 0) * 1_000 : 0;
  const own = Math.min(Math.max(MAX_RETRY_MS, pollMs), pollMs * 2 ** Math.min(failures, 10));
  return Math.max(own, Math.min(asked, MAX_ASKED_MS));
}

function expired({ kind, retentionMs = 0 }: ChangeSource): RestError {
  const days = Math.round(retentionMs / 86_400_000);
  return new RestError(
    'CHANGES_EXPIRED',
    `The service lists deleted records for ${days} days, and the stream would start before that, so some of ` +
      `${kind} may be missing. Read everything anew, and subscribe without \`since\` and \`after\`.`,
  );
}
