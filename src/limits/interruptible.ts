/** Nothing came in time. */
export const SILENCE = Symbol('silence');

/**
 * An async iterator that can be waited for up to a time, and left at any moment. An async generator does neither: a
 * call of its `return` waits until its pending `next` has settled.
 */
export class Interruptible<T> {
  readonly #iterator: AsyncIterator<T>;
  readonly #onFault: (error: unknown) => void;
  #isPending = false;
  #isLeft = false;
  /** What `next` has given, or how it failed. */
  #outcome: (() => IteratorResult<T, unknown>) | undefined;
  #wake = () => {};

  /** `onFault` is told if the iterator fails as it is left, when nobody waits for it any more. */
  constructor(iterator: AsyncIterator<T>, onFault: (error: unknown) => void) {
    this.#iterator = iterator;
    this.#onFault = onFault;
  }

  /** The next item, or `SILENCE` if there is none after so long; done once it was left. */
  async next(milliseconds: number): Promise<IteratorResult<T, unknown> | typeof SILENCE> {
    if (!this.#isLeft && !this.#isPending) this.#ask();
    if (!this.#isLeft && this.#outcome === undefined) {
      // Not `Promise.race`: what never settles would keep a reaction for each time that it lost.
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    if (this.#isLeft) return { done: true, value: undefined };
    const outcome = this.#outcome;
    if (outcome === undefined) return SILENCE;
    this.#outcome = undefined;
    this.#isPending = false;
    // What has come to its end, or failed, needs no other end.
    this.#isLeft = true;
    const item = outcome();
    this.#isLeft = item.done === true;
    return item;
  }

  /** Ends the iterator, at once and once, whether or not it is being waited for. */
  leave(): void {
    if (this.#isLeft) return;
    this.#isLeft = true;
    this.#wake();
    const end = async () => this.#iterator.return?.();
    end().catch(this.#onFault);
  }

  #ask(): void {
    this.#isPending = true;
    const settle = (outcome: () => IteratorResult<T, unknown>) => {
      this.#outcome = outcome;
      this.#wake();
    };
    const ask = async () => this.#iterator.next();
    ask().then(
      (item) => settle(() => item),
      (error: unknown) =>
        settle(() => {
          throw error;
        }),
    );
  }
}
