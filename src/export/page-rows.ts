import { type ExecutionResult, GraphQLError } from 'graphql';
import { isOfOthers } from '../execution/run.ts';
import { type ErrorCode, RestError } from '../rest/errors.ts';
import { isObject } from '../rest/json.ts';
import type { ExportPageRequest, ExportPlan } from './export-plan.ts';
import { CURSOR_COLUMN, type ExportedList, HIDDEN, inlinedIn } from './exported-list.ts';

/** The rows of a page that can be written, and why the others cannot. */
interface PageRows {
  readonly rows: readonly unknown[];
  /** The cursor of one of them. */
  readonly cursorAt: (index: number) => string | undefined;
  readonly failure: RowFailure | undefined;
}

export interface RowFailure {
  readonly error: GraphQLError;
  /** The column that it is about, if it is about one. */
  readonly column?: string | undefined;
}

/** The rows of a page up to the first error in one: what stands behind it would be taken for the whole. */
export function pageRows(plan: ExportPlan, result: ExecutionResult): PageRows {
  const { exported } = plan;
  const connection = plan.connectionIn(result.data);
  const found = connection?.[exported.rows.key];
  const all = exported.rows.field.name === 'totals' && isObject(found) ? [found] : found;
  const failure = failureIn(exported, result) ?? incompleteIn(exported, connection);
  if (!Array.isArray(all) || failure?.row === 0)
    return { rows: [], cursorAt: () => undefined, failure: failure ?? noList(exported) };
  const rows: unknown[] = failure ? all.slice(0, failure.row) : all;
  const cursors = connection?.[HIDDEN.cursors];
  const cursorAt = (index: number) => cursorOf(Array.isArray(cursors) ? cursors[index] : undefined);
  return { rows, cursorAt, failure };
}

function cursorOf(edge: unknown): string | undefined {
  return isObject(edge) && typeof edge.cursor === 'string' ? edge.cursor : undefined;
}

/** A row of `edges` is its node, with the cursor beside it; one of `groups` has its totals as they are. */
export function flatRow(row: unknown, exported: ExportedList): unknown {
  const { members } = exported;
  if (members === undefined || !isObject(row)) return row;
  const inlined = inlinedIn(exported);
  const flat: Record<string, unknown> = {};
  for (const { key, field } of members) {
    if (field.name === inlined) Object.assign(flat, row[key]);
    else flat[key] = row[key];
  }
  return CURSOR_COLUMN in row ? { ...flat, [CURSOR_COLUMN]: row[CURSOR_COLUMN] } : flat;
}

interface PlacedFailure extends RowFailure {
  readonly row: number;
}

/** The failure of the first row that has one. Where some errors are cut, it may be any row. */
function failureIn(exported: ExportedList, { errors = [] }: ExecutionResult): PlacedFailure | undefined {
  const isCut = errors.some(isOfOthers);
  let first: PlacedFailure | undefined;
  for (const error of errors) {
    const placed = isCut ? { error, row: 0 } : placeOf(exported, error);
    if (first === undefined || placed.row < first.row) first = placed;
  }
  return first;
}

function placeOf({ path, rows }: ExportedList, error: GraphQLError): PlacedFailure {
  const [key, row, ...inner] = error.path?.slice(path.length) ?? [];
  if (typeof row !== 'number' || (key !== rows.key && key !== HIDDEN.cursors)) return { error, row: 0 };
  const names = inner.filter((part) => typeof part === 'string');
  return { error, row, column: key === rows.key && names.length > 0 ? names.join('.') : undefined };
}

/** A file of groups or totals would be taken for those of all rows, unless it tells that it is not. */
function incompleteIn(
  { rows, members, isPaged }: ExportedList,
  connection: { readonly [key: string]: unknown } | undefined,
): PlacedFailure | undefined {
  const whole = connection?.[HIDDEN.whole];
  if (isPaged || !isObject(whole) || whole.isComplete !== false) return undefined;
  const totals = members ? members.filter(({ field }) => field.name === 'totals') : [rows];
  const selected = totals.flatMap((plan) => plan.objectPlans()).flatMap(({ fields }) => fields);
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
export interface ReadingPage {
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
  let rows = 0;
  let { after } = plan.firstPage();
  let next: ReadingPage | undefined = start(read, plan.firstPage());
  try {
    while (next) {
      const page: ReadingPage = next;
      next = undefined;
      try {
        const result = await page.result;
        rows += rowCount(plan, result);
        const request = plan.nextPage(result, rows);
        // Each page is a walk of its own, so that none would find it.
        if (request && request.after === after) return void (yield { ...result, errors: [REPEATED.error] });
        after = request?.after;
        next = request && start(read, request);
        yield result;
      } finally {
        page.end();
      }
    }
  } finally {
    next?.end();
  }
}

/** Nothing awaits a page while the one before it is written, and an unhandled rejection would end the process. */
function start(read: (page: ExportPageRequest) => ReadingPage, request: ExportPageRequest): ReadingPage {
  const page = read(request);
  page.result.catch(() => {});
  return page;
}

function rowCount(plan: ExportPlan, { data }: ExecutionResult): number {
  const rows = plan.connectionIn(data)?.[plan.exported.rows.key];
  return Array.isArray(rows) ? rows.length : 0;
}
