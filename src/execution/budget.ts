import { type ExecutionResult, GraphQLError } from 'graphql';
import { currentSlice, isSliceOver, nextSlice } from '../limits/time-slice.ts';
import { Pauses } from './pauses.ts';

export interface BudgetOptions {
  /** Owners take turns with long work. */
  readonly owner?: string;
  /** If several executions share their loads. */
  readonly pauses?: Pauses;
  readonly maxObjects: number;
  readonly maxBytes: number;
  /** The errors beyond which some are cut; 500 if absent. */
  readonly maxErrors?: number;
  /** Called at intervals with the bytes that the response has grown by. */
  readonly onGrowth?: (bytes: number) => void;
  /** The error of an aborted request, else undefined; called between slices of long work. */
  readonly abortReason?: () => GraphQLError | undefined;
  /** Whether there is no room for a longer answer to a field of a mutation, which nothing else ends. */
  readonly isFull?: () => boolean;
  /** Called once, when the operation is stopped: REST calls in flight can be aborted. */
  readonly onStop?: () => void;
}

const MAX_ERRORS = 500;

/** Bytes between two checks of the limits, and between two reads of the clock. */
const CHECK_INTERVAL_BYTES = 32_000;
const CLOCK_INTERVAL_BYTES = 8_000;
/** So many loads or errors take no time to speak of: a short operation does not wait for those that are long. */
const FREE_STEPS = 20;

/** What an error takes with its cause, its path and their stacks. */
const ERROR_BYTES = 2_000;

/** As how many bytes an item of a list counts: it takes more memory and time than its shortest JSON. */
const ITEM_BYTES = 25;
/** What a list takes in memory beside its items. */
const LIST_BYTES = 60;

/** What a text takes in memory beside its length: V8 may keep it as the parts that it was joined from. */
const NEW_TEXT_BYTES = 120;

/** The answer to a field of a mutation that is told in any case, without the texts of records. */
const SHORT_FIELD_BYTES = 200_000;

const NO_ROOM = new GraphQLError('There is no room for the answer to this field.', {
  extensions: { code: 'OPERATION_TOO_EXPENSIVE' },
});

/** A response above either limit is serialized in chunks, since it would block the event loop for too long. */
const LARGE_OBJECTS = 4_000;
const LARGE_BYTES = 1_000_000;

/**
 * The size limits of one operation's response. During execution its keys, punctuation and texts are counted, as a lower
 * bound: a record may stand in it any number of times. Its exact length is checked when it is serialized.
 */
export class Budget {
  readonly #options: BudgetOptions;
  #maxObjects: number;
  #nextCheck = CHECK_INTERVAL_BYTES;
  #nextClockCheck = CHECK_INTERVAL_BYTES;
  #steps = 0;
  #expiredSlice: number | undefined;
  #reportedMemory = 0;
  #objects = 0;
  #bytes = 0;
  /** What the response takes in memory, without the texts of records, which it only refers to. */
  #memory = 0;
  #byteLimit: number;
  /** What the fields of a mutation before this one take. */
  #memoryBefore = 0;
  #stopError: GraphQLError | undefined;
  #isProtected = false;

  readonly pauses: Pauses;

  constructor(options: BudgetOptions) {
    this.#options = options;
    this.pauses = options.pauses ?? new Pauses();
    this.#maxObjects = options.maxObjects;
    this.#byteLimit = options.maxBytes;
  }

  get maxErrors(): number {
    return this.#options.maxErrors ?? MAX_ERRORS;
  }

  get stopError(): GraphQLError | undefined {
    return this.#stopError;
  }

  get isLarge(): boolean {
    return this.#objects > LARGE_OBJECTS || this.#bytes > LARGE_BYTES;
  }

