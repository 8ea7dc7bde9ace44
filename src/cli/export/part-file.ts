import { createHash } from 'node:crypto';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { wrongInput } from '../failure.ts';
import { readNote, refuseIfRunning, replaceFile, saveNote } from '../running.ts';
import { type ExportedRow, type RowOutput, START, type WrittenPosition } from './copy-rows.ts';
import { count, type RowFormat } from './output.ts';

const CHUNK_LENGTH = 500_000;
/** How much work is lost at most where the process is killed. */
const SAVE_INTERVAL_MS = 1_000;

/** What has to be the same for rows to belong to one file, and why a part cannot be resumed where it is not. */
const DIFFERENCES = [
  ['document', 'it is of another query'],
  ['variables', 'it was begun with other variables'],
  ['url', 'it comes from another address'],
  // With its options and columns.
  ['format', 'it has another format'],
] as const;

/** Hashes, where it may hold what is private. */
export type ExportIdentity = Readonly<Record<(typeof DIFFERENCES)[number][0], string>>;

export function fileHash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}

interface PartFileOptions {
  /** The file that is there once it is complete. */
  readonly path: string;
  readonly format: RowFormat;
  readonly isCompressed: boolean;
  readonly identity: ExportIdentity;
  /** Whether it goes on where an earlier export has come to. */
  readonly resumes: boolean;
  /** Makes the file of the part, where that is not the part itself. */
  readonly convert?: (part: string, file: string) => Promise<void>;
}

/** The file that rows are gathered in. */
export function partPath(path: string): string {
  return `${path}.part`;
}

/**
 * Gathers rows in a file beside the one that is asked for, with a note of how far it is safe, so that an export that
 * ends in any way can be resumed without a lost or a double row. Nothing is touched before the first row has come.
 */
export class PartFile implements RowOutput {
  readonly #options: PartFileOptions;
  readonly #path: string;
  #handle: FileHandle | undefined;
  #written = START;
  /** What the note says: where the disk is full, less may be noted than is written. */
  #saved: WrittenPosition;
  #pending = '';
  #after: string | undefined;
  #savedAt = performance.now();
  rows = 0;

  static async open(options: PartFileOptions): Promise<PartFile> {
    const { path, identity, resumes } = options;
    return new PartFile(options, await startOfPart(partPath(path), identity, resumes));
  }

  private constructor(options: PartFileOptions, start: WrittenPosition) {
    this.#options = options;
    this.#path = partPath(options.path);
    this.#saved = start;
    this.#goBack(start);
  }

