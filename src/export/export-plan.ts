import { type ExecutionArgs, type ExecutionResult, Kind } from 'graphql';
import { asGraphQLError } from '../execution/execution-context.ts';
import { type PlannedOperation, planOperation } from '../execution/operation.ts';
import { type FieldPlan, getSubfields } from '../execution/plan.ts';
import type { Variables } from '../execution/variables.ts';
import { badRequest } from '../http/errors.ts';
import { badInput, RestError } from '../rest/errors.ts';
import { isObject } from '../rest/json.ts';
import type { DataSource } from '../schema/fields/context.ts';
import { cursorAt, type ListConnection } from '../schema/fields/cursor.ts';
import { DEFAULT_AMONG, readWhereAndOrder } from '../schema/fields/list-arguments.ts';
import type { ExportRequest } from './export-request.ts';
import { findExportedList } from './exported-list.ts';

/** The largest page of the REST service. */
export const PAGE_ROWS = 500;

const REPEATED = new RestError('UPSTREAM_INVALID_RESPONSE', 'The REST service returned the same page twice.');
const INCOMPLETE = new RestError(
  'LIST_TOO_LONG',
  'The list has more records than `among`. Raise `among`, or select `isComplete` to export the totals of some records.',
);

export type ExportPlan = ReturnType<typeof createExportPlan>;

/** Starts to read a page, and passes its list to `onList`; `end` releases it. */
type ReadPage = (
  operation: PlannedOperation,
  onList: DataSource['onList'],
) => { readonly result: Promise<ExecutionResult>; end(): void };

/**
 * Plans an export, which runs one operation per page with other arguments. Throws if the operation cannot be exported.
 */
export function createExportPlan(args: ExecutionArgs, request: ExportRequest, maxFirst: number) {
  const planned = planOperation(args);
  const exported = findExportedList(planned, request);
  const { path, list, rows, isPaged } = exported;
  if (request.after !== undefined && !isPaged)
    throw badRequest(`\`after\` is for records: \`${rows.field.name}\` have no cursors.`);
  // The field that gets new arguments for each page.
  const paged = isPaged ? list : rows;
  const pagedArgs = planned.getArguments(paged);
  const limit = getRequestedFirst(paged, planned.variables);
  if (limit < 1) throw badInput('`first` takes a number from 1.');
  const listArgs = planned.getArguments(list);
  const { after, among } = listArgs;
  const start = request.after ?? (typeof after === 'string' ? after : undefined);
  // A list that the gateway filters or sorts is read once, since each page would read all of it again.
  const isOnePage = !isPaged || readWhereAndOrder(listArgs).needsAllRows;
  const pageRows = isOnePage ? Number(among ?? DEFAULT_AMONG) : Math.min(PAGE_ROWS, maxFirst);
  const totals = [rows, ...getSubfields(rows)].filter(({ field }) => field.name === 'totals');
  const selectsIsComplete = totals.flatMap(getSubfields).some(({ field }) => field.name === 'isComplete');
  /** The list of the current page. */
  let currentList: ListConnection | undefined;

  /** Returns undefined if an object on the path to the list is null. */
  function getPageRows({ data }: ExecutionResult): readonly unknown[] | undefined {
    let value: unknown = data;
    for (const { key } of [...path, rows]) value = isObject(value) ? value[key] : undefined;
    if (Array.isArray(value)) return value;
    return isObject(value) ? [value] : undefined;
  }

  /** Returns an error if a page without errors cannot be exported. */
  async function findProblem(result: ExecutionResult, list?: ListConnection): Promise<RestError | undefined> {
    if (result.errors) return undefined;
    const names = path.map(({ key }) => key).join('.');
    if (!getPageRows(result))
      return new RestError('NOT_FOUND', `There is no list to export: \`${names}\` is null.`);
    // A file of groups or totals must cover all rows, or include `isComplete`.
    const fullList = isPaged || selectsIsComplete ? undefined : await list?.fullList;
    return fullList?.isComplete === false ? INCOMPLETE : undefined;
  }

  function planPage(count: number, after: string | undefined): PlannedOperation {
    const page = isPaged ? { first: Math.min(pageRows, limit - count), after } : { first: limit };
    return planned.withArguments(paged, { ...pagedArgs, ...page });
  }

  function readPage(read: ReadPage, count: number, after: string | undefined) {
    let connection: Promise<ListConnection> | undefined;
    const { result, end } = read(planPage(count, after), (list) => {
      connection = list;
    });
    // If the list fails, its error is in the result.
    const page = result.then(async (result) => ({ result, list: await connection?.catch(() => undefined) }));
    // Nothing awaits the page while the last one is written, so a rejection would be unhandled.
    page.catch(() => {});
    return { page, end };
  }

  /**
   * Runs one operation per page, and starts the next while a page is written. A client that stops reading stops the
   * calls.
   */
  async function* pages(read: ReadPage): AsyncGenerator<ExecutionResult, void, undefined> {
    let count = 0;
    let after = start;
    /** The current page and the next one. */
    const pending = [readPage(read, count, after)];
    try {
      for (let [current] = pending; current; [current] = pending) {
        const { list, result } = await current.page;
        currentList = list;
        count += getPageRows(result)?.length ?? 0;
        let problem = await findProblem(result, list);
        if (!result.errors && !problem && count < limit && isPaged && list?.hasNextPage) {
          const endCursor = cursorAt(list, list.rows.length - 1);
          // A list detects only repeats within one page.
          if (endCursor === null || endCursor === after) problem = REPEATED;
          else pending.push(readPage(read, count, endCursor));
          after = endCursor ?? after;
        }
        yield problem ? { ...result, errors: [asGraphQLError(problem)] } : result;
        pending.shift();
        current.end();
      }
    } finally {
      for (const { end } of pending) end();
    }
  }

  return {
    exported,
    root: planned.root,
    getPageRows,
    /** The cursor of a row of the current page. */
    cursorAt: (index: number) => currentList && cursorAt(currentList, index),
    pageRows,
    planPage,
    maxPages: isOnePage ? 1 : Math.ceil(limit / pageRows),
    fileName: isPaged ? list.key : `${list.key}-${rows.key}`,
    start,
    pages,
  };
}

/** The default value of `first` does not apply to exports: only a value in the request counts. */
export function getRequestedFirst({ nodes: [node] }: FieldPlan, variables: Variables): number {
  const value = node?.arguments?.find(({ name }) => name.value === 'first')?.value;
  if (value?.kind === Kind.INT) return Number(value.value);
  const variable = value?.kind === Kind.VARIABLE ? variables[value.name.value] : undefined;
  return typeof variable === 'number' ? variable : Number.POSITIVE_INFINITY;
}
