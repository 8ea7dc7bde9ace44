import type { Writable } from 'node:stream';
import { CommandFailure } from '../failure.ts';
import { writeText } from '../standard-output.ts';
import type { Output, Position, RowFormat } from './output.ts';
import { count } from './progress.ts';
import type { Row } from './read-rows.ts';

const CHUNK_LENGTH = 16_000;

/** Writes rows to a pipe or a terminal, from where none can be taken back. */
export class StandardOutput implements Output {
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

  add(row: Row): Promise<unknown> | undefined {
    this.#pending += this.#format.line(row);
    this.#after = row.cursor;
    this.rows += 1;
    return this.#pending.length < CHUNK_LENGTH ? undefined : this.flush();
  }

  async flush(): Promise<Position> {
    if (this.#pending !== '') await writeText(this.#stream, this.#pending);
    this.#pending = '';
    this.#writtenRows = this.rows;
    return { after: this.#after, rows: this.rows, bytes: 0 };
  }

  async rollBack({ rows }: Position): Promise<void> {
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
