import type { ExecutionResult, GraphQLError } from 'graphql';
import { isOfOthers } from '../execution/run.ts';
import type { ExportPlan } from './export-plan.ts';
import type { ExportedList } from './exported-list.ts';

/** Why a row cannot be written, nor those behind it. */
export interface RowFailure {
  readonly error: GraphQLError;
  readonly row: number;
  /** The column that it is about, if it is about one. */
  readonly column?: string | undefined;
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
