import { createHash } from 'node:crypto';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { isObject } from '../../rest/json.ts';
import { CommandFailure } from '../failure.ts';
import { isRunning, type Writer } from '../running.ts';
import { START, type WrittenPosition } from './output.ts';

/** Why a part cannot be resumed, by what was not the same when it was begun. */
const DIFFERENCES: { readonly [member in keyof ExportIdentity]: string } = {
  document: 'it is of another query',
  variables: 'it was begun with other variables',
  url: 'it comes from another address',
  format: 'it has another format',
};

/** What has to be the same for rows to belong to one file; hashes, where it may hold what is private. */
export interface ExportIdentity {
  readonly document: string;
  readonly variables: string;
  readonly url: string;
  /** The format with its options and columns. */
  readonly format: string;
}

export function fileHash(value: unknown): string {
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

  /** `writer`: the process that goes on writing. */
  async save(position: WrittenPosition, writer: Writer | undefined): Promise<void> {
    const made = `${this.#path}.new`;
    try {
      await writeFile(made, `${JSON.stringify({ ...this.#identity, ...position, ...writer }, null, 2)}\n`);
      await rename(made, this.#path);
    } catch (error) {
      await rm(made, { force: true }).catch(() => {});
      throw error;
    }
  }

  async remove(): Promise<void> {
    await rm(this.#path, { force: true });
  }

  /** Where to start. Throws if another process writes the part, or if `resumes` and it is the part of another export. */
  async start(resumes: boolean): Promise<WrittenPosition> {
    const state = await this.#read();
    if (state && isRunning(state))
      throw new CommandFailure(`Process ${String(state.pid)} is writing ${this.#part}: wait until it ends.`);
    if (!resumes || state === undefined) return START;
    const position = positionIn(state);
    const problem = this.#problemOf(state, position, (await stat(this.#part)).size);
    if (position && problem === undefined) return position;
    const message = `${this.#part} cannot be resumed, since ${problem}: leave out --resume to start anew.`;
    throw new CommandFailure(message, { status: 2 });
  }

  #problemOf(
    state: Record<string, unknown>,
    position: WrittenPosition | undefined,
    size: number,
  ): string | undefined {
    const members = ['document', 'variables', 'url', 'format'] as const;
    if (!position || members.some((member) => typeof state[member] !== 'string'))
      return `its note ${this.#path} is missing or broken`;
    const different = members.find((member) => state[member] !== this.#identity[member]);
    if (different) return DIFFERENCES[different];
    return size < position.bytes ? 'it is shorter than its note says' : undefined;
  }

  /** Undefined where there is no part; empty where its note cannot be read. */
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

function positionIn({ after, rows, bytes }: Record<string, unknown>): WrittenPosition | undefined {
  if (!isCount(rows) || !isCount(bytes)) return undefined;
  if (after === undefined) return rows === 0 ? { after, rows, bytes } : undefined;
  return typeof after === 'string' ? { after, rows, bytes } : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
