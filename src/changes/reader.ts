import { RestError } from '../rest/errors.ts';
import { type Fields, fieldsOf, fieldsParameter, unionOf } from '../rest/fields.ts';
import type { ChangeKind, ChangeRequest } from './change.ts';
import type { FeedPosition } from './position.ts';
import type { ChangeStream } from './stream.ts';

/** Errors that another attempt with the same credential would meet again. */
const FINAL_CODES = ['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND', 'BAD_USER_INPUT', 'NOT_CONFIGURED'];

/** The changes of one kind in one stream. */
export class Reader {
  readonly stream: ChangeStream;
  readonly kind: ChangeKind;
  /** What is selected of each record, and when it changed. */
  readonly fields: Fields;
  /** The same for equal selections. */
  readonly selection: string;
  /** Absent while a stream that starts now waits for its first walk, of which nothing is told. */
  position: FeedPosition | undefined;
  readonly told = new Told();

  constructor(
    stream: ChangeStream,
    { source, fields }: ChangeRequest['kinds'][number],
    position: FeedPosition | undefined,
  ) {
    this.stream = stream;
    this.kind = source.kind;
    this.fields = unionOf(fields, fieldsOf([source.stamp]));
    this.selection = fieldsParameter(source.resource.members, this.fields);
    if (position) this.moveTo(position);
  }

  moveTo(position: FeedPosition): void {
    this.position = position;
    this.stream.advance(this.kind, position);
  }

  /** The service could not be read; it is asked again after so many milliseconds, if that makes sense. */
  fail(error: Error, waitMs: number): void {
    if (error instanceof RestError && !FINAL_CODES.includes(error.code)) this.stream.notify(error, waitMs);
    else this.stream.end(error);
  }
}

/** Of each record: a content that comes back after more others than these counts as new. */
const MAX_CONTENTS = 8;

/** What was told of the records that the next walk will read again, since they changed not long ago. */
export class Told {
  /** Hashes of contents, the latest last. */
  #before = new Map<string, string[]>();
  #now = new Map<string, string[]>();

  /**
   * Notes the content of a record. Returns undefined if it is what was told last, else how often it was told before: a
   * record may change back within a second. One that is settled, and so will not be read again, is not noted anew.
   */
  add(id: string, content: string, isSettled = false): number | undefined {
    const contents = this.#now.get(id) ?? this.#before.get(id) ?? [];
    if (contents.length > 0 || !isSettled) this.#now.set(id, contents);
    if (contents.at(-1) === content) return undefined;
    const times = contents.filter((earlier) => earlier === content).length;
    contents.push(content);
    if (contents.length > MAX_CONTENTS) contents.shift();
    return times;
  }

  /** Forgets the records that a complete walk has not seen: they changed too long ago to be read again. */
  completeWalk(): void {
    this.#before = this.#now;
    this.#now = new Map();
  }
}
