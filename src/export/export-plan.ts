import { type ExecutionArgs, type ExecutionResult, Kind } from 'graphql';
import { asGraphQLError } from '../execution/execution-context.ts';
import { type PlannedOperation, planOperation } from '../execution/operation.ts';
import { type FieldPlan, getSubfields } from '../execution/plan.ts';
import type { Variables } from '../execution/variables.ts';
import { badRequest } from '../http/errors.ts';
import { badInput, RestError } from '../rest/errors.ts';
import { isObject } from '../rest/json.ts';
import type { Reads } from '../schema/fields/context.ts';
import { cursorAt, type ListConnection } from '../schema/fields/cursor.ts';
import { DEFAULT_AMONG, readSorting } from '../schema/fields/list-arguments.ts';
import type { ExportRequest } from './export-request.ts';
import { findExportedList } from './exported-list.ts';

/** As many as the REST service gives at once. */
export const PAGE_ROWS = 500;

const REPEATED = new RestError('UPSTREAM_INVALID_RESPONSE', 'The REST service gave the same page twice.');
const NOT_WHOLE = new RestError(
  'LIST_TOO_LONG',
  'The list has more rows than `among`, so these are not all: raise `among`, or select `isComplete` to get them.',
);

export type ExportPlan = ReturnType<typeof createExportPlan>;

/** Begins to read a page, and tells of the list that it is a part of; `end` releases it. */
type ReadPage = (
  operation: PlannedOperation,
  onList: Reads['onList'],
) => { readonly result: Promise<ExecutionResult>; end(): void };

/**
 * An operation that is run page by page: each is the same plan with other arguments of its list. Throws if the operation
 * is not fit for an export.
 */
export function createExportPlan(args: ExecutionArgs, request: ExportRequest, maxFirst: number) {
  const planned = planOperation(args);
  const exported = findExportedList(planned, request.withCursor);
  const { path, list, rows, isPaged } = exported;
  if (request.after !== undefined && !isPaged)
    throw badRequest(`\`after\` is for records: \`${rows.field.name}\` have no cursors.`);
  // Whose arguments are given for each page.
  const paged = isPaged ? list : rows;
  const pagedArgs = planned.getArguments(paged);
  const limit = givenFirst(paged, planned.variables);
  if (limit < 1) throw badInput('`first` takes a number from 1.');
  const listArgs = planned.getArguments(list);
  const { after: asked, among } = listArgs;
  const start = request.after ?? (typeof asked === 'string' ? asked : undefined);
  // Where a list is filtered or sorted by the gateway, each page would read it all again: it is read once.
  const isWhole = !isPaged || readSorting(listArgs).isSorted;
  const pageRows = isWhole ? Number(among ?? DEFAULT_AMONG) : Math.min(PAGE_ROWS, maxFirst);
  const totals = [rows, ...getSubfields(rows)].filter(({ field }) => field.name === 'totals');
  const tellsIsComplete = totals.flatMap(getSubfields).some(({ field }) => field.name === 'isComplete');
  /** The list of the page that was given last. */
  let given: ListConnection | undefined;

  /** Undefined if there is no list, since an object that leads to it is null. */
  function rowsIn({ data }: ExecutionResult): readonly unknown[] | undefined {
    let found: unknown = data;
    for (const { key } of [...path, rows]) found = isObject(found) ? found[key] : undefined;
    if (Array.isArray(found)) return found;
    return isObject(found) ? [found] : undefined;
  }

  /** Why a page is none, though it has no error. */
  async function problemOf(result: ExecutionResult, list?: ListConnection): Promise<RestError | undefined> {
    if (result.errors) return undefined;
    const names = path.map(({ key }) => key).join('.');
    if (!rowsIn(result))
      return new RestError('NOT_FOUND', `There is no list to export: \`${names}\` is null.`);
    // A file of groups or totals would be taken for those of all rows, unless it tells that it is not.
    const whole = isPaged || tellsIsComplete ? undefined : await list?.fullList;
    return whole?.isComplete === false ? NOT_WHOLE : undefined;
  }

  /** The operation that reads the page after so many rows. */
  function pageAt(count: number, after: string | undefined): PlannedOperation {
    const page = isPaged ? { first: Math.min(pageRows, limit - count), after } : { first: limit };
    return planned.withArguments(paged, { ...pagedArgs, ...page });
  }

  function readPage(read: ReadPage, count: number, after: string | undefined) {
    let connection: Promise<ListConnection> | undefined;
    const { result: running, end } = read(pageAt(count, after), (list) => {
      connection = list;
    });
    // If the list fails, its error is in the result.
    const done = running.then(async (result) => ({ result, list: await connection?.catch(() => undefined) }));
    // Nothing awaits it while the last page is written, and an unhandled rejection would end the process.
    done.catch(() => {});
    return { done, end };
  }

  /**
   * Reads the pages of the list, each as the result of an operation. The next one is asked for while the last is written,
   * and no further: whoever stops reading stops the calls.
   */
  async function* pages(read: ReadPage): AsyncGenerator<ExecutionResult, void, undefined> {
    let count = 0;
    let after = start;
    /** The page that is written, and the next one. */
    const reading = [readPage(read, count, after)];
    try {
      for (let [current] = reading; current; [current] = reading) {
        const { list, result } = await current.done;
        given = list;
        count += rowsIn(result)?.length ?? 0;
        let problem = await problemOf(result, list);
        if (!result.errors && !problem && count < limit && isPaged && list?.hasNextPage) {
          const endCursor = cursorAt(list, list.rows.length - 1);
          // Each page is a walk of its own, and a walk finds only its own repeats.
          if (endCursor === null || endCursor === after) problem = REPEATED;
          else reading.push(readPage(read, count, endCursor));
          after = endCursor ?? after;
        }
        yield problem ? { ...result, errors: [asGraphQLError(problem)] } : result;
        reading.shift();
        current.end();
      }
    } finally {
      for (const { end } of reading) end();
    }
  }

  return {
    exported,
    root: planned.root,
    rowsIn,
    /** The cursor of a row of the page that was given last. */
    cursorAt: (index: number) => given && cursorAt(given, index),
    pageRows,
    pageAt,
    /** How many pages there are at most. */
    maxPages: isWhole ? 1 : Math.ceil(limit / pageRows),
    fileName: isPaged ? list.key : `${list.key}-${rows.key}`,
    start,
    pages,
  };
}

/** `first` has a default, which is not for exports: only what the caller has written counts. */
export function givenFirst({ nodes: [node] }: FieldPlan, variables: Variables): number {
  const value = node?.arguments?.find(({ name }) => name.value === 'first')?.value;
  if (value?.kind === Kind.INT) return Number(value.value);
  const given = value?.kind === Kind.VARIABLE ? variables[value.name.value] : undefined;
  return typeof given === 'number' ? given : Number.POSITIVE_INFINITY;
}
