import { type ExecutionResult, GraphQLError } from 'graphql';
import { currentSlice, isSliceOver, nextSlice } from '../limits/time-slice.ts';

export interface BudgetOptions {
  readonly maxObjects: number;
  readonly maxBytes: number;
  /** Called now and then with the bytes that the answer has grown by. */
  readonly onGrowth?: (bytes: number) => void;
  /** Why nobody waits for the answer any more, if so: asked between slices of long work. */
  readonly cancelled?: () => GraphQLError | undefined;
  /** Called once, when the operation is stopped: what is still being read is not needed. */
  readonly onStop?: () => void;
}

/** How often growth is told, and how often the clock is looked at. */
const STEP_BYTES = 32_000;
const LOOK_BYTES = 8_000;

/** An answer beyond either is written piece by piece, since it would keep the event loop for too long. */
const LARGE_OBJECTS = 4_000;
const LARGE_BYTES = 500_000;

/**
 * What the answer of one operation may take. While it is made, its bytes are counted as what its keys and its
 * punctuation take at least; the values are counted when it is written.
 */
export class Budget {
  readonly #options: BudgetOptions;
  #maxObjects: number;
  #nextStep = STEP_BYTES;
  #nextLook = STEP_BYTES;
  #overIn: number | undefined;
  #told = 0;
  #objects = 0;
  #bytes = 0;
  #stopped: GraphQLError | undefined;
  #isProtected = false;

  constructor(options: BudgetOptions) {
    this.#options = options;
    this.#maxObjects = options.maxObjects;
  }

  /** Why the operation was stopped, if it was. */
  get stopped(): GraphQLError | undefined {
    return this.#stopped;
  }

  get isLarge(): boolean {
    return this.#objects > LARGE_OBJECTS || this.#bytes > LARGE_BYTES;
  }

  /** Counts an object or a list, with what it takes at least; throws where that is too much. */
  spend(bytes: number): void {
    this.#objects += 1;
    this.#bytes += bytes;
    if (this.#objects > this.#maxObjects || this.#bytes > this.#nextStep) this.#check();
  }

  /** Throws where what has been written is too long. */
  checkWritten(bytes: number): void {
    if (bytes > this.#options.maxBytes) throw this.#tooLong();
  }

  /** Whether the operation writes: then it goes on to its end, and only its answer may be missing. */
  get isProtected(): boolean {
    return this.#isProtected;
  }

  protect(): void {
    this.#isProtected = true;
  }

  /** What an operation comes to that ends with this error. Whoever is not told that writes were made makes them again. */
  resultOf(error: GraphQLError): ExecutionResult {
    if (!this.#isProtected) return { errors: [error] };
    const message = `${error.message} The mutation has run, and its writes were made: do not send it again.`;
    return { errors: [new GraphQLError(message, { extensions: error.extensions })], data: null };
  }

  /** Ends the operation with this error, wherever it is. */
  stop(error: GraphQLError): void {
    if (this.#stopped) return;
    this.#stopped = error;
    this.#maxObjects = -1;
    if (!this.#isProtected) this.#options.onStop?.();
  }

  /** Waits for another turn of the event loop; throws where nobody waits for the answer by then. */
  async nextSlice(): Promise<void> {
    await nextSlice();
    const reason = this.#options.cancelled?.();
    if (reason === undefined) return;
    this.stop(reason);
    throw reason;
  }

  /** Whether it should wait for another turn of the event loop. */
  isSliceOver(): boolean {
    // A list that waits grows no more, and those around it have to wait as well.
    if (this.#overIn === currentSlice()) return true;
    if (this.#bytes < this.#nextLook) return false;
    this.#nextLook = this.#bytes + LOOK_BYTES;
    if (!isSliceOver()) return false;
    this.#overIn = currentSlice();
    return true;
  }

  #check(): void {
    const { maxObjects, maxBytes, onGrowth } = this.#options;
    if (this.#objects > maxObjects)
      this.stop(tooExpensive(`has more than ${maxObjects} objects. Ask for fewer rows or fewer lists.`));
    if (this.#bytes > maxBytes) this.stop(this.#tooLong());
    if (this.#stopped) throw this.#stopped;
    onGrowth?.(this.#bytes - this.#told);
    this.#told = this.#bytes;
    if (this.#stopped) throw this.#stopped;
    this.#nextStep = Math.min(maxBytes, this.#bytes + STEP_BYTES);
  }

  #tooLong(): GraphQLError {
    return tooExpensive(
      `is longer than ${this.#options.maxBytes} bytes. Ask for fewer rows, lists or fields.`,
    );
  }
}

function tooExpensive(what: string): GraphQLError {
  return new GraphQLError(`The answer ${what}`, {
    extensions: { code: 'OPERATION_TOO_EXPENSIVE', http: { status: 400 } },
  });
}