  /** Counts an object or a list and its minimum bytes; throws if a limit is exceeded. */
  spend(bytes: number): void {
    this.#objects += 1;
    this.#bytes += bytes;
    this.#memory += bytes;
    if (this.#objects > this.#maxObjects || this.#bytes > this.#nextCheck) this.#check();
  }

  spendList(items: number): void {
    this.#memory += LIST_BYTES;
    this.spend(items * ITEM_BYTES);
  }

  /** Counts texts of the object that is counted next, or of the last one. */
  addText(length: number): void {
    this.#bytes += length;
  }

  /** The same for so many texts that were made for the response, such as ids and cursors. */
  addNewText(length: number, count = 1): void {
    this.#bytes += length;
    this.#memory += count * NEW_TEXT_BYTES + length;
  }

  /** Counts what is kept until the response is complete. */
  addMemory(bytes: number): void {
    this.#memory += bytes;
  }

  /** Stops the operation if the last object has made it too long. */
  settle(): void {
    if (this.#bytes > this.#byteLimit) this.stop(this.tooLongError());
  }

  checkJsonLength(bytes: number): void {
    if (this.isTooLong(bytes)) throw this.tooLongError();
  }

  isTooLong(bytes: number): boolean {
    return bytes > this.#options.maxBytes;
  }

  /** True for a mutation: it is never aborted halfway, only the result of a field may be dropped. */
  get isProtected(): boolean {
    return this.#isProtected;
  }

  protect(): void {
    this.#isProtected = true;
  }

  /** The result of an operation that ends with this error. For a mutation it says so, to keep clients from retrying. */
  errorResult(error: GraphQLError): ExecutionResult {
    return this.#isProtected ? { errors: [afterWrite(error)], data: null } : { errors: [error] };
  }

  /** Begins a field of a mutation, which may be as long as a response: what is too long together is left out field by field. */
  startField() {
    this.#byteLimit = this.#bytes + this.#options.maxBytes;
    this.#memoryBefore = this.#memory;
    return { objects: this.#objects, bytes: this.#bytes, memory: this.#memory };
  }

  bytesSince(before: { readonly bytes: number }): number {
    return this.#bytes - before.bytes;
  }

  /** If the operation was stopped, takes back what this field of a mutation took, and gives the error of the field. */
  takeStopError(before: ReturnType<Budget['startField']>): GraphQLError | undefined {
    this.settle();
    const error = this.#stopError;
    if (error === undefined) return undefined;
    this.#stopError = undefined;
    this.#maxObjects = this.#options.maxObjects;
    this.#objects = before.objects;
    this.#bytes = before.bytes;
    this.#memory = before.memory;
    this.reportGrowth();
    this.#nextCheck = before.bytes + CHECK_INTERVAL_BYTES;
    return afterWrite(error);
  }

  /** Stops the operation with this error: the next `spend` throws it. */
  stop(error: GraphQLError): void {
    if (this.#stopError) return;
    this.#stopError = error;
    this.#maxObjects = -1;
    if (!this.#isProtected) this.#options.onStop?.();
  }

  /** Waits for another turn of the event loop; throws if the request was aborted meanwhile. */
  async nextSlice(): Promise<void> {
    await nextSlice(this.#options.owner ?? '');
    const reason = this.#options.abortReason?.();
    // What a mutation has written is told, even if it took too long.
    if (reason === undefined || this.#isProtected) return;
    this.stop(reason);
    throw reason;
  }

  /** Lets others run before the rest of some work; `next` may pause again. */
  pause<Result>(next: () => Result | Promise<Result>): Promise<Result> {
    return this.pauses.during(this.nextSlice(), next);
  }

  /** Something was done that takes long, if it is done often, without making the response longer. */
  checkClock(): void {
    this.#steps += 1;
    if (this.#steps > FREE_STEPS) this.#nextClockCheck = this.#bytes;
  }

  isSliceOver(): boolean {
    // The enclosing lists have to yield as well, although the bytes do not grow any more.
    if (this.#expiredSlice === currentSlice()) return true;
    if (this.#bytes < this.#nextClockCheck) return false;
    this.#nextClockCheck = this.#bytes + CLOCK_INTERVAL_BYTES;
    if (!isSliceOver()) return false;
    this.#expiredSlice = currentSlice();
    return true;
  }

  /** Counts an error as memory: those that are kept are few in a response, and many in events that wait to be sent. */
  addError(): void {
    this.#options.onGrowth?.(ERROR_BYTES);
  }

  reportGrowth(): void {
    this.#options.onGrowth?.(this.#memory - this.#reportedMemory);
    this.#reportedMemory = this.#memory;
  }

  #check(): void {
    const { maxObjects } = this.#options;
    if (this.#objects > maxObjects)
      this.stop(tooExpensive(`has more than ${maxObjects} objects. Ask for fewer rows or fewer lists.`));
    this.settle();
    if (this.#stopError) throw this.#stopError;
    this.reportGrowth();
    if (this.#memory - this.#memoryBefore > SHORT_FIELD_BYTES && this.#options.isFull?.()) this.stop(NO_ROOM);
    if (this.#stopError) throw this.#stopError;
    this.#nextCheck = Math.min(this.#byteLimit, this.#bytes + CHECK_INTERVAL_BYTES);
  }

  tooLongError(): GraphQLError {
    return tooExpensive(
      `is longer than ${this.#options.maxBytes} bytes. Ask for fewer rows, lists or fields.`,
    );
  }
}

/** The error of a write whose result cannot be told, with a path if it is of one field. */
export function afterWrite({ message, extensions }: GraphQLError, path?: readonly string[]): GraphQLError {
  return new GraphQLError(
    `${message} The mutation has run, and its writes were made: do not send it again.`,
    { extensions, ...(path && { path }) },
  );
}

function tooExpensive(problem: string): GraphQLError {
  return new GraphQLError(`The answer ${problem}`, {
    extensions: { code: 'OPERATION_TOO_EXPENSIVE' },
  });
}
