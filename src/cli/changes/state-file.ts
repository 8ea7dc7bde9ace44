import { readFileSync, statSync } from 'node:fs';
import { isObject, parseJson } from '../../rest/json.ts';
import { wrongInput } from '../failure.ts';
import { refuseIfRunning, saveNote } from '../running.ts';

/** What the cursor of a file is of. */
interface StateIdentity {
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
  /** Where an earlier process has come to; undefined if there was none, or if it has seen nothing. */
  readonly start: string | undefined;
  readonly unread = new UnreadCursors();
  #cursor: string | undefined;
  #saving: Promise<void> | undefined;
  #failure: unknown;
  #onFailure = () => {};

  /** Throws if the file is another's, or cannot be understood. */
  constructor(path: string, identity: StateIdentity) {
    this.#path = path;
    this.#identity = identity;
    this.start = this.#read();
    this.#cursor = this.start;
  }

  /** From now on, another process that wants the file is refused. `onFailure`: a cursor cannot be saved. */
  async open(start: string | undefined, onFailure: () => void): Promise<void> {
    if (start !== undefined) this.unread.add(start);
    this.#onFailure = onFailure;
    await this.#save(true);
  }

  /** Settled when it is saved, or cannot be. */
  note(cursor: string): Promise<void> {
    this.unread.add(cursor);
    this.#cursor = cursor;
    this.#saving ??= this.#saveAll();
    return this.#saving;
  }

  /** Goes back to where a reader has surely read that is gone. Throws if a cursor could not be saved. */
  async close({ isReaderGone = false } = {}): Promise<void> {
    await this.#saving;
    if (isReaderGone) this.#cursor = this.unread.read ?? this.#cursor;
    if (this.#failure !== undefined) throw this.#failure;
    await this.#save(false);
  }

  async #saveAll(): Promise<void> {
    try {
      let saved: string | undefined;
      do {
        saved = this.#cursor;
        await this.#save(true);
      } while (saved !== this.#cursor);
    } catch (error) {
      this.#failure = error;
      this.#onFailure();
    }
    this.#saving = undefined;
  }

  #save(isWriting: boolean): Promise<void> {
    const state = { command: COMMAND, ...this.#identity, after: this.#cursor };
    return saveNote(this.#path, state, isWriting);
  }

  #read(): string | undefined {
    const found = statSync(this.#path, { throwIfNoEntry: false });
    if (!found) return undefined;
    const content = found.isFile() ? parseJson(readFileSync(this.#path, 'utf8')) : undefined;
    const state: { readonly [member: string]: unknown } = isObject(content) ? content : {};
    const { command, after } = state;
    // There is no cursor until the first has come.
    if (command !== COMMAND || after === '' || (after !== undefined && typeof after !== 'string'))
      throw wrongInput(
        `${this.#path} is broken, or is no state of this command: give another file, or delete it to start anew.`,
      );
    refuseIfRunning(state, `using ${this.#path}: stop it first, or give another --state`);
    const { administration, kinds } = this.#identity;
    this.#refuseOther('administration', state.administration, administration);
    this.#refuseOther('the kinds', state.kinds, kinds);
    return after;
  }

  #refuseOther(words: string, found: unknown, wanted: unknown): void {
    const [is, shouldBe] = [nameOf(found), nameOf(wanted)];
    if (is === shouldBe) return;
    throw wrongInput(`${this.#path} is of ${words} ${is}, not ${shouldBe}: give each a --state of its own.`);
  }
}

function nameOf(value: unknown): string {
  if (value === undefined) return 'ALL';
  return Array.isArray(value) ? value.join(',') : String(value);
}

/** More than a pipe holds (64 kB) and its reader has taken without having looked at it. */
const UNREAD_CHARACTERS = 256_000;

/** Knows up to where a reader that is gone has surely read: what was written may still have been on its way. */
export class UnreadCursors {
  readonly #cursors: { readonly cursor: string; readonly end: number }[] = [];
  #written = 0;

  /** So much has been written to get to the next cursor. */
  wrote(text: string): void {
    this.#written += text.length;
  }

  /** Of what was written last. */
  add(cursor: string): void {
    // A quiet stream tells where it is from time to time, without a line.
    if (this.#cursors.at(-1)?.end === this.#written) this.#cursors.pop();
    this.#cursors.push({ cursor, end: this.#written });
    while (this.#written - (this.#cursors[1]?.end ?? this.#written) >= UNREAD_CHARACTERS)
      this.#cursors.shift();
  }

  /** The last that was surely read, or else the first of all. */
  get read(): string | undefined {
    return this.#cursors[0]?.cursor;
  }
}
