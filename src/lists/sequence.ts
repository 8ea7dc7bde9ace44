/** Runs tasks one after another, so that what one keeps while it works is not kept for all of them at once. */
export class Sequence {
  #last: Promise<unknown> | undefined;

  run<Result>(task: () => Promise<Result>): Promise<Result> {
    const result = this.#last ? this.#last.then(task) : task();
    this.#last = result.catch(() => {});
    return result;
  }
}
