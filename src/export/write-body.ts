import type { ExecutionResult } from 'graphql';
import { createRowFormat } from './csv.ts';
import type { ExportPlan } from './export-plan.ts';
import type { ExportRequest } from './export-request.ts';
import { CURSOR_COLUMN } from './exported-list.ts';

const CHUNK_LENGTH = 64_000;

interface WriteOptions {
  readonly plan: ExportPlan;
  readonly request: ExportRequest;
  /** Called before each chunk is sent, with the number of rows written so far. */
  readonly onRows: (rows: number) => void;
  readonly describe: (failure: RowFailure) => object;
}

/** Writes the pages of a list as the body of a response. `first` has been read already. */
export async function* writeBody(
  first: IteratorResult<ExecutionResult>,
  pages: AsyncIterator<ExecutionResult>,
  { plan, request, onRows, describe }: WriteOptions,
): AsyncGenerator<Buffer, void, undefined> {
  const isCsv = request.format === 'csv';
  const { header, formatRow } = createRowFormat(plan.exported.columns, request);
  let rows = 0;
  let after = plan.start;
  let pending = header;
  const takeChunk = () => {
    const bytes = Buffer.from(pending);
    pending = '';
    onRows(rows);
    return bytes;
  };
  try {
    for (let next = first; !next.done; next = await pages.next()) {
      const page = pageRows(plan, next.value);
      for (const [index, row] of page.rows.entries()) {
        pending += formatRow(request.withCursor ? { ...row, [CURSOR_COLUMN]: plan.cursorAt(index) } : row);
        rows += 1;
        if (pending.length >= CHUNK_LENGTH) yield takeChunk();
      }
      after = plan.cursorAt(page.rows.length - 1) ?? after;
      const error = page.failure && describe(page.failure);
      if (error && !isCsv) pending += formatRow({ error, after: after ?? null, rows });
      if (pending !== '') yield takeChunk();
      // Aborting the response is the only way to report an error in CSV.
      if (error && isCsv) throw new Error('CSV has no place for an error');
      if (error) return;
    }
  } finally {
    await pages.return?.();
  }
  if (isCsv) return;
  pending = formatRow({ end: true, rows });
  yield takeChunk();
}

/** Returns the rows before the first error: later rows would hide the gap. */
export function pageRows({ exported, getPageRows }: ExportPlan, result: ExecutionResult) {
  const failure = findFailure(exported, result);
  const rows = (getPageRows(result) ?? []).slice(0, failure?.row).map(exported.flatten);
  return { rows, failure };
}

/** The first row that cannot be written, its error, and the column of the error if there is one. */
type RowFailure = NonNullable<ReturnType<typeof findFailure>>;

/** If errors were omitted, any row may have one, so no row is written. */
function findFailure({ path, rows }: ExportPlan['exported'], { errors = [] }: ExecutionResult) {
  const isComplete = !errors.some(({ extensions }) => extensions.code === 'MORE_ERRORS');
  const failures = errors.map((error) => {
    const [key, row, ...columnPath] = error.path?.slice(path.length) ?? [];
    if (!isComplete || typeof row !== 'number' || key !== rows.key) return { error, row: 0 };
    const column = columnPath.filter((key) => typeof key === 'string').join('.');
    return { error, row, column: column || undefined };
  });
  return failures.sort((a, b) => a.row - b.row)[0];
}
