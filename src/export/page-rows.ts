import { type ExecutionResult, GraphQLError } from 'graphql';
import { selectedIn } from '../execution/plan.ts';
import { isOfOthers } from '../execution/run.ts';
import { type ErrorCode, RestError } from '../rest/errors.ts';
import { isObject } from '../rest/json.ts';
import type { ExportPageRequest, ExportPlan } from './export-plan.ts';
import type { ExportedList } from './exported-list.ts';

/** Why a row cannot be written. */
export interface RowFailure {
  readonly error: GraphQLError;
  /** The column that it is about, if it is about one. */
  readonly column?: string | undefined;
}

interface PlacedFailure extends RowFailure {
  readonly row: number;
}

/** The rows of a page up to the first error in one: what stands behind it would be taken for the whole. */
export function pageRows(plan: ExportPlan, result: ExecutionResult) {
  const { exported } = plan;
  const { __cursors: cursors, __whole: whole } = plan.connectionIn(result.data) ?? {};
  const found = rowsIn(plan, result);
  const [failure = notWhole(exported, whole) ?? (found ? undefined : noList(exported))] = failuresIn(
    exported,
    result,
  );
  const rows = (found ?? []).slice(0, failure?.row).map((row, index) => {
    const edge: unknown = Array.isArray(cursors) ? cursors[index] : undefined;
    const cursor = isObject(edge) && typeof edge.cursor === 'string' ? edge.cursor : undefined;
    return { row: exported.flatten(row), cursor };
  });
  return { rows, failure };
}

function rowsIn({ exported: { rows }, connectionIn }: ExportPlan, { data }: ExecutionResult) {
  const found = connectionIn(data)?.[rows.key];
  if (Array.isArray(found)) return found;
  return isObject(found) ? [found] : undefined;
}

/** By rows. Where some errors are left out, any row may have one. */
function failuresIn({ path, rows }: ExportedList, { errors = [] }: ExecutionResult): PlacedFailure[] {
  const areAll = !errors.some(isOfOthers);
  return errors
    .map((error) => {
      const [key, row, ...inner] = error.path?.slice(path.length) ?? [];
      if (!areAll || typeof row !== 'number' || (key !== rows.key && key !== '__cursors'))
        return { error, row: 0 };
      const names = inner.filter((part) => typeof part === 'string').join('.');
      return { error, row, column: key === rows.key && names !== '' ? names : undefined };
    })
    .sort((one, other) => one.row - other.row);
}

/** A file of groups or totals would be taken for those of all rows, unless it tells that it is not. */
function notWhole({ rows }: ExportedList, whole: unknown): PlacedFailure | undefined {
  if (!isObject(whole) || whole.isComplete !== false) return undefined;
  const selected = [rows, ...selectedIn(rows)]
    .filter(({ field }) => field.name === 'totals')
    .flatMap(selectedIn);
  if (selected.some(({ field }) => field.name === 'isComplete')) return undefined;
  return failureOfAll(
    'LIST_TOO_LONG',
    'The list has more rows than `among`, so these are not all: raise `among`, or select `isComplete` to get them.',
  );
}

/** An object that leads to the list is null, without an error. */
function noList({ path }: ExportedList): PlacedFailure {
  const names = path.map(({ key }) => key).join('.');
  return failureOfAll('NOT_FOUND', `There is no list to export: \`${names}\` is null.`);
}

function failureOfAll(code: ErrorCode, message: string): PlacedFailure {
  return { error: new GraphQLError(message, { originalError: new RestError(code, message) }), row: 0 };
}

const REPEATED = failureOfAll('UPSTREAM_INVALID_RESPONSE', 'The REST service gave the same page twice.');

/** A page that is being read. */
interface ReadingPage {
  readonly result: Promise<ExecutionResult>;
  /** Releases what it holds. */
  end(): void;
}

/**
 * Reads the pages of a list, each as the result of an operation. The next one is asked for while the last is written,
 * and no further: whoever stops reading stops the calls.
 */
export async function* readPages(
  plan: ExportPlan,
  read: (page: ExportPageRequest) => ReadingPage,
): AsyncGenerator<ExecutionResult, void, undefined> {
  const start = (request: ExportPageRequest) => {
    const page = read(request);
    // Nothing awaits a page while the one before it is written, and an unhandled rejection would end the process.
    page.result.catch(() => {});
    return page;
  };
  let rows = 0;
  let request: ExportPageRequest | undefined = plan.firstPage();
  let next: ReadingPage | undefined = start(request);
  try {
    while (next) {
      const page: ReadingPage = next;
      next = undefined;
      try {
        const result = await page.result;
        rows += rowsIn(plan, result)?.length ?? 0;
        const { after } = request ?? {};
        request = plan.nextPage(result, rows);
        // Each page is a walk of its own, so that none would find it.
        if (request && request.after === after) return void (yield { ...result, errors: [REPEATED.error] });
        next = request && start(request);
        yield result;
      } finally {
        page.end();
      }
    }
  } finally {
    next?.end();
  }
}
