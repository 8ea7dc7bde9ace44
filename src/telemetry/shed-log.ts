import type { Log } from './log.ts';

const PERIOD_MS = 1_000;

/** Overload rejects thousands of requests a second, so they are logged together: one line a second at most. */
export class ShedLog {
  readonly #log: Log;
  #counts = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  add(reason: string): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1);
    this.#timer ??= setTimeout(() => this.flush(), PERIOD_MS).unref();
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#counts.size === 0) return;
    this.#log('warn', 'requests shed', Object.fromEntries(this.#counts));
    this.#counts = new Map();
  }
}
