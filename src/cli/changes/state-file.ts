import { statSync } from 'node:fs';
import type { CommandOptions } from '../arguments.ts';
import { wrongInput } from '../failure.ts';
import { readNote, refuseIfRunning, saveNote } from '../running.ts';

/** What the cursor of a file is of. */
type StateIdentity = Pick<CommandOptions<'changes'>, 'administration' | 'kinds'>;

const COMMAND = 'receivables-graphql changes';

/**
 * The file that says how far the changes have been written. It is replaced as a whole, as often as the disk takes it: what
 * comes while it is being written is saved with what comes after. Throws if it is another's, or cannot be understood;
 * calls `onFailure` if a cursor cannot be saved.
 */
export function openStateFile(path: string, identity: StateIdentity, onFailure: () => void) {
  const start = readStart(path, identity);
  const unread = new UnreadCursors();
  let after = start;
  let saving: Promise<void> | undefined;
  let failure: unknown;

  const save = (isWriting: boolean) => saveNote(path, { command: COMMAND, ...identity, after }, isWriting);

  async function saveAll(): Promise<void> {
    try {
      let saved: string | undefined;
      do {
        saved = after;
        await save(true);
      } while (saved !== after);
    } catch (error) {
      failure = error;
      onFailure();
    }
    saving = undefined;
  }

  return {
    /** Where an earlier process has come to; undefined if there was none, or if it has seen nothing. */
    start,
    unread,

    /** From now on, another process that wants the file is refused. */
    lock: () => save(true),

    /** Settled when it is saved, or cannot be. */
    note(cursor: string): Promise<void> {
      unread.add(cursor);
      after = cursor;
      saving ??= saveAll();
      return saving;
    },

    /** Goes back to where a reader has surely read that is gone. Throws if a cursor could not be saved. */
    async close({ isReaderGone = false } = {}): Promise<void> {
      await saving;
      if (isReaderGone) after = unread.read ?? after;
      if (failure !== undefined) throw failure;
      await save(false);
    },
  };
}

function readStart(path: string, { administration, kinds }: StateIdentity): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return undefined;
  const state = found.isFile() ? readNote(path) : {};
  const { command, after } = state;
  // There is no cursor until the first has come.
  if (command !== COMMAND || after === '' || (after !== undefined && typeof after !== 'string'))
    throw wrongInput(
      `${path} is broken, or is no state of this command: give another file, or delete it to start anew.`,
    );
  refuseIfRunning(state, `using ${path}: stop it first, or give another --state`);
  const refuseOther = (words: string, found: string, wanted: string) => {
    if (found !== wanted)
      throw wrongInput(`${path} is of ${words} ${found}, not ${wanted}: give each a --state of its own.`);
  };
  refuseOther('administration', nameOf(state.administration), administration);
  refuseOther('the kinds', nameOf(state.kinds), nameOf(kinds));
  return after;
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
