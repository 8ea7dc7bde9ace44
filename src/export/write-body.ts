import type { ExecutionResult } from 'graphql';
import { BYTE_ORDER_MARK, csvWriter } from './csv.ts';
import type { ExportPlan } from './export-plan.ts';
import type { ExportRequest } from './export-request.ts';
import { CURSOR_COLUMN } from './exported-list.ts';
import { flatRow, pageRows, type RowFailure } from './page-rows.ts';

/** Rows are joined into chunks of at least this many characters. */
const CHUNK_LENGTH = 64_000;

interface WriteOptions {
  readonly plan: ExportPlan;
  readonly request: ExportRequest;
  /** Called with each chunk before it is sent, and how many rows have been written with it. */
  readonly onChunk: (bytes: number, rows: number) => void;
  /** Why no more should be written, if so: a page may take its reader minutes. */
  readonly interruption: () => RowFailure | undefined;
  /** What is told of a failure. */
  readonly describe: (failure: RowFailure) => object;
}

/** CSV has no place for an error: the body breaks off, and with it the connection. */
class BrokenOff extends Error {}

/** Writes the pages of a list as the body of a response. */
export async function* writeBody(
  pages: AsyncIterable<ExecutionResult>,
  { plan, request, onChunk, interruption, describe }: WriteOptions,
): AsyncGenerator<Buffer, void, undefined> {
  const csv = request.format === 'csv' ? csvWriter(plan.exported.columns, request) : undefined;
  const write = csv
    ? (row: unknown) => csv.row(row)
    : (row: unknown) => `${JSON.stringify(flatRow(row, plan.exported))}\n`;
  let rows = 0;
  let after = plan.firstPage().after;
  const chunk = (bytes: Buffer) => {
    onChunk(bytes.length, rows);
    return bytes;
  };
  const line = (value: object) => chunk(Buffer.from(`${JSON.stringify(value)}\n`));
  if (csv) yield chunk(Buffer.concat([...(request.bom ? [BYTE_ORDER_MARK] : []), Buffer.from(csv.header())]));
  for await (const result of pages) {
    const page = pageRows(plan, result);
    let pending = '';
    let { failure } = page;
    for (const [index, found] of page.rows.entries()) {
      const cursor = page.cursorAt(index);
      const row = request.withCursor ? { ...Object(found), [CURSOR_COLUMN]: cursor } : found;
      pending += write(row);
      after = cursor ?? after;
      rows += 1;
      if (pending.length >= CHUNK_LENGTH) {
        yield chunk(Buffer.from(pending));
        pending = '';
        const interrupted = interruption();
        failure = interrupted ?? failure;
        if (interrupted) break;
      }
    }
    if (pending !== '') yield chunk(Buffer.from(pending));
    if (failure === undefined) continue;
    const error = describe(failure);
    if (csv) throw new BrokenOff();
    yield line({ error, after: after ?? null, rows });
    return;
  }
  if (csv === undefined) yield line({ end: true, rows });
}
