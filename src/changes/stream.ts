import type { ErrorCode, RestErrorOptions } from '../rest/errors.ts';
import { type Change, type ChangeKind, StreamFault } from './change.ts';
import { encodeFeedCursor, type FeedPosition } from './position.ts';

/** Events that wait for their reader. Twice as many as a page has rows, so that one can be read while one is told. */
const MAX_QUEUED = 1_000;

/** What an event takes in memory while it waits, beside its record, as measured. */
const ITEM_BYTES = 500;

/** How many times as long as for a reader others wait for the gateway, which may have a hundred streams to tell. */
const OWN_PATIENCE = 5;

/** How a stream ends other than by its reader. */
export interface Ending extends Pick<RestErrorOptions, 'retryAfter' | 'upstream'> {
  readonly code: ErrorCode;
  readonly message: string;
}

/** An error is told in the place of a change. */
type ChangeOrError = Change | Error;

interface Item {
  /** Called when it is taken, with the cursor behind it. */
  readonly create: (cursor: string) => ChangeOrError;
  /** How far the stream is once it was taken. */
  readonly advances: [ChangeKind, FeedPosition][];
  readonly bytes: number;
}

interface StreamOptions {
  readonly administrationId: string;
  /** Counts bytes that are kept for its reader. */
  readonly hold: (bytes: number) => void;
  /** Called once, when nothing more is to be told. */
  readonly onClose: (stream: ChangeStream) => void;
}

/** What one subscriber is told, in the order in which it was found, as fast as it is taken. */
export class ChangeStream implements AsyncIterableIterator<ChangeOrError> {
  readonly hold: StreamOptions['hold'];
  readonly #options: StreamOptions;
  readonly #queue: Item[] = [];
  #takenBytes = 0;
  readonly #positions = new Map<ChangeKind, FeedPosition>();
  #cursor: string | undefined;
  isClosed = false;
  #onItem: (() => void) | undefined;
  #onRoom: (() => void)[] = [];
  /** How long the reader has kept the gateway waiting, and since when it does; undefined while it waits itself. */
  #readerMs = 0;
  #waitingSince: number | undefined = performance.now();

  constructor(options: StreamOptions) {
    this.hold = options.hold;
    this.#options = options;
  }

  /** Behind what the reader has taken. */
  get cursor(): string {
    this.#cursor ??= encodeFeedCursor(this.#options.administrationId, this.#positions);
    return this.#cursor;
  }

  push(kind: ChangeKind, position: FeedPosition, bytes: number, create: (cursor: string) => Change): void {
    this.#enqueue(create, [[kind, position]], bytes);
  }

  /**
   * Says where the stream is, once all that was pushed has been taken. Not once it has ended: what is read afterwards is
   * never pushed, so the cursor of its ending must not lie behind it.
   */
  advance(kind: ChangeKind, position: FeedPosition): void {
    if (this.isClosed) return;
    const last = this.#positions.has(kind) ? this.#queue.at(-1) : undefined;
    if (last === undefined) return void this.#apply([[kind, position]]);
    // One for each kind, however many polls a slow reader takes.
    const { advances } = last;
    const index = advances.findIndex(([known]) => known === kind);
    advances[index < 0 ? advances.length : index] = [kind, position];
  }

  /** Says that the service cannot be read for now. */
  notify({ code, message, ...others }: Ending): void {
    this.#enqueue((cursor) => new StreamFault(code, message, { ...others, cursor, ends: false }));
  }

  /** Ends it behind what was pushed or, if its reader is too slow for that, behind what was taken. */
  end({ code, message, upstream }: Ending, dropsQueue = false): void {
    if (this.isClosed) return;
    if (dropsQueue) this.#clear();
    this.#enqueue((cursor) => new StreamFault(code, message, { upstream, cursor, ends: true }));
    this.#close();
  }

  fail(error: Error): void {
    this.#enqueue(() => error);
    this.#close();
  }

  /** What can be taken without waiting. It counts until `next` asks for what comes behind all that was taken. */
  takeNow(): ChangeOrError | undefined {
    const item = this.#queue.shift();
    if (item === undefined) return undefined;
    this.#apply(item.advances);
    this.#takenBytes += item.bytes + ITEM_BYTES;
    // Nobody may ask for what comes behind the last.
    if (this.isClosed && this.#queue.length === 0) this.#releaseTaken();
    if (this.#hasRoom) this.#tellRoom();
    return item.create(this.cursor);
  }

  async next(): Promise<IteratorResult<ChangeOrError, undefined>> {
    this.#releaseTaken();
    while (this.#queue.length === 0 && !this.isClosed) {
      await new Promise<void>((resolve) => {
        this.#onItem = resolve;
      });
    }
    const value = this.takeNow();
    return value === undefined ? { done: true, value: undefined } : { done: false, value };
  }

  async return(): Promise<IteratorResult<ChangeOrError, undefined>> {
    this.#releaseTaken();
    this.#clear();
    this.#close();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** The reader asks for more: from now on it waits for the gateway. */
  asked(): void {
    this.#readerMs = this.readerMs;
    this.#waitingSince = undefined;
  }

  /** The reader has what it asked for. */
  gave(): void {
    this.#waitingSince = performance.now();
  }

  /** So long it waited for what its selection needs, for which others must not wait. */
  addReaderMs(milliseconds: number): void {
    this.#readerMs += milliseconds;
  }

  get readerMs(): number {
    return this.#readerMs + (this.#waitingSince === undefined ? 0 : performance.now() - this.#waitingSince);
  }

  /**
   * Waits until there is room for another page; resolves to false if its reader takes longer than that, or the gateway
   * itself much longer.
   */
  async room(patienceMs: number): Promise<boolean> {
    const end = this.readerMs + patienceMs;
    const latest = performance.now() + OWN_PATIENCE * patienceMs;
    while (!this.#hasRoom && !this.isClosed) {
      const timeLeft = Math.min(end - this.readerMs, latest - performance.now());
      if (timeLeft <= 0) return false;
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#onRoom.push(resolve);
        if (Number.isFinite(timeLeft)) timer = setTimeout(resolve, timeLeft);
      });
      clearTimeout(timer);
    }
    return true;
  }

  get #hasRoom(): boolean {
    return this.#queue.length <= MAX_QUEUED / 2;
  }

  #enqueue(create: Item['create'], advances: Item['advances'] = [], bytes = 0): void {
    if (this.isClosed) return;
    this.#queue.push({ create, advances, bytes });
    this.hold(bytes + ITEM_BYTES);
    this.#onItem?.();
  }

  #apply(advances: Item['advances']): void {
    if (advances.length > 0) this.#cursor = undefined;
    for (const [kind, position] of advances) this.#positions.set(kind, position);
  }

  #releaseTaken(): void {
    this.hold(-this.#takenBytes);
    this.#takenBytes = 0;
  }

  #clear(): void {
    for (const { bytes } of this.#queue.splice(0)) this.hold(-bytes - ITEM_BYTES);
  }

  #close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#onItem?.();
    this.#tellRoom();
    this.#options.onClose(this);
  }

  #tellRoom(): void {
    for (const resolve of this.#onRoom.splice(0)) resolve();
  }
}
