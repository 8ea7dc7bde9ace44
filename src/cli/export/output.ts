import { rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { BYTE_ORDER_MARK, csvWriter } from '../../export/csv.ts';
import type { CsvOptions } from '../arguments.ts';
import { writeText } from '../context.ts';
import { wrongInput } from '../failure.ts';
import { readProgress, saveProgress } from '../progress-file.ts';
import type { RowPlan } from './plan-rows.ts';

export interface ExportedRow {
  /** Undefined for groups and totals. */
  readonly cursor: string | undefined;
  readonly value: { readonly [key: string]: unknown };
}

/** What rows are written as, and what stands before them. */
interface RowFormat {
  readonly header: string;
  readonly line: (row: ExportedRow['value']) => string;
}

export const NDJSON_FORMAT: RowFormat = { header: '', line: (row) => `${JSON.stringify(row)}\n` };

export function csvFormat({ columns }: RowPlan, { bom, formulas, ...style }: CsvOptions): RowFormat {
  const writer = csvWriter(columns, { ...style, guardsFormulas: !formulas });
  return { header: `${bom ? BYTE_ORDER_MARK : ''}${writer.header()}`, line: writer.row };
}

/** How far an export has come: the cursor of its last row, and how many bytes of a file belong to it. */
interface WrittenPosition {
  readonly after: string | undefined;
  readonly rows: number;
  readonly bytes: number;
}

export const START: WrittenPosition = { after: undefined, rows: 0, bytes: 0 };

/** A file that rows are gathered in, with a note of how far it is safe: `<path>.json`. */
interface PartFile {
  readonly path: string;
  readonly isCompressed: boolean;
  /** Has to be the same for rows to belong to one file. */
  readonly identity: string;
}

/** How far an earlier export has come; from there another can go on without a lost or a double row. */
export function resumePosition({ path, identity }: PartFile): WrittenPosition {
  const { export: found, after, rows, bytes } = readProgress(`${path}.json`) ?? {};
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (typeof after !== 'string' || typeof rows !== 'number' || typeof bytes !== 'number' || size < bytes)
    return START;
  if (found === identity) return { after, rows, bytes };
  const other = 'another query, variables, address or format';
  throw wrongInput(`${path} was begun with ${other}: leave out --resume to start anew.`);
}

/** Less than this is lost where the process is killed. */
const CHUNK_LENGTH = 250_000;

/**
 * Gathers rows, and knows how far they are written: to standard output, from where none can be taken back, or to a part,
 * which is not touched before the first row has come.
 */
export class RowOutput {
  readonly #format: RowFormat;
  readonly #target: Writable | PartFile;
  written: WrittenPosition;
  #pending: string;
  #after: string | undefined;
  rows: number;

  constructor(format: RowFormat, target: Writable | PartFile, start: WrittenPosition) {
    this.#format = format;
    this.#target = target;
    this.written = start;
    this.rows = start.rows;
    this.#pending = start.bytes === 0 ? format.header : '';
    // Each write is told of its own error.
    if (target instanceof Writable) target.on('error', () => {});
    // A process that was killed may have written more than it has noted.
    else if (start.bytes > 0) truncateSync(target.path, start.bytes);
  }

  async add({ cursor, value }: ExportedRow): Promise<void> {
    this.#pending += this.#format.line(value);
    this.#after = cursor;
    this.rows += 1;
    if (this.#pending.length >= CHUNK_LENGTH) await this.flush();
  }

  /** Writes what has been added; at the end, a file without rows has its header nevertheless. */
  async flush(isEnd = false): Promise<WrittenPosition> {
    if (this.rows === this.written.rows && !(isEnd && this.rows === 0)) return this.written;
    const bytes = await this.#write(this.#pending);
    this.#pending = '';
    this.written = { after: this.#after, rows: this.rows, bytes: this.written.bytes + bytes };
    if (!(this.#target instanceof Writable))
      saveProgress(`${this.#target.path}.json`, { export: this.#target.identity, ...this.written });
    return this.written;
  }

  async #write(text: string): Promise<number> {
    const target = this.#target;
    if (target instanceof Writable) {
      await writeText(target, text);
      return Buffer.byteLength(text);
    }
    const isFirst = this.written.bytes === 0;
    // The note of an earlier export does not fit what is written now, nor does half of a write that failed.
    if (isFirst) rmSync(`${target.path}.json`, { force: true });
    else truncateSync(target.path, this.written.bytes);
    // Each chunk is a gzip of its own, and one behind the other is a gzip too: the file can be cut between any two.
    const bytes = target.isCompressed ? gzipSync(text) : Buffer.from(text);
    writeFileSync(target.path, bytes, { flag: isFirst ? 'w' : 'a' });
    return bytes.length;
  }
}
