import { Cancellation } from '../rest/cancellation.ts';
import { RestError } from '../rest/errors.ts';
import { type Fields, fieldsOf, fieldsParameter, mergeAll } from '../rest/fields.ts';
import { type Change, type ChangeKind, type ChangeRequest, StreamFault } from './change.ts';
import { encodeFeedCursor, type FeedPosition } from './position.ts';

/** What may wait for its reader. There is room for another page of the service while half of the events may still come. */
const MAX_EVENTS = 1_000;
const MAX_BYTES = 200_000;

/** Of errors that another attempt with the same credential would meet again. */
const FINAL_CODES = ['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND', 'BAD_USER_INPUT', 'NOT_CONFIGURED'];

const RESUME = 'Subscribe again with `after: <cursor>`.';

const TOO_SLOW = new RestError('SLOW_CONSUMER', `The changes were read too slowly. ${RESUME}`);
export const STOPPING = new RestError('SERVER_STOPPING', `This gateway is being stopped. ${RESUME}`);
export const EXPIRING = new RestError(
  'UNAUTHENTICATED',
  'The access token expires. Subscribe again with a new one, and with `after: <cursor>`.',
);

/** Longer timers would fire at once. */
const MAX_TIMER_MS = 2_147_483_647;

interface Item {
  /** Called when it is taken, with the cursor behind it. */
  readonly create: (cursor: string) => Change | Error;
  /** How far the stream is once it was taken. */
  readonly positions: Map<ChangeKind, FeedPosition>;
  readonly bytes: number;
  /** Its part of them, where others wait for the same. */
  readonly held: number;
}

/** What one subscriber is told, in the order in which it was found, as fast as it is taken. */
export class ChangeStream implements AsyncIterableIterator<Change | Error> {
  /** Aborted once nothing more is to be told. */
  readonly closing = new Cancellation();
  /** How it was ended, if not by its reader. */
  ending: Error | undefined;
  readonly #administrationId: string;
  readonly #hold: (bytes: number) => void;
  readonly #queue: Item[] = [];
  #bytes = 0;
  /** What the reader has taken, and may not have sent before it asks for more. */
  #taken = 0;
  readonly #positions = new Map<ChangeKind, FeedPosition>();
  #onItem = () => {};
  /** Aborted when there is room again. */
  #filled = new Cancellation();

  /** `hold` counts what waits for its reader, and closes the stream if there is no room for more. */
  constructor(administrationId: string, hold: (bytes: number) => void) {
    this.#administrationId = administrationId;
    this.#hold = hold;
  }

  get isClosed(): boolean {
    return this.closing.isAborted;
  }

  /** Behind what the reader has taken. */
  get cursor(): string {
    return encodeFeedCursor(this.#administrationId, this.#positions);
  }

  push(create: Item['create'], positions: Item['positions'] = new Map(), bytes = 0, sharers = 1): void {
    if (this.isClosed) return;
    const held = Math.ceil(bytes / sharers);
    this.#queue.push({ create, positions, bytes, held });
    this.#bytes += bytes;
    this.#hold(held);
    this.#onItem();
  }

  /**
   * Says where the stream is, once all that was pushed has been taken. Not once it has ended: what is read afterwards is
   * never pushed, so the cursor of its ending must not lie behind it.
   */
  advance(kind: ChangeKind, position: FeedPosition): void {
    if (this.isClosed) return;
    const last = this.#positions.has(kind) ? this.#queue.at(-1) : undefined;
    (last?.positions ?? this.#positions).set(kind, position);
  }

  /** The service could not be read; it is asked again after so many milliseconds, if that makes sense. */
  fail(error: Error, waitMs: number): void {
    if (!(error instanceof RestError) || FINAL_CODES.includes(error.code)) {
      this.end(error);
      return;
    }
    const { code, message, upstream } = error;
    const retryAfter = Math.ceil(waitMs / 1_000);
    const goesOn = ` The stream goes on: the next attempt is in ${retryAfter} s.`;
    const notice = new RestError(code, message + goesOn, { upstream, retryAfter });
    this.push((cursor) => new StreamFault(notice, cursor, false));
  }

  /** Ends it behind what was pushed or, if its reader is too slow for that, behind what was taken. */
  end(ending: Error, dropsQueue = false): void {
    if (this.isClosed) return;
    this.ending = ending;
    if (dropsQueue) this.#queue.length = 0;
    this.push((cursor) => (ending instanceof RestError ? new StreamFault(ending, cursor, true) : ending));
    this.#close();
  }

  /** Unless it has ended until then. */
  endAfter(milliseconds: number, ending: RestError): void {
    void this.closing
      .pause(Math.min(milliseconds, MAX_TIMER_MS), { ref: false })
      .then(() => this.end(ending));
  }

  /** What can be taken without waiting. */
  takeNow(): Change | Error | undefined {
    const item = this.#queue.shift();
    if (item === undefined) return undefined;
    for (const [kind, position] of item.positions) this.#positions.set(kind, position);
    this.#bytes -= item.bytes;
    this.#taken += item.held;
    if (this.#hasRoom) this.#filled.abort('closed');
    return item.create(this.cursor);
  }

  async next(): Promise<IteratorResult<Change | Error, undefined>> {
    this.#hold(-this.#taken);
    this.#taken = 0;
    while (this.#queue.length === 0 && !this.isClosed) {
      await new Promise<void>((resolve) => {
        this.#onItem = resolve;
      });
    }
    const value = this.takeNow();
    return value === undefined ? { done: true, value } : { done: false, value };
  }

  async return(): Promise<IteratorResult<Change | Error, undefined>> {
    this.#queue.length = 0;
    this.#close();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Waits until there is room for another page. Ends the stream if that takes its reader too long. */
  async room(patienceMs = MAX_TIMER_MS): Promise<void> {
    if (this.isClosed || this.#hasRoom) return;
    if (this.#filled.isAborted) this.#filled = new Cancellation();
    await this.#filled.pause(patienceMs, { ref: false });
    if (!this.#hasRoom) this.end(TOO_SLOW, true);
  }

  get #hasRoom(): boolean {
    return this.#queue.length <= MAX_EVENTS / 2 && this.#bytes <= MAX_BYTES;
  }

  #close(): void {
    this.#onItem();
    this.#filled.abort('closed');
    this.closing.abort('closed');
  }
}

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
}
