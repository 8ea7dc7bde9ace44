import { appendFileSync, createReadStream, existsSync, truncateSync, writeFileSync } from 'node:fs';
import { CURSOR_COLUMN } from '../../export/exported-list.ts';
import { isObject, parseJson } from '../../rest/json.ts';
import { wrongInput } from '../failure.ts';

/** How far rows have come: the cursor of the last, and how many bytes of a file are whole lines. */
export interface PartPosition {
  after: string | undefined;
  rows: number;
  readonly bytes: number;
}

export function startPosition(): PartPosition {
  return { after: undefined, rows: 0, bytes: 0 };
}

/**
 * How far an earlier export has come; from there another can go on without a lost or a double row. A part has the lines
 * of the gateway, with their cursors, behind one that tells which export it is of.
 */
export async function resumePosition(path: string, head: string): Promise<PartPosition> {
  let [last, rows, bytes] = ['', -1, 0];
  for await (const lines of existsSync(path) ? wholeLines(createReadStream(path)) : []) {
    if (rows < 0 && lines.length > 0 && lines[0] !== head)
      throw wrongInput(
        `${path} was begun with another query, variables, address or format: leave out --resume to start anew.`,
      );
    rows += lines.length;
    bytes += lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
    last = lines.at(-1) ?? last;
  }
  return rows > 0 ? { after: cursorIn(last), rows, bytes } : startPosition();
}

/** Begins a part, or goes on with it; what it returns adds rows. */
export function openPart(path: string, head: string, { bytes }: PartPosition) {
  if (bytes === 0) writeFileSync(path, `${head}\n`);
  // A process that was killed may have written half a line.
  else truncateSync(path, bytes);
  return (rows: readonly string[]): void => appendFileSync(path, rows.map((row) => `${row}\n`).join(''));
}

/** The rows of a part, without their cursors. */
export async function* rowsIn(path: string, signal: AbortSignal) {
  let lineNumber = 0;
  for await (const lines of wholeLines(createReadStream(path, { signal })))
    for (const line of lines) if (lineNumber++ > 0) yield rowOf(line);
}

export function rowOf(line: string): object {
  const { [CURSOR_COLUMN]: _cursor, ...row } = Object(parseJson(line));
  return row;
}

/** Undefined for groups and totals. */
export function cursorIn(line = ''): string | undefined {
  const row = parseJson(line);
  const cursor = isObject(row) ? row[CURSOR_COLUMN] : undefined;
  return typeof cursor === 'string' ? cursor : undefined;
}

/** The lines that end in each chunk; what stands behind the last line end was cut off. */
export async function* wholeLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    // Other characters that end a line for some, such as U+2028, may stand in JSON.
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield lines;
  }
}
