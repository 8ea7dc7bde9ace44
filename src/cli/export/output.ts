import type { Writable } from 'node:stream';
import { BYTE_ORDER_MARK, CsvWriter } from '../../export/csv.ts';
import type { CsvOptions } from '../arguments.ts';
import { writeText } from '../context.ts';
import { CommandFailure } from '../failure.ts';
import { createProgress, Notes, type TextOutput } from '../terminal.ts';
import type { ExportedRow, RowPlan } from './read-rows.ts';

/** How far an export has come. */
export interface WrittenPosition {
  /** The cursor of the last row; undefined before the first. */
  readonly after: string | undefined;
  readonly rows: number;
  /** Of the output, where it is a file: what stands behind them is not counted yet. */
  readonly bytes: number;
}

export const START: WrittenPosition = { after: undefined, rows: 0, bytes: 0 };

/** Where the rows of an export go. */
export interface RowOutput {
  /** With those that are not written yet. */
  readonly rows: number;
  /** Undefined where there is nothing to wait for. */
  add(row: ExportedRow): Promise<unknown> | undefined;
  /** Writes what has been added. */
  flush(): Promise<WrittenPosition>;
  /** Takes back what came behind a position that `flush` has returned. */
  rollBack(position: WrittenPosition): Promise<void>;
  /** All rows are there. */
  complete(): Promise<void>;
  /** They are not, and perhaps never will be. Returns a sentence on what is left. */
  keep(): Promise<string>;
}

/** What rows are written as, and what stands before them. */
export interface RowFormat {
  readonly header: string;
  readonly line: (row: ExportedRow) => string;
}

export const NDJSON_FORMAT: RowFormat = { header: '', line: ({ value }) => `${JSON.stringify(value)}\n` };

export function csvFormat({ columns }: RowPlan, { bom, formulas, ...style }: CsvOptions): RowFormat {
  const writer = new CsvWriter(columns, { ...style, guardsFormulas: !formulas });
  return {
    header: `${bom ? BYTE_ORDER_MARK.toString() : ''}${writer.header()}`,
    line: ({ value }) => writer.row(value),
  };
}

const CHUNK_LENGTH = 16_000;

/** Writes rows to a pipe or a terminal, from where none can be taken back. */
export class StandardOutput implements RowOutput {
  readonly #stream: Writable;
  readonly #format: RowFormat;
  #pending: string;
  #after: string | undefined;
  #writtenRows = 0;
  rows = 0;

  constructor(stream: Writable, format: RowFormat) {
    this.#stream = stream;
    this.#format = format;
    this.#pending = format.header;
    // Each write is told of its own error.
    stream.on('error', () => {});
  }

  add(row: ExportedRow): Promise<unknown> | undefined {
    this.#pending += this.#format.line(row);
    this.#after = row.cursor;
    this.rows += 1;
    return this.#pending.length < CHUNK_LENGTH ? undefined : this.flush();
  }

  async flush(): Promise<WrittenPosition> {
    if (this.#pending !== '') await writeText(this.#stream, this.#pending);
    this.#pending = '';
    this.#writtenRows = this.rows;
    return { after: this.#after, rows: this.rows, bytes: 0 };
  }

  async rollBack({ rows }: WrittenPosition): Promise<void> {
    if (rows < this.rows) throw new CommandFailure('Rows are missing, and those behind them are written.');
  }

  async complete(): Promise<void> {
    await this.flush();
  }

  async keep(): Promise<string> {
    // A stream that has failed takes no more.
    await this.flush().catch(() => {});
    return `${count(this.#writtenRows)} rows were written. Only the export to a file can be resumed.`;
  }
}

/** Where nobody watches, a line now and then is enough for a log. */
const TERMINAL_INTERVAL_MS = 250;
const LOG_INTERVAL_MS = 10_000;

/** Tells on the error output how far an export is. How many rows will come is not known. */
export class ExportProgress extends Notes {
  readonly #line;
  readonly #rows: () => number;
  readonly #rowsAtStart: number;
  readonly #startedAt = performance.now();
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(output: TextOutput, rows: () => number, isQuiet: boolean) {
    super(output, isQuiet);
    this.#line = createProgress(output);
    this.#rows = rows;
    this.#rowsAtStart = rows();
    if (!isQuiet)
      this.#timer = setInterval(() => this.#tell(), output.isTTY ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS);
  }

  override say(text: string): void {
    if (!this.isQuiet) this.#line.clear();
    super.say(text);
  }

  end(): void {
    clearInterval(this.#timer);
    if (!this.isQuiet) this.#line.clear();
  }

  summary(): string {
    const seconds = (performance.now() - this.#startedAt) / 1_000;
    const rows = this.#rows();
    const rate = Math.round((rows - this.#rowsAtStart) / Math.max(seconds, 0.001));
    return `${count(rows)} rows, ${count(rate)} rows/s, ${clock(seconds)}`;
  }

  #tell(): void {
    if (this.output.isTTY) this.#line.show(this.summary());
    else this.output.write(`${this.summary()}\n`);
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
