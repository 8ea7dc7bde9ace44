const RESOLVED = Promise.resolve();

/** The lists of an operation that have paused. What they ask for is asked for together, once none does any more. */
export class Pauses {
  #count = 0;
  #over: Promise<void> | undefined;
  #end = () => {};

  /** Continues with `next` after some work that takes several turns of the event loop; it may pause again there. */
  async during<Work, Result>(
    work: Promise<Work>,
    next: (done: Work) => Result | Promise<Result>,
  ): Promise<Result> {
    this.#count += 1;
    try {
      const done = await work;
      return next(done);
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
