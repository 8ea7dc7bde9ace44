import type { ExecutionResult } from 'graphql';
import { BYTE_ORDER_MARK, csvWriter } from './csv.ts';
import type { ExportPlan } from './export-plan.ts';
import type { ExportRequest } from './export-request.ts';
import { CURSOR_COLUMN } from './exported-list.ts';
import { pageRows, type RowFailure } from './page-rows.ts';

/** Rows are joined into chunks of at least this many characters. */
const CHUNK_LENGTH = 64_000;

interface WriteOptions {
  readonly plan: ExportPlan;
  readonly request: ExportRequest;
  /** Called with each chunk before it is sent: how many rows have been written with it. */
  readonly onRows: (rows: number) => void;
  /** What is told of a failure. */
  readonly describe: (failure: RowFailure) => object;
}

/** CSV has no place for an error: the body breaks off, and with it the connection. */
class BrokenOff extends Error {}

/** Writes the pages of a list as the body of a response. */
export async function* writeBody(
  pages: AsyncIterable<ExecutionResult>,
  { plan, request, onRows, describe }: WriteOptions,
): AsyncGenerator<Buffer, void, undefined> {
  const csv = request.format === 'csv' ? csvWriter(plan.exported.columns, request) : undefined;
  const lineOf = csv?.row ?? ((row: object) => `${JSON.stringify(row)}\n`);
  let rows = 0;
  let after = plan.start;
  const chunk = (text: string) => {
    onRows(rows);
    return Buffer.from(text);
  };
  let pending = csv ? `${request.bom ? BYTE_ORDER_MARK : ''}${csv.header()}` : '';
  for await (const result of pages) {
    const page = pageRows(plan, result);
    for (const [index, row] of page.rows.entries()) {
      pending += lineOf(request.withCursor ? { ...row, [CURSOR_COLUMN]: plan.cursorAt(index) } : row);
      rows += 1;
      if (pending.length < CHUNK_LENGTH) continue;
      yield chunk(pending);
      pending = '';
    }
    if (page.rows.length > 0) after = plan.cursorAt(page.rows.length - 1) ?? after;
    if (pending !== '') yield chunk(pending);
    pending = '';
    if (page.failure === undefined) continue;
    const error = describe(page.failure);
    if (csv) throw new BrokenOff();
    return void (yield chunk(lineOf({ error, after: after ?? null, rows })));
  }
  if (!csv) yield chunk(lineOf({ end: true, rows }));
}
