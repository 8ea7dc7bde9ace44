import type { ExecutionResult, GraphQLError } from 'graphql';
import { isOfOthers } from '../execution/run.ts';
import { BYTE_ORDER_MARK, csvWriter } from './csv.ts';
import type { ExportPlan } from './export-plan.ts';
import type { ExportRequest } from './export-request.ts';
import { CURSOR_COLUMN, type ExportedList } from './exported-list.ts';

/** Rows are joined into chunks of at least this many characters. */
const CHUNK_LENGTH = 64_000;

/** Why a row cannot be written, nor those behind it. */
interface RowFailure {
  readonly error: GraphQLError;
  readonly row: number;
  /** The column that it is about, if it is about one. */
  readonly column?: string | undefined;
}

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

/** Writes the pages of a list, of which the first has come, as the body of a response. */
export async function* writeBody(
  first: IteratorResult<ExecutionResult>,
  pages: AsyncIterator<ExecutionResult>,
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
  try {
    for (let next = first; !next.done; next = await pages.next()) {
      const page = pageRows(plan, next.value);
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
  } finally {
    await pages.return?.();
  }
  if (!csv) yield chunk(lineOf({ end: true, rows }));
}

/** The rows of a page up to the first error in one: what stands behind it would be taken for the whole. */
export function pageRows({ exported, rowsIn }: ExportPlan, result: ExecutionResult) {
  const failure = failureIn(exported, result);
  const rows = (rowsIn(result) ?? []).slice(0, failure?.row).map(exported.flatten);
  return { rows, failure };
}

/** The one in the first row. Where some errors are left out, any row may have one. */
function failureIn({ path, rows }: ExportedList, { errors = [] }: ExecutionResult): RowFailure | undefined {
  const areAll = !errors.some(isOfOthers);
  const failures = errors.map((error) => {
    const [key, row, ...inner] = error.path?.slice(path.length) ?? [];
    if (!areAll || typeof row !== 'number' || key !== rows.key) return { error, row: 0 };
    const names = inner.filter((part) => typeof part === 'string').join('.');
    return { error, row, column: names === '' ? undefined : names };
  });
  return failures.sort((one, other) => one.row - other.row)[0];
}
