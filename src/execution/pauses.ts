const RESOLVED = Promise.resolve();

/** The lists of an operation that have paused. What they ask for is asked for together, once none does any more. */
export class Pauses {
  #count = 0;
  #over: Promise<void> | undefined;
  #end = () => {};

  /** Continues after `waiting`; it may pause again there. */
  async during<Result>(waiting: Promise<void>, next: () => Result | Promise<Result>): Promise<Result> {
    this.#count += 1;
    try {
      await waiting;
      return next();
    } finally {
      this.#count -= 1;
      if (this.#count === 0) this.#end();
    }
  }

  /** As DataLoader schedules a batch, but behind the rows of lists that pause: what they load belongs to it too. */
  scheduleBatch(dispatch: () => void): void {
    RESOLVED.then(() =>
      process.nextTick(() => {
        const over = this.whenOver();
        if (over) over.then(() => this.scheduleBatch(dispatch));
        else dispatch();
      }),
    );
  }

  /** Resolves when no list pauses any more; undefined if none does now. */
  whenOver(): Promise<void> | undefined {
    if (this.#count === 0) return undefined;
    this.#over ??= new Promise((resolve) => {
      this.#end = () => {
        this.#over = undefined;
        resolve();
      };
    });
    return this.#over;
  }
}
