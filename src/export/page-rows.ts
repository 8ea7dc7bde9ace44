import type { ExecutionResult, GraphQLError } from 'graphql';
import { selectedIn } from '../execution/plan.ts';
import { asGraphQLError, isOfOthers } from '../execution/run.ts';
import { type ErrorCode, RestError } from '../rest/errors.ts';
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
export function pageRows({ exported, isComplete, rowsIn }: ExportPlan, result: ExecutionResult) {
  const found = rowsIn(result);
  const names = exported.path.map(({ key }) => key).join('.');
  const failure =
    failureIn(exported, result) ??
    (isComplete() ? undefined : notWhole(exported)) ??
    (found ? undefined : failureOfAll('NOT_FOUND', `There is no list to export: \`${names}\` is null.`));
  const rows = (found ?? []).slice(0, failure?.row).map(exported.flatten);
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

/** A file of groups or totals would be taken for those of all rows, unless it tells that it is not. */
function notWhole({ rows, isPaged }: ExportedList): RowFailure | undefined {
  if (isPaged) return undefined;
  const totals = [rows, ...selectedIn(rows)].filter(({ field }) => field.name === 'totals');
  if (totals.flatMap(selectedIn).some(({ field }) => field.name === 'isComplete')) return undefined;
  return failureOfAll(
    'LIST_TOO_LONG',
    'The list has more rows than `among`, so these are not all: raise `among`, or select `isComplete` to get them.',
  );
}

function failureOfAll(code: ErrorCode, message: string): RowFailure {
  return { error: asGraphQLError(new RestError(code, message)), row: 0 };
}
