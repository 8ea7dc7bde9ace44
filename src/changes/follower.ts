import { Cancellation } from '../rest/client/cancellation.ts';
import { RestError } from '../rest/errors.ts';
import { type Fields, fieldsParameter } from '../rest/fields.ts';
import type { ChangeKind, ChangeSource } from './change.ts';
import { isFinal, noticeOf, withAdvice } from './endings.ts';
import type { Position } from './position.ts';
import type { ChangeStream } from './stream.ts';
import { Told } from './told.ts';

/** The changes of one kind in one stream. */
export class Follower {
  readonly stream: ChangeStream;
  readonly source: ChangeSource;
  readonly fields: Fields;
  /** The same for equal selections. */
  readonly selection: string;
  /** Absent while a stream that starts now waits for its first walk, of which nothing is told. */
  position: Position | undefined;
  /** What was stamped before it has been told, wherever those that it walks with begin. */
  mark = Number.NEGATIVE_INFINITY;
  /** What it was told, until it shares that of all streams with its selection. */
  told: Told | undefined;
  /** Of what is done for it alone: it ends with the stream. */
  readonly cancellation = new Cancellation();
  /** Settles with the first walk. */
  readonly started: Promise<void>;
  #countedBytes = 0;
  #start: () => void = () => {};
  #fail: (error: Error) => void = () => {};

  constructor(
    stream: ChangeStream,
    { source, fields }: { readonly source: ChangeSource; readonly fields: Fields },
    position?: Position,
  ) {
    this.stream = stream;
    this.source = source;
    this.fields = fields;
    this.selection = fieldsParameter(fields);
    if (position) {
      this.told = new Told();
      this.moveTo(position);
    }
    this.started = new Promise((resolve, reject) => {
      this.#start = resolve;
      this.#fail = reject;
    });
    // Only a stream that starts now waits for it.
    this.started.catch(() => {});
  }

  get kind(): ChangeKind {
    return this.source.kind;
  }

  get isGone(): boolean {
    return this.stream.isClosed;
  }

  moveTo(position: Position): void {
    this.position = position;
    this.stream.advance(this.kind, position);
  }

  /** A walk from its position, or from before it, is complete. */
  completeWalk(mark: number, ownMark = mark): void {
    this.mark = ownMark;
    this.moveTo({ mark });
    this.countTold();
    this.#start();
  }

  /** Counts what is remembered for it alone. */
  countTold(): void {
    const bytes = this.told?.bytes ?? 0;
    this.stream.hold(bytes - this.#countedBytes);
    this.#countedBytes = bytes;
  }

  /** The stream is closed: nobody waits for anything any more. */
  leave(): void {
    this.cancellation.abort('closed');
    this.#fail(new Error('The stream is closed'));
  }

  /** The service could not be read; it is asked again after so many milliseconds, if that makes sense. */
  failWalk(error: Error, waitMs: number): void {
    const told = error instanceof RestError ? withAdvice(error, this.source) : error;
    this.#fail(told);
    // Nobody has seen a stream that has not started.
    if (this.position === undefined) return;
    if (!(told instanceof RestError)) this.stream.fail(told);
    else if (isFinal(told)) this.stream.end(told);
    else this.stream.notify(noticeOf(told, waitMs));
  }
}
