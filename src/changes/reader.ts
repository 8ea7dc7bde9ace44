import { RestError } from '../rest/errors.ts';
import { type Fields, fieldsOf, fieldsParameter, mergeAll } from '../rest/fields.ts';
import type { ChangeKind, ChangeRequest } from './change.ts';
import type { FeedPosition } from './position.ts';
import type { ChangeStream } from './stream.ts';

/** Errors that another attempt with the same credential would meet again. */
const FINAL_CODES = ['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND', 'BAD_USER_INPUT', 'NOT_CONFIGURED'];

/** Of each record: a content that comes back after more others than these counts as new. */
const MAX_CONTENTS = 8;

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
  /** Hashes of what was told, the latest last, of the records that the last walk has seen, and this one. */
  #before = new Map<string, string[]>();
  #now = new Map<string, string[]>();

  constructor(
    stream: ChangeStream,
    { source, fields }: ChangeRequest['kinds'][number],
    position: FeedPosition | undefined,
  ) {
    this.stream = stream;
    this.kind = source.kind;
    this.fields = mergeAll([fields, fieldsOf([source.stamp])]);
    this.selection = fieldsParameter(source.resource.members, this.fields);
    if (position) this.moveTo(position);
  }

  /**
   * Notes the content of a record that changed at a moment. Returns the id of the event that tells it, if there is one
   * to tell. A record may change back within a second, so a content may have several. One that is settled, and so will
   * not be read again, is not noted anew.
   */
  note(id: string, content: string, moment: number, isSettled: boolean): string | undefined {
    const contents = this.#now.get(id) ?? this.#before.get(id) ?? [];
    if (contents.length > 0 || !isSettled) this.#now.set(id, contents);
    if (contents.at(-1) === content) return undefined;
    const times = contents.filter((earlier) => earlier === content).length;
    contents.push(content);
    if (contents.length > MAX_CONTENTS) contents.shift();
    if (this.position === undefined || moment <= this.position.mark) return undefined;
    return times === 0 ? content : `${content}.${times}`;
  }

  moveTo(position: FeedPosition): void {
    this.position = position;
    this.stream.advance(this.kind, position);
  }

  /** Forgets the records that the walk has not seen: they changed too long ago to be read again. */
  completeWalk(mark: number): void {
    this.#before = this.#now;
    this.#now = new Map();
    this.moveTo({ mark });
  }

  /** The service could not be read; it is asked again after so many milliseconds, if that makes sense. */
  fail(error: Error, waitMs: number): void {
    if (error instanceof RestError && !FINAL_CODES.includes(error.code)) this.stream.notify(error, waitMs);
    else this.stream.end(error);
  }
}
