import { appendFileSync, createReadStream, existsSync, truncateSync, writeFileSync } from 'node:fs';
import type { createRowFormat } from '../../export/csv.ts';
import { CURSOR_COLUMN } from '../../export/exported-list.ts';
import { isObject, parseJson } from '../../rest/json.ts';
import { inputError } from '../failure.ts';
import {
  type GatewayClient,
  getErrors,
  retryableFailure,
  type SentOperation,
  toFailure,
} from '../gateway.ts';
import type { RowPlan } from './options.ts';

const MAX_ATTEMPTS = 8;

type RowFormat = ReturnType<typeof createRowFormat>;

/** How far an export has come. `bytes` is the length of the complete lines in its .part file. */
export interface ExportProgress {
  after: string | undefined;
  rows: number;
  readonly bytes: number;
}

/** Reads all rows in as many requests as needed: each continues after the last row that was taken. */
export function readRows(
  gateway: GatewayClient,
  operation: SentOperation,
  { limit, hasCursors }: RowPlan,
  progress: ExportProgress,
): AsyncIterable<readonly string[]> {
  return gateway.retry(async function* () {
    if (progress.rows >= limit) return;
    const url = exportAddress(gateway);
    if (hasCursors) url.searchParams.set('cursor', '1');
    if (progress.after !== undefined) url.searchParams.set('after', progress.after);
    const batches = readUntilEnd(await gateway.send(operation, 'application/x-ndjson', url));
    for await (const rows of hasCursors ? batches : collectRows(batches)) {
      const wanted = rows.slice(0, limit - progress.rows);
      if (wanted.length > 0) yield wanted;
      progress.rows += wanted.length;
      progress.after = parseCursor(wanted.at(-1)) ?? progress.after;
      if (progress.rows >= limit) return;
    }
  }, MAX_ATTEMPTS);
}

function exportAddress(gateway: GatewayClient): URL {
  const url = new URL(gateway.url);
  url.pathname = `${url.pathname.replace(/\/$/, '')}.ndjson`;
  return url;
}

export function readEstimate(gateway: GatewayClient, operation: SentOperation): AsyncIterable<unknown> {
  const target = exportAddress(gateway);
  return gateway.retry(async function* () {
    // At the path of exports, an earlier gateway would export. It rejects estimates only at the path of GraphQL.
    await gateway.run(operation, { isEstimate: true });
    const { result } = await gateway.run(operation, { isEstimate: true, target });
    const [error] = getErrors(result);
    if (error) throw toFailure(error);
    yield result.extensions;
  }, 1);
}

/** Yields all rows at once: groups and totals have no cursor, so a failed export starts again. */
async function* collectRows(batches: AsyncIterable<readonly string[]>) {
  const all: string[] = [];
  for await (const rows of batches) all.push(...rows);
  yield all;
}

/** Yields rows up to the line that ends them. Throws CommandFailure if that line is missing. */
async function* readUntilEnd(body: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  for await (const lines of wholeLines(body)) {
    const end = lines.findIndex((line) => !isRow(line));
    yield end < 0 ? lines : lines.slice(0, end);
    if (end < 0) continue;
    const last = parseJson(lines[end] ?? '');
    if (!isObject(last)) throw retryableFailure('The response has a line that is not a JSON object.');
    if (isObject(last.error)) throw toFailure(last.error);
    return;
  }
  throw retryableFailure('The response ended early.');
}

/** Returns whether a line is a row. A row may have columns `end` and `error` too, but only rows have a cursor. */
function isRow(line: string): boolean {
  const value = parseJson(line);
  return isObject(value) && (CURSOR_COLUMN in value || (value.end !== true && !isObject(value.error)));
}

/** Returns the progress of a .part file, up to its last complete row. Its first line identifies the export. */
export async function readProgress(path: string, head: string): Promise<ExportProgress | undefined> {
  let [last, rows, bytes] = ['', -1, 0];
  for await (const lines of existsSync(path) ? wholeLines(createReadStream(path)) : []) {
    if (rows < 0 && lines.length > 0 && lines[0] !== head)
      throw inputError(
        `${path} belongs to another query, variables, address or format. To start again, omit --resume.`,
      );
    rows += lines.length;
    bytes += lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
    last = lines.at(-1) ?? last;
  }
  return rows > 0 ? { after: parseCursor(last), rows, bytes } : undefined;
}

export function openPartialFile(path: string, head: string, { bytes }: ExportProgress) {
  if (bytes === 0) writeFileSync(path, `${head}\n`);
  // A process that was killed may have written half a line.
  else truncateSync(path, bytes);
  return (rows: readonly string[]): void => appendFileSync(path, rows.map((row) => `${row}\n`).join(''));
}

/** Yields the text of the file that is made from a complete .part file. */
export async function* formatPartialFile(path: string, format: RowFormat, signal: AbortSignal) {
  yield format.header;
  let lineNumber = 0;
  for await (const lines of wholeLines(createReadStream(path, { signal })))
    for (const line of lines) if (lineNumber++ > 0) yield format.formatRow(parseRow(line));
}

export function parseRow(line: string): object {
  const { [CURSOR_COLUMN]: _cursor, ...row } = Object(parseJson(line));
  return row;
}

function parseCursor(line = ''): string | undefined {
  const { [CURSOR_COLUMN]: cursor } = Object(parseJson(line));
  return typeof cursor === 'string' ? cursor : undefined;
}

/** Yields complete lines, without a last line that was cut off. */
async function* wholeLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    // Only line feeds end lines, since JSON may contain others, such as U+2028.
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield lines;
  }
}
