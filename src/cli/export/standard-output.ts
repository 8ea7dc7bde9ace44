import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { ExportFailure } from './failure.ts';
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
  rows = 0;

  constructor(stream: Writable, format: RowFormat) {
    this.#stream = stream;
    this.#format = format;
    this.#pending = format.header;
  }

  add(row: Row): Promise<unknown> | undefined {
    this.#pending += this.#format.line(row);
    this.#after = row.cursor;
    this.rows += 1;
    return this.#pending.length < CHUNK_LENGTH ? undefined : this.flush();
  }

  async flush(): Promise<Position> {
    const text = this.#pending;
    this.#pending = '';
    if (text !== '' && !this.#stream.write(text)) await once(this.#stream, 'drain');
    return { after: this.#after, rows: this.rows, bytes: 0 };
  }

  async rollBack({ rows }: Position): Promise<void> {
    if (rows < this.rows) throw new ExportFailure('Rows are missing, and those behind them are written.');
  }

  async complete(): Promise<void> {
    await this.flush();
  }

  async keep(): Promise<string> {
    await this.flush();
    return `${count(this.rows)} rows were written. Only the export to a file can be resumed.`;
  }
}
