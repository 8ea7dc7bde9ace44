import { readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { contentOf } from '../config/setting.ts';
import { isObject, parseJson } from '../rest/json.ts';
import { CommandFailure } from './failure.ts';

type Note = { readonly [member: string]: unknown };

/** What is noted of the process that writes a file: also its start, as a restarted container soon has the same number. */
export function thisProcess() {
  return { pid: process.pid, startedAt: startOf(process.pid) };
}

/** Whether a process other than this one is the writer that a note tells of. */
export function isRunning({ pid, startedAt }: Note): boolean {
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false;
  const started = startOf(pid);
  if (started !== undefined && typeof startedAt === 'string') return started === startedAt;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process is one too.
    return Object(error).code === 'EPERM';
  }
}

/** Throws if another process goes on writing what a note tells of; `work` says what to do then. */
export function refuseIfRunning(note: Note, work: string): void {
  if (isRunning(note)) throw new CommandFailure(`Process ${String(note.pid)} is ${work}.`);
}

/** Empty where there is none, or none that can be understood. */
export function readNote(path: string): Note {
  const note = parseJson(contentOf(path)?.toString() ?? '');
  return isObject(note) ? note : {};
}

/** Replaces a note as a whole. It names this process while that goes on writing. */
export async function saveNote(path: string, content: object, isWriting: boolean): Promise<void> {
  const note = { ...content, ...(isWriting && thisProcess()) };
  await replaceFile(path, (made) => writeFile(made, `${JSON.stringify(note, null, 2)}\n`, { flush: true }));
}

/** Nobody ever sees a part of what is written. */
export async function replaceFile(path: string, write: (made: string) => Promise<void>): Promise<void> {
  const made = `${path}.new`;
  try {
    await write(made);
    await rename(made, path);
  } catch (error) {
    await rm(made, { force: true }).catch(() => {});
    throw error;
  }
}

/** Undefined where there is no such process, or no /proc to tell. */
function startOf(pid: number): string | undefined {
  try {
    // Behind the name, which is in parentheses and may hold anything: the 22nd member of all.
    const members = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return members[19];
  } catch {
    return undefined;
  }
}
