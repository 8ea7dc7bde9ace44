import { EventEmitter, once } from 'node:events';
import { Cancellation } from '../rest/cancellation.ts';
import { RestError } from '../rest/errors.ts';
import { type Change, type ChangeSource, StreamError } from './change.ts';
import { type ChangePosition, encodeEventCursor, type Positions } from './position.ts';

/** The next page is read only while the queue has at most half of these events, and at most these bytes. */
const MAX_EVENTS = 1_000;
const MAX_BYTES = 200_000;

/** The codes of errors that a retry with the same credential would get again. */
const FINAL_CODES = ['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND', 'BAD_USER_INPUT'];

const RESUME = 'Subscribe again with `after: <cursor>`.';

/** A resumed stream waits this long for the service: browsers and proxies await the response. */
const MAX_OPENING_MS = 5_000;

const TOO_SLOW = new RestError('SLOW_CONSUMER', `The changes were read too slowly. ${RESUME}`);
export const STOPPING = new RestError('SERVER_STOPPING', `This gateway is being stopped. ${RESUME}`);
export const EXPIRING = new RestError(
  'UNAUTHENTICATED',
  `The token is about to expire. Get a new one. ${RESUME}`,
);

/** A page that several streams share waits this long for the slowest one, which then ends. */
const MAX_SHARED_WAIT_MS = 10_000;
/** Node fires longer timers at once. */
const MAX_TIMER_MS = 2_147_483_647;

interface QueuedEvent {
  readonly event: Omit<Change, 'cursor'> | Error;
  readonly positionsBefore: Positions;
  readonly bytes: number;
}

/** Queues the events of one subscriber in order. */
export class ChangeStream implements AsyncIterable<Change | Error> {
  readonly closing = new Cancellation();
  readonly #queue: QueuedEvent[] = [];
  #queuedBytes = 0;
  /** The bytes that the subscriber has taken, but may not have sent yet. */
  #takenBytes = 0;
  /** Emits `item` for a new item, `open` when the stream can open, and `room` when the queue has room again. */
  readonly #events = new EventEmitter();
  readonly #unreadKeys: Set<string>;
  #isOpen = false;

  /** `retainBytes` counts the queued bytes, and closes the stream if memory is short. */
  constructor(
    private readonly administrationId: string,
    sources: readonly ChangeSource[],
    public positions: Positions,
    private readonly retainBytes: (bytes: number) => void,
    private readonly onAccepted: () => void = () => {},
  ) {
    this.#unreadKeys = new Set(sources.map((source) => source.cursorKey));
  }

  /** The cursor after the last event taken. */
  get cursor(): string {
    return encodeEventCursor(this.administrationId, this.#queue[0]?.positionsBefore ?? this.positions);
  }

  /** Keeps the position of a closed stream: later records are not pushed, so its cursor must not skip them. */
  setPosition({ cursorKey }: ChangeSource, position: ChangePosition): void {
    if (!this.closing.isAborted) this.positions = new Map(this.positions).set(cursorKey, position);
    if (this.#unreadKeys.delete(cursorKey)) this.onAccepted();
    if (this.#unreadKeys.size === 0) this.#open();
  }

  /**
   * Waits until each kind has been read once. Throws the error that ended the stream, so that a request with a
   * rejected credential fails. If the service is unavailable, the stream opens and reports the error.
   */
  async whenOpen(): Promise<void> {
    const signal = AbortSignal.timeout(MAX_OPENING_MS);
    if (!this.#isOpen) await once(this.#events, 'open', { signal }).catch(() => {});
    const [first] = this.#queue;
    if (this.closing.isAborted && first?.event instanceof Error) throw first.event;
  }

  push(event: QueuedEvent['event'], bytes = 0): void {
    if (this.closing.isAborted) return;
    this.#queue.push({ event, positionsBefore: this.positions, bytes });
    this.#queuedBytes += bytes;
    this.retainBytes(bytes);
    this.#events.emit('item');
  }

  /** Ends the stream if the error is final. Otherwise, reports the error and when the next attempt is. */
  fail(error: Error, waitMs: number): void {
    if (!(error instanceof RestError) || FINAL_CODES.includes(error.code)) this.end(error);
    else this.push(new StreamError(error, Math.ceil(waitMs / 1_000)));
    this.#open();
  }

  /** Ends the stream and drops queued events. A client that resumes receives them. */
  end(error: Error): void {
    if (this.closing.isAborted) return;
    this.positions = this.#queue[0]?.positionsBefore ?? this.positions;
    this.#queue.length = 0;
    this.push(error instanceof RestError ? new StreamError(error) : error);
    this.close();
  }

  endAfter(milliseconds: number, error: RestError): void {
    void this.closing.pause(Math.min(milliseconds, MAX_TIMER_MS), { ref: false }).then(() => this.end(error));
  }

  /** Takes the next event, if there is one, without waiting. */
  takeNow(): Change | Error | undefined {
    const item = this.#queue.shift();
    if (item === undefined) return undefined;
    const { event, bytes } = item;
    this.#queuedBytes -= bytes;
    this.#takenBytes += bytes;
    if (this.#hasRoom) this.#events.emit('room');
    return event instanceof Error ? event : { ...event, cursor: this.cursor };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Change | Error, void> {
    try {
      while (true) {
        this.retainBytes(-this.#takenBytes);
        this.#takenBytes = 0;
        const event = this.takeNow();
        if (event) yield event;
        else if (this.closing.isAborted) return;
        else await once(this.#events, 'item');
      }
    } finally {
      this.close();
    }
  }

  /** Waits for room in the queue. Ends this stream if others, which share the page, would wait too long. */
  async waitForRoom({ isShared }: { readonly isShared: boolean }): Promise<void> {
    if (this.closing.isAborted || this.#hasRoom) return;
    const options = isShared ? { signal: AbortSignal.timeout(MAX_SHARED_WAIT_MS) } : {};
    await once(this.#events, 'room', options).catch(() => {});
    if (!this.closing.isAborted && !this.#hasRoom) this.end(TOO_SLOW);
  }

  get #hasRoom(): boolean {
    return this.#queue.length <= MAX_EVENTS / 2 && this.#queuedBytes <= MAX_BYTES;
  }

  close(): void {
    this.closing.abort('closed');
    this.#open();
    this.#events.emit('item');
    this.#events.emit('room');
  }

  #open(): void {
    this.#isOpen = true;
    this.#events.emit('open');
  }
}
