import { readFileSync, statSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { isObject, parseJson } from '../../rest/json.ts';
import { CommandFailure } from '../failure.ts';
import { isRunning, thisProcess, type Writer } from '../running.ts';
import type { Position } from './read-changes.ts';
import { UnreadPositions } from './unread-positions.ts';

/** What the positions of a file are of. */
export interface StateIdentity {
  readonly administration: string;
  /** Undefined for all. */
  readonly kinds: readonly string[] | undefined;
}

const COMMAND = 'receivables-graphql changes';

/**
 * The file that says how far the changes have been written. It is replaced as a whole, as often as the disk takes it: what
 * comes while it is being written is saved with what comes after.
 */
export class StateFile {
  readonly #path: string;
  readonly #identity: StateIdentity;
  /** Where an earlier process has come to; undefined if there was none. */
  readonly start: Position | undefined;
  readonly #unread = new UnreadPositions();
  #position: Position;
  #saving: Promise<void> | undefined;
  #isSaved = true;
  #failure: unknown;
  #onFailure = () => {};

  /** Throws if the file is another's, or cannot be understood. */
  constructor(path: string, identity: StateIdentity) {
    this.#path = path;
    this.#identity = identity;
    const position = this.#read();
    this.start = (position?.after ?? position?.since) ? position : undefined;
    this.#position = position ?? {};
  }

  /** From now on, another process that wants the file is refused. `onFailure`: a position cannot be saved. */
  async open(start: Position, onFailure: () => void): Promise<void> {
    if (start.after !== undefined || start.since !== undefined) this.#unread.add(start);
    this.#onFailure = onFailure;
    await this.#save(thisProcess());
  }

  /** So much has been written to get to the next position. */
  wrote(text: string): void {
    this.#unread.wrote(text);
  }

  /** Settled when it is saved, or cannot be. */
  note(position: Position): Promise<void> {
    this.#unread.add(position);
    this.#position = position;
    this.#isSaved = false;
    this.#saving ??= this.#saveAll();
    return this.#saving;
  }

  /** Goes back to where a reader has surely read that is gone. Throws if a position could not be saved. */
  async close({ isReaderGone = false } = {}): Promise<void> {
    await this.#saving;
    if (isReaderGone) this.#position = this.#unread.read ?? this.#position;
    if (this.#failure !== undefined) throw this.#failure;
    await this.#save(undefined);
  }

  async #saveAll(): Promise<void> {
    try {
      while (!this.#isSaved) {
        this.#isSaved = true;
        await this.#save(thisProcess());
      }
    } catch (error) {
      this.#failure = error;
      this.#onFailure();
    }
    this.#saving = undefined;
  }

  async #save(writer: Writer | undefined): Promise<void> {
    const made = `${this.#path}.new`;
    const state = { command: COMMAND, ...this.#identity, ...this.#position, ...writer };
    try {
      await writeFile(made, `${JSON.stringify(state, null, 2)}\n`, { flush: true });
      await rename(made, this.#path);
    } catch (error) {
      await rm(made, { force: true }).catch(() => {});
      throw error;
    }
  }

  #read(): Position | undefined {
    const found = statSync(this.#path, { throwIfNoEntry: false });
    if (!found) return undefined;
    const state = found.isFile() ? parseJson(readFileSync(this.#path, 'utf8')) : undefined;
    const position = isObject(state) && state.command === COMMAND ? positionIn(state) : undefined;
    if (!isObject(state) || !position)
      throw this.#refusal(
        'is broken, or is no state of this command: give another file, or delete it to start anew.',
      );
    if (isRunning(state)) {
      const message = `Process ${String(state.pid)} is using ${this.#path}: stop it first, or give another --state.`;
      throw new CommandFailure(message);
    }
    for (const [member, words] of [
      ['administration', 'administration'],
      ['kinds', 'the kinds'],
    ] as const) {
      const [is, wanted] = [nameOf(state[member]), nameOf(this.#identity[member])];
      if (is !== wanted)
        throw this.#refusal(`is of ${words} ${is}, not ${wanted}: give each a --state of its own.`);
    }
    return position;
  }

  #refusal(what: string): CommandFailure {
    return new CommandFailure(`${this.#path} ${what}`, { status: 2 });
  }
}

function positionIn({ after, since }: { readonly [key: string]: unknown }): Position | undefined {
  const isText = (value: unknown) => value === undefined || (typeof value === 'string' && value !== '');
  return isText(after) && isText(since) ? { after: after?.toString(), since: since?.toString() } : undefined;
}

function nameOf(value: unknown): string {
  if (value === undefined) return 'ALL';
  return Array.isArray(value) ? value.join(',') : String(value);
}
