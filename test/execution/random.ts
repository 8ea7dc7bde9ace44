/** Chances that follow from a seed (mulberry32), for what is easier to make step by step than to compose. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  below(count: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let bits = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return Math.floor((((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32) * count);
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('there is nothing to pick from');
    return item;
  }
}