  add(row: ExportedRow): Promise<unknown> | undefined {
    this.#pending += this.#options.format.line(row);
    this.#after = row.cursor;
    this.rows += 1;
    if (performance.now() - this.#savedAt >= SAVE_INTERVAL_MS) return this.#save(true);
    return this.#pending.length < CHUNK_LENGTH ? undefined : this.flush();
  }

  async flush(): Promise<WrittenPosition> {
    if (this.rows > this.#written.rows) await this.#write();
    return this.#written;
  }

  async rollBack(position: WrittenPosition): Promise<void> {
    this.#goBack(position);
    if (!this.#handle) return;
    try {
      await this.#cut(this.#handle);
    } catch (error) {
      // No note is better than one that counts rows which are taken back.
      await this.#removeNote();
      this.#saved = START;
      throw error;
    }
  }

  async complete(): Promise<void> {
    const { path, convert } = this.#options;
    // What stands behind the last safe byte is cut off even if no row has come since.
    this.#handle ??= await this.#open();
    // A file without rows has its header nevertheless, and an empty one is no gzip.
    if (this.rows > this.#written.rows || this.#written.bytes === 0) await this.#write();
    await this.#save(true);
    await this.#handle.close();
    this.#handle = undefined;
    if (convert) {
      await replaceFile(path, (made) => convert(this.#path, made));
      await rm(this.#path);
    } else await rename(this.#path, path);
    await this.#removeNote();
  }

  async keep(): Promise<string> {
    // Where the disk is full, the last note that was saved is still right.
    if (this.rows > 0) await this.#save(false).catch(() => {});
    await this.#handle?.close();
    const { rows } = this.#saved;
    if (rows > 0)
      return `${this.#path} has ${count(rows)} rows: the same command with --resume goes on behind them.`;
    if (this.#handle) await Promise.all([rm(this.#path, { force: true }), this.#removeNote()]);
    return 'No row was written.';
  }

  async #write(): Promise<void> {
    this.#handle ??= await this.#open();
    const text = Buffer.from(this.#pending);
    // Each chunk is a gzip of its own, and one behind the other is a gzip too: the file can be cut between any two.
    const bytes = this.#options.isCompressed ? gzipSync(text) : text;
    try {
      await this.#handle.appendFile(bytes);
    } catch (error) {
      // The note counts none of these bytes, and needs room where the disk is full.
      await this.#handle.truncate(this.#written.bytes).catch(() => {});
      this.#goBack(this.#written);
      throw error;
    }
    this.#pending = '';
    this.#written = { after: this.#after, rows: this.rows, bytes: this.#written.bytes + bytes.length };
  }

  async #open(): Promise<FileHandle> {
    const handle = await open(this.#path, 'a');
    try {
      await this.#cut(handle);
      return handle;
    } catch (error) {
      const { size } = await handle.stat();
      await handle.close();
      if (size === 0) await rm(this.#path, { force: true });
      throw error;
    }
  }

  #goBack(position: WrittenPosition): void {
    this.#written = position;
    this.#pending = position.bytes === 0 ? this.#options.format.header : '';
    this.#after = position.after;
    this.rows = position.rows;
  }

  /** The note comes first: a part that is longer than its note says can be resumed, a shorter one cannot. */
  async #cut(handle: FileHandle): Promise<void> {
    await this.#note(this.#written, true);
    await handle.truncate(this.#written.bytes);
  }

  /** The note is written when the bytes that it counts are on the disk. */
  async #save(isWriting: boolean): Promise<void> {
    const position = await this.flush();
    await this.#handle?.datasync();
    await this.#note(position, isWriting);
    this.#savedAt = performance.now();
  }

  async #note(position: WrittenPosition, isWriting: boolean): Promise<void> {
    await saveNote(noteOf(this.#path), { ...this.#options.identity, ...position }, isWriting);
    this.#saved = position;
  }

  #removeNote(): Promise<void> {
    return rm(noteOf(this.#path), { force: true });
  }
}

/** The note beside a part of an export: what it is a part of, and how far. */
function noteOf(part: string): string {
  return `${part}.json`;
}

/** Where to start. Throws if another process writes the part, or if `resumes` and it is the part of another export. */
async function startOfPart(
  part: string,
  identity: ExportIdentity,
  resumes: boolean,
): Promise<WrittenPosition> {
  const found = await stat(part).catch(() => undefined);
  if (!found?.isFile()) return START;
  const note = readNote(noteOf(part));
  refuseIfRunning(note, `writing ${part}: wait until it ends`);
  const position = positionIn(note);
  // A process that was killed as it began has left an empty part, and no note.
  if (!resumes || (found.size === 0 && !position)) return START;
  const [, difference] = DIFFERENCES.find(([member]) => note[member] !== identity[member]) ?? [];
  if (position && !difference && found.size >= position.bytes) return position;
  const broken = `its note ${noteOf(part)} is missing or broken`;
  const reason = position ? (difference ?? 'it is shorter than its note says') : broken;
  throw wrongInput(`${part} cannot be resumed, since ${reason}: leave out --resume to start anew.`);
}

/** Undefined where the note lacks it, or what it is a part of. */
function positionIn(note: ReturnType<typeof readNote>): WrittenPosition | undefined {
  const { after, rows, bytes } = note;
  if (DIFFERENCES.some(([member]) => typeof note[member] !== 'string')) return undefined;
  if (!isCount(rows) || !isCount(bytes)) return undefined;
  if (after === undefined) return rows === 0 ? { after, rows, bytes } : undefined;
  return typeof after === 'string' ? { after, rows, bytes } : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
