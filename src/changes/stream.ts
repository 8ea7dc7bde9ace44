import { EventEmitter, once } from 'node:events';
import { Cancellation } from '../rest/cancellation.ts';
import { RestError } from '../rest/errors.ts';
import { type Change, type ChangeSource, StreamError } from './change.ts';
import { encodeFeedCursor, type FeedPosition, type Positions } from './position.ts';

/** What may wait for its reader. There is room for another page of the service while half of the events may still come. */
const MAX_EVENTS = 1_000;
const MAX_BYTES = 200_000;

/** Of errors that another attempt with the same credential would meet again. */
const FINAL_CODES = ['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND', 'BAD_USER_INPUT'];

const RESUME = 'Subscribe again with `after: <cursor>`.';

/** How long a stream that continues waits for the service before its response begins, which browsers and proxies await. */
const OPENING_MS = 5_000;

const TOO_SLOW = new RestError('SLOW_CONSUMER', `The changes were read too slowly. ${RESUME}`);
export const STOPPING = new RestError('SERVER_STOPPING', `This gateway is being stopped. ${RESUME}`);
export const EXPIRING = new RestError('UNAUTHENTICATED', `The token expires: take a new one. ${RESUME}`);

/** How long a page waits for the slowest of several readers: one that is ended goes on alone, at its own pace. */
const PATIENCE_MS = 10_000;
/** Longer timers would fire at once. */
const MAX_TIMER_MS = 2_147_483_647;

interface Item {
  readonly event: Omit<Change, 'cursor'> | Error;
  /** How far the stream was before it. */
  readonly before: Positions;
  readonly bytes: number;
}

/** What one subscriber is told, in the order in which it was found, as fast as it is taken. */
export class ChangeStream implements AsyncIterable<Change | Error> {
  /** Aborted once nothing more is to be told. */
  readonly closing = new Cancellation();
  readonly #queue: Item[] = [];
  #bytes = 0;
  /** What the reader has taken, and may not have sent before it asks for more. */
  #taken = 0;
  /** Tells when there is an `item` to take, when the stream can `open`, or when there is `room` again. */
  readonly #events = new EventEmitter();
  /** The kinds that have not been read yet. */
  readonly #unread: Set<string>;
  #canOpen = false;

  /**
   * `positions`: behind what was pushed. `hold` counts what waits for its reader, and closes the stream if there is no room
   * for more. `onAccepted` is called when a kind has been read for the first time.
   */
  constructor(
    private readonly administrationId: string,
    sources: readonly ChangeSource[],
    public positions: Positions,
    private readonly retainBytes: (bytes: number) => void,
    private readonly onAccepted: () => void = () => {},
  ) {
    this.#unread = new Set(sources.map((source) => source.cursorKey));
  }

  /** Behind what the reader has taken. */
  get cursor(): string {
    return encodeFeedCursor(this.administrationId, this.#queue[0]?.before ?? this.positions);
  }

  /** Not once it has ended: what is read afterwards is never pushed, so no cursor may lie behind it. */
  setPosition({ cursorKey }: ChangeSource, position: FeedPosition): void {
    if (!this.closing.isAborted) this.positions = new Map(this.positions).set(cursorKey, position);
    if (this.#unread.delete(cursorKey)) this.onAccepted();
    if (this.#unread.size === 0) this.#open();
  }

  /**
   * Waits until each kind has been read once, so that a request whose credential is refused is answered like that of a
   * new stream: clients then get another token. Throws what has ended the stream. If the service cannot be read now, the
   * stream opens, keeps its position, and sends a notice.
   */
  async untilRead(): Promise<void> {
    const signal = AbortSignal.timeout(OPENING_MS);
    if (!this.#canOpen) await once(this.#events, 'open', { signal }).catch(() => {});
    const [first] = this.#queue;
    if (this.closing.isAborted && first?.event instanceof Error) throw first.event;
  }

  push(event: Item['event'], bytes = 0): void {
    if (this.closing.isAborted) return;
    this.#queue.push({ event, before: this.positions, bytes });
    this.#bytes += bytes;
    this.retainBytes(bytes);
    this.#events.emit('item');
  }

  /** The service could not be read; it is asked again after so many milliseconds, if that makes sense. */
  fail(error: Error, waitMs: number): void {
    if (!(error instanceof RestError) || FINAL_CODES.includes(error.code)) this.end(error);
    else this.push(new StreamError(error, Math.ceil(waitMs / 1_000)));
    this.#open();
  }

  /** Ends it behind what was taken: who goes on from there is told what was not. */
  end(error: Error): void {
    if (this.closing.isAborted) return;
    this.positions = this.#queue[0]?.before ?? this.positions;
    this.#queue.length = 0;
    this.push(error instanceof RestError ? new StreamError(error) : error);
    this.close();
  }

  /** Unless it has ended until then. */
  endAfter(milliseconds: number, error: RestError): void {
    void this.closing.pause(Math.min(milliseconds, MAX_TIMER_MS), { ref: false }).then(() => this.end(error));
  }

  /** What can be taken without waiting. */
  takeNow(): Change | Error | undefined {
    const item = this.#queue.shift();
    if (item === undefined) return undefined;
    const { event, bytes } = item;
    this.#bytes -= bytes;
    this.#taken += bytes;
    if (this.#hasRoom) this.#events.emit('room');
    return event instanceof Error ? event : { ...event, cursor: this.cursor };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Change | Error, void> {
    try {
      while (true) {
        this.retainBytes(-this.#taken);
        this.#taken = 0;
        const event = this.takeNow();
        if (event) yield event;
        else if (this.closing.isAborted) return;
        else await once(this.#events, 'item');
      }
    } finally {
      this.close();
    }
  }

  /** Waits until there is room for another page. Ends the stream if others would wait with it for too long. */
  async waitForRoom(isShared: boolean): Promise<void> {
    if (this.closing.isAborted || this.#hasRoom) return;
    const options = isShared ? { signal: AbortSignal.timeout(PATIENCE_MS) } : {};
    await once(this.#events, 'room', options).catch(() => {});
    if (!this.closing.isAborted && !this.#hasRoom) this.end(TOO_SLOW);
  }

  get #hasRoom(): boolean {
    return this.#queue.length <= MAX_EVENTS / 2 && this.#bytes <= MAX_BYTES;
  }

  /** Nothing more is pushed. */
  close(): void {
    this.closing.abort('closed');
    this.#open();
    this.#events.emit('item');
    this.#events.emit('room');
  }

  #open(): void {
    this.#canOpen = true;
    this.#events.emit('open');
  }
}
