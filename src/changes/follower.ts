import { Cancellation } from '../rest/cancellation.ts';
import { RestError } from '../rest/errors.ts';
import { type Fields, fieldsParameter } from '../rest/fields.ts';
import type { ChangeSource } from './change.ts';
import { isFinal, noticeOf, withRetryAdvice } from './endings.ts';
import type { FeedPosition } from './position.ts';
import type { ChangeStream } from './stream.ts';

/** The changes of one kind in one stream. */
export class Follower {
  readonly stream: ChangeStream;
  readonly source: ChangeSource;
  readonly fields: Fields;
  /** The same for equal selections. */
  readonly selection: string;
  /** Absent while a stream that starts now waits for its first walk, of which nothing is told. */
  position: FeedPosition | undefined;
  /** What was stamped before it has been told, wherever those that it walks with begin. */
  mark = Number.NEGATIVE_INFINITY;
  /** What it was sent, until it shares that of all streams with its selection. */
  sent: SentContents | undefined;
  /** Of what is done for it alone: it ends with the stream. */
  readonly cancellation = new Cancellation();
  /** Settles with the first walk. */
  readonly started: Promise<void>;
  #start: () => void = () => {};
  #fail: (error: Error) => void = () => {};

  constructor(
    stream: ChangeStream,
    { source, fields }: { readonly source: ChangeSource; readonly fields: Fields },
    position?: FeedPosition,
  ) {
    this.stream = stream;
    this.source = source;
    this.fields = fields;
    this.selection = fieldsParameter(fields);
    if (position) {
      this.sent = new SentContents(stream.hold);
      this.moveTo(position);
    }
    this.started = new Promise((resolve, reject) => {
      this.#start = resolve;
      this.#fail = reject;
    });
    // Only a stream that starts now waits for it.
    this.started.catch(() => {});
  }

  get isGone(): boolean {
    return this.stream.isClosed;
  }

  moveTo(position: FeedPosition): void {
    this.position = position;
    this.stream.advance(this.source.kind, position);
  }

  /** A walk from its position, or from before it, is complete. */
  completeWalk(mark: number, ownMark = mark): void {
    this.mark = ownMark;
    this.moveTo({ mark });
    this.sent?.count();
    this.#start();
  }

  shareSent(): void {
    this.sent?.forgetAll();
    this.sent = undefined;
  }

  /** The stream is closed: nobody waits for anything any more. */
  leave(): void {
    this.cancellation.abort('closed');
    this.#fail(new Error('The stream is closed'));
  }

  /** The service could not be read; it is asked again after so many milliseconds, if that makes sense. */
  failWalk(error: Error, waitMs: number): void {
    const shown = error instanceof RestError ? withRetryAdvice(error, this.source) : error;
    this.#fail(shown);
    // Nobody has seen a stream that has not started.
    if (this.position === undefined) return;
    if (!(shown instanceof RestError)) this.stream.fail(shown);
    else if (isFinal(shown)) this.stream.end(shown);
    else this.stream.notify(noticeOf(shown, waitMs));
  }
}

/** Of each record: a content that comes back after more others than these counts as new. */
const MAX_CONTENTS = 8;

/** What a record with a short key takes in memory, and each of its contents, as measured. */
const RECORD_BYTES = 230;
const CONTENT_BYTES = 110;

interface Entry {
  /** Hashes, the latest last. */
  readonly contents: string[];
  /** The walk that last saw the record. */
  walk: number;
}

/** What was sent of the records that the next walk will read again, since they changed not long ago; by short keys. */
export class SentContents {
  readonly #records = new Map<string, Entry>();
  #contents = 0;
  readonly #hold: (bytes: number) => void;
  #countedBytes = 0;

  /** `hold` counts what it takes in memory. */
  constructor(hold: (bytes: number) => void = () => {}) {
    this.#hold = hold;
  }

  count(): void {
    const bytes = this.#records.size * RECORD_BYTES + this.#contents * CONTENT_BYTES;
    this.#hold(bytes - this.#countedBytes);
    this.#countedBytes = bytes;
  }

  /**
   * Notes the content of a record. Returns undefined if it is what was sent last, else how often it was sent before: a
   * record may change back within a second.
   */
  add(key: string, content: string, walk: number): number | undefined {
    const entry = this.#records.get(key);
    if (entry === undefined) {
      this.#records.set(key, { contents: [content], walk });
      this.#contents += 1;
      return 0;
    }
    entry.walk = walk;
    if (entry.contents.at(-1) === content) return undefined;
    const before = entry.contents.filter((earlier) => earlier === content).length;
    entry.contents.push(content);
    if (entry.contents.length > MAX_CONTENTS) entry.contents.shift();
    else this.#contents += 1;
    return before;
  }

  /** Whether all that another has noted was noted here too. */
  knows(other: SentContents): boolean {
    for (const [key, { contents }] of other.#records) {
      const known = this.#records.get(key)?.contents ?? [];
      if (!contents.every((content) => known.includes(content))) return false;
    }
    return true;
  }

  forget(key: string): void {
    this.#contents -= this.#records.get(key)?.contents.length ?? 0;
    this.#records.delete(key);
  }

  forgetAll(): void {
    this.#records.clear();
    this.#contents = 0;
    this.count();
  }

  /** Forgets the records that a complete walk has not seen: they changed too long ago to be read again. */
  keepSeenBy(walk: number): void {
    for (const [key, entry] of this.#records) if (entry.walk !== walk) this.forget(key);
  }
}
