import { createHash } from 'node:crypto';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { isObject } from '../../rest/json.ts';
import { ExportFailure } from './failure.ts';
import { type Position, START } from './output.ts';

/** What has to be the same for rows to belong to one file; hashes, where it may hold what is private. */
export interface ExportIdentity {
  readonly document: string;
  readonly variables: string;
  readonly url: string;
  /** The format with its options and columns. */
  readonly format: string;
}

export function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}

/** The note beside a part of an export: what it is a part of, and how far. */
export class PartState {
  readonly #part: string;
  readonly #path: string;
  readonly #identity: ExportIdentity;

  constructor(part: string, identity: ExportIdentity) {
    this.#part = part;
    this.#path = `${part}.json`;
    this.#identity = identity;
  }

  /** `pid`: the process that goes on writing. */
  async save(position: Position, pid: number | undefined): Promise<void> {
    const made = `${this.#path}.new`;
    await writeFile(made, `${JSON.stringify({ ...this.#identity, ...position, pid }, null, 2)}\n`);
    await rename(made, this.#path);
  }

  async remove(): Promise<void> {
    await rm(this.#path, { force: true });
  }

  /** Where to start. Throws if another process writes the part, or if `resumes` and it is the part of another export. */
  async start(resumes: boolean): Promise<Position> {
    const state = await this.#read();
    if (isRunning(state?.pid))
      throw new ExportFailure(`Process ${String(state?.pid)} is writing ${this.#part}: wait until it ends.`);
    if (!resumes || state === undefined) return START;
    const position = positionIn(state);
    const different = Object.entries(this.#identity).find(([name, value]) => state[name] !== value);
    const size = (await stat(this.#part)).size;
    if (position && !different && size >= position.bytes) return position;
    const problem = different ? `the ${different[0]} was another one` : 'it is damaged';
    const message = `${this.#part} cannot be resumed, since ${problem}: leave out --resume to start anew.`;
    throw new ExportFailure(message, { status: 2 });
  }

  /** Undefined where there is no part. */
  async #read(): Promise<Record<string, unknown> | undefined> {
    if (!(await stat(this.#part).catch(() => undefined))?.isFile()) return undefined;
    try {
      const state: unknown = JSON.parse(await readFile(this.#path, 'utf8'));
      return isObject(state) ? { ...state } : {};
    } catch {
      return {};
    }
  }
}

function positionIn({ after, rows, bytes }: Record<string, unknown>): Position | undefined {
  if (!isCount(rows) || !isCount(bytes)) return undefined;
  if (after === undefined) return rows === 0 ? { after, rows, bytes } : undefined;
  return typeof after === 'string' ? { after, rows, bytes } : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isRunning(pid: unknown): boolean {
  if (!isCount(pid) || pid === 0 || pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process is one too.
    return Object(error).code === 'EPERM';
  }
}
