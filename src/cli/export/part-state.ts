import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { isObject, parseJson } from '../../rest/json.ts';
import { wrongInput } from '../failure.ts';
import { refuseIfRunning } from '../running.ts';
import { START, type WrittenPosition } from './output.ts';

/** What has to be the same for rows to belong to one file; hashes, where it may hold what is private. */
export interface ExportIdentity {
  readonly document: string;
  readonly variables: string;
  readonly url: string;
  /** The format with its options and columns. */
  readonly format: string;
}

/** Why a part cannot be resumed, by what was not the same when it was begun. */
const DIFFERENCES = [
  ['document', 'it is of another query'],
  ['variables', 'it was begun with other variables'],
  ['url', 'it comes from another address'],
  ['format', 'it has another format'],
] as const;

export function fileHash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}

/** The note beside a part of an export: what it is a part of, and how far. */
export function noteOf(part: string): string {
  return `${part}.json`;
}

/** Where to start. Throws if another process writes the part, or if `resumes` and it is the part of another export. */
export async function startOfPart(
  part: string,
  identity: ExportIdentity,
  resumes: boolean,
): Promise<WrittenPosition> {
  const found = await stat(part).catch(() => undefined);
  if (!found?.isFile()) return START;
  const content = parseJson(await readFile(noteOf(part), 'utf8').catch(() => ''));
  const note = isObject(content) ? content : {};
  refuseIfRunning(note, `writing ${part}: wait until it ends`);
  if (!resumes) return START;
  const position = positionIn(note);
  const [, difference] = DIFFERENCES.find(([member]) => note[member] !== identity[member]) ?? [];
  if (position && !difference && found.size >= position.bytes) return position;
  const broken = `its note ${noteOf(part)} is missing or broken`;
  const reason = position ? (difference ?? 'it is shorter than its note says') : broken;
  throw wrongInput(`${part} cannot be resumed, since ${reason}: leave out --resume to start anew.`);
}

/** Undefined where the note lacks it, or what it is a part of. */
function positionIn(note: { readonly [key: string]: unknown }): WrittenPosition | undefined {
  const { after, rows, bytes } = note;
  if (DIFFERENCES.some(([member]) => typeof note[member] !== 'string')) return undefined;
  if (!isCount(rows) || !isCount(bytes)) return undefined;
  if (after === undefined) return rows === 0 ? { after, rows, bytes } : undefined;
  return typeof after === 'string' ? { after, rows, bytes } : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
