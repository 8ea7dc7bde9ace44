import type { Writable } from 'node:stream';
import { BYTE_ORDER_MARK, csvWriter } from '../../export/csv.ts';
import type { CsvOptions } from '../arguments.ts';
import { writeText } from '../context.ts';
import { CommandFailure } from '../failure.ts';
import { createProgress, type TextOutput, writeNote } from '../terminal.ts';
import { type ExportedRow, type RowOutput, type RowPlan, START, type WrittenPosition } from './copy-rows.ts';

/** What rows are written as, and what stands before them. */
export interface RowFormat {
  readonly header: string;
  readonly line: (row: ExportedRow) => string;
}

export const NDJSON_FORMAT: RowFormat = { header: '', line: ({ value }) => `${JSON.stringify(value)}\n` };

export function csvFormat({ columns }: RowPlan, { bom, formulas, ...style }: CsvOptions): RowFormat {
  const writer = csvWriter(columns, { ...style, guardsFormulas: !formulas });
  return {
    header: `${bom ? BYTE_ORDER_MARK.toString() : ''}${writer.header()}`,
    line: ({ value }) => writer.row(value),
  };
}

const CHUNK_LENGTH = 16_000;

/** Writes rows to a pipe or a terminal, from where none can be taken back. */
export function createStandardOutput(stream: Writable, { header, line }: RowFormat): RowOutput {
  let pending = header;
  let written = START;
  let after: string | undefined;
  // Each write is told of its own error.
  stream.on('error', () => {});
  const output = {
    rows: 0,

    add(row: ExportedRow) {
      pending += line(row);
      after = row.cursor;
      output.rows += 1;
      return pending.length < CHUNK_LENGTH ? undefined : output.flush();
    },

    async flush() {
      if (pending !== '') await writeText(stream, pending);
      pending = '';
      written = { after, rows: output.rows, bytes: 0 };
      return written;
    },

    async rollBack({ rows }: WrittenPosition) {
      if (rows < output.rows)
        throw new CommandFailure('Rows are missing, and those behind them are written.');
    },

    complete: () => output.flush(),

    async keep() {
      // A stream that has failed takes no more.
      await output.flush().catch(() => {});
      return `${count(written.rows)} rows were written. Only the export to a file can be resumed.`;
    },
  };
  return output;
}

/** Where nobody watches, a line now and then is enough for a log. */
const TERMINAL_INTERVAL_MS = 250;
const LOG_INTERVAL_MS = 10_000;

/** Tells on the error output how far an export is. How many rows will come is not known. */
export function createExportProgress(output: TextOutput, rows: () => number, isQuiet: boolean) {
  const line = createProgress(output);
  const rowsAtStart = rows();
  const startedAt = performance.now();

  const summary = () => {
    const seconds = (performance.now() - startedAt) / 1_000;
    const rate = Math.round((rows() - rowsAtStart) / Math.max(seconds, 0.001));
    return `${count(rows())} rows, ${count(rate)} rows/s, ${clock(seconds)}`;
  };
  const tell = () => (output.isTTY ? line.show(summary()) : void output.write(`${summary()}\n`));
  const interval = output.isTTY ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS;
  const timer = isQuiet ? undefined : setInterval(tell, interval);
  const clear = () => {
    if (!isQuiet) line.clear();
  };
  const say = (text: string) => {
    clear();
    writeNote(output, text);
  };

  return {
    summary,
    /** Even where nothing else is to be told. */
    say,
    note(text: string): void {
      if (!isQuiet) say(text);
    },
    end(): void {
      clearInterval(timer);
      clear();
    },
  };
}

export function count(value: number): string {
  return value.toLocaleString('en');
}

function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
