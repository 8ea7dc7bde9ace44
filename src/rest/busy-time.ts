/** The time during which at least one of several overlapping activities is in progress. */
export class BusyTime {
  #active = 0;
  #since = 0;
  #total = 0;

  start(now: number): void {
    if (this.#active === 0) this.#since = now;
    this.#active += 1;
  }

  end(now: number): void {
    this.#active -= 1;
    if (this.#active === 0) this.#total += now - this.#since;
  }

  /** Milliseconds until now, including what is still in progress. */
  total(now: number): number {
    return this.#active > 0 ? this.#total + now - this.#since : this.#total;
  }
}
