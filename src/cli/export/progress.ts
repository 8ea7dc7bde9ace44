import { createProgress, type TextOutput, withoutControlCharacters } from '../terminal.ts';

/** Where nobody watches, a line now and then is enough for a log. */
const TERMINAL_INTERVAL_MS = 250;
const LOG_INTERVAL_MS = 10_000;

/** Tells on the error output how far an export is. How many rows will come is not known. */
export class ExportProgress {
  readonly #output: TextOutput;
  readonly #line;
  readonly #rows: () => number;
  readonly #rowsAtStart: number;
  readonly #startedAt = performance.now();
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #isQuiet: boolean;

  constructor(output: TextOutput, rows: () => number, isQuiet: boolean) {
    this.#output = output;
    this.#line = createProgress(output);
    this.#rows = rows;
    this.#rowsAtStart = rows();
    this.#isQuiet = isQuiet;
    if (!isQuiet)
      this.#timer = setInterval(() => this.#tell(), output.isTTY ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS);
  }

  /** A sentence on what happens meanwhile. */
  note(text: string): void {
    if (!this.#isQuiet) this.say(text);
  }

  /** A sentence that is told even where no progress is. */
  say(text: string): void {
    if (!this.#isQuiet) this.#line.clear();
    this.#output.write(`${withoutControlCharacters(text)}\n`);
  }

  end(): void {
    clearInterval(this.#timer);
    if (!this.#isQuiet) this.#line.clear();
  }

  summary(): string {
    const seconds = (performance.now() - this.#startedAt) / 1_000;
    const rows = this.#rows();
    const rate = Math.round((rows - this.#rowsAtStart) / Math.max(seconds, 0.001));
    return `${count(rows)} rows, ${count(rate)} rows/s, ${clock(seconds)}`;
  }

  #tell(): void {
    if (this.#output.isTTY) this.#line.show(this.summary());
    else this.#output.write(`${this.summary()}\n`);
  }
}

export function count(value: number): string {
  return value.toLocaleString('en');
}

function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
