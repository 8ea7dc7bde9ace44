import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { isObject, parseJson } from '../../rest/json.ts';
import { wrongInput } from '../failure.ts';

const COMMAND = 'receivables-graphql changes';
/** More than a pipe holds (64 kB) and its reader has taken without having looked at it. */
const UNREAD_CHARACTERS = 256_000;

/** The file that says how far the changes have been written. Throws if it is of other changes, or of something else. */
export function openStateFile(
  path: string,
  changes: { administration: string; kinds?: readonly string[] | undefined },
) {
  const own = { command: COMMAND, ...changes };
  const state = existsSync(path) ? parseJson(readFileSync(path, 'utf8')) : own;
  const { after: start, ...found } = isObject(state) ? state : {};
  if (JSON.stringify(found) !== JSON.stringify(own) || (typeof start !== 'string' && start !== undefined))
    throw wrongInput(
      `${path} is broken, or is not the state of these changes: give another file, or delete it to start anew.`,
    );
  /** Replaces the file as a whole: nobody ever sees a part of it. */
  const write = (after: string | undefined) => {
    writeFileSync(`${path}.new`, `${JSON.stringify({ ...own, after }, null, 2)}\n`);
    renameSync(`${path}.new`, path);
  };
  /** Behind these, so much was written that whoever reads has surely read what stands before the first. */
  let [read, unread, unreadFrom]: [string | undefined, string | undefined, number] = [start, start, 0];
  return {
    /** Where an earlier process has come to; undefined if there was none, or if it has seen nothing. */
    start,

    /** All up to a cursor is written, and that many characters in all. Undefined before the first. */
    save(cursor: string | undefined, written: number): void {
      write(cursor);
      if (written === 0) [read, unread] = [cursor, cursor];
      else if (written - unreadFrom >= UNREAD_CHARACTERS)
        [read, unread, unreadFrom] = [unread, cursor, written];
    },

    /** Goes back to where a reader has surely read that is gone. */
    readerGone: () => write(read),
  };
}
