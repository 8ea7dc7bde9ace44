import { RestError } from '../rest/errors.ts';
import { type Fields, fieldsParameter } from '../rest/fields.ts';
import type { ChangeRequest, ChangeSource } from './change.ts';
import { isFinal, noticeOf, withRetryAdvice } from './endings.ts';
import type { FeedPosition } from './position.ts';
import type { ChangeStream } from './stream.ts';
import { Told } from './told.ts';

/** The changes of one kind in one stream. */
export class Reader {
  readonly stream: ChangeStream;
  readonly source: ChangeSource;
  readonly fields: Fields;
  /** The same for equal selections. */
  readonly selection: string;
  /** Absent while a stream that starts now waits for its first walk, of which nothing is told. */
  position: FeedPosition | undefined;
  /** What was stamped up to here has been told, wherever those that it walks with begin. */
  mark = Number.NEGATIVE_INFINITY;
  /** Its own while it catches up; then that of all who walk together with its selection. */
  told = new Told();
  isTogether = false;
  /** Settles with the first walk. */
  readonly started: Promise<void>;
  #start: () => void = () => {};
  #fail: (error: Error) => void = () => {};

  constructor(
    stream: ChangeStream,
    { source, fields }: ChangeRequest['kinds'][number],
    position: FeedPosition | undefined,
  ) {
    this.stream = stream;
    this.source = source;
    this.fields = fields;
    this.selection = fieldsParameter(source.resource.members, fields);
    if (position) this.moveTo(position);
    this.started = new Promise((resolve, reject) => {
      this.#start = resolve;
      this.#fail = reject;
    });
    // Only a stream that starts now waits for it.
    this.started.catch(() => {});
    stream.closing.onAbort(() => this.#fail(new Error('The stream is closed')));
  }

  moveTo(position: FeedPosition): void {
    this.position = position;
    this.stream.advance(this.source.kind, position);
  }

  /** A walk from its position, or from before it, is complete. */
  completeWalk(mark: number): void {
    this.mark = mark;
    this.moveTo({ mark });
    this.#start();
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
