import { type ExecutionArgs, type ExecutionResult, Kind } from 'graphql';
import { type PlannedOperation, planOperation } from '../execution/operation.ts';
import { type FieldPlan, selectedIn } from '../execution/plan.ts';
import { asGraphQLError } from '../execution/run.ts';
import { badRequest } from '../http/errors.ts';
import { badInput, RestError } from '../rest/errors.ts';
import { isObject } from '../rest/json.ts';
import type { Context } from '../schema/fields/builder.ts';
import { cursorAt, type ListConnection } from '../schema/fields/cursor.ts';
import type { ExportRequest } from './export-request.ts';
import { findExportedList } from './exported-list.ts';

/** As many as the REST service gives at once. */
export const PAGE_ROWS = 500;

/** More groups than there can be. */
const ALL_GROUPS = 2 ** 31 - 1;

const REPEATED = new RestError('UPSTREAM_INVALID_RESPONSE', 'The REST service gave the same page twice.');
const NOT_WHOLE = new RestError(
  'LIST_TOO_LONG',
  'The list has more rows than `among`, so these are not all: raise `among`, or select `isComplete` to get them.',
);

/** A page that was read, as its operation and as its list. */
interface Page {
  readonly result: ExecutionResult;
  readonly list: ListConnection | undefined;
}

/** Begins to read a page, and is told of the list that it is a part of. */
type ReadPage = (
  operation: PlannedOperation,
  onList: NonNullable<Context['onList']>,
) => {
  readonly result: Promise<ExecutionResult>;
  /** Releases what the page holds. */
  end(): void;
};

export type ExportPlan = ReturnType<typeof createExportPlan>;

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
  const pagedArgs = planned.argumentsOf(paged);
  const limit = givenFirst(paged, planned.variables) ?? Number.POSITIVE_INFINITY;
  if (limit < 1) throw badInput('`first` takes a number from 1.');
  const { after: asked, among, where, orderBy } = planned.argumentsOf(list);
  const start = request.after ?? (typeof asked === 'string' ? asked : undefined);
  // Where a list is filtered or sorted by the gateway, each page would read it all again: it is read once.
  const isWhole = !isPaged || Boolean(where || orderBy);
  const pageRows = isWhole ? Number(among) : Math.min(PAGE_ROWS, maxFirst);

  /** The page that was given last. */
  let given: Page;

  /** Undefined if there is no list, since an object that leads to it is null. */
  function rowsIn({ data }: ExecutionResult): readonly unknown[] | undefined {
    let found: unknown = data;
    for (const { key } of [...path, rows]) found = isObject(found) ? found[key] : undefined;
    if (Array.isArray(found)) return found;
    return isObject(found) ? [found] : undefined;
  }

  /** Why a page is none, though it has no error. */
  async function problemOf({ result, list }: Page): Promise<RestError | undefined> {
    const names = path.map(({ key }) => key).join('.');
    if (!rowsIn(result))
      return new RestError('NOT_FOUND', `There is no list to export: \`${names}\` is null.`);
    // A file of groups or totals would be taken for those of all rows, unless it tells that it is not.
    if (isPaged || [rows, ...selectedIn(rows)].some(tellsIsComplete)) return undefined;
    const whole = await list?.whole;
    return whole?.isComplete === false ? NOT_WHOLE : undefined;
  }

  /**
   * Reads the pages of the list, each as the result of an operation. The next one is asked for while the last is written,
   * and no further: whoever stops reading stops the calls.
   */
  async function* pages(read: ReadPage): AsyncGenerator<ExecutionResult, void, undefined> {
    let count = 0;
    let after = start;
    /** The page that is written, and the next one. */
    const reading = [readNext()];
    function readNext() {
      const page = isPaged
        ? { first: Math.min(pageRows, limit - count), after }
        : { first: Math.min(limit, ALL_GROUPS) };
      let connection: Promise<ListConnection> | undefined;
      const { result: executed, end } = read(
        planned.withArguments(paged, { ...pagedArgs, ...page }),
        (list) => {
          connection = list;
        },
      );
      const done = executed.then(async (result): Promise<Page> => {
        // If it fails, its error is in the result.
        const list = await connection?.catch(() => undefined);
        const problem = result.errors ? undefined : await problemOf({ result, list });
        return { list, result: problem ? { ...result, errors: [asGraphQLError(problem)] } : result };
      });
      // Nothing awaits it while the last page is written, and an unhandled rejection would end the process.
      done.catch(() => {});
      return { done, end };
    }
    try {
      for (let [current] = reading; current; [current] = reading) {
        given = await current.done;
        const { result, list } = given;
        count += rowsIn(result)?.length ?? 0;
        if (!result.errors && count < limit && isPaged && list?.hasNextPage) {
          const endCursor = cursorAt(list, list.rows.length - 1);
          // Each page is a walk of its own, so that none would find it.
          if (endCursor === null || endCursor === after)
            return void (yield { ...result, errors: [asGraphQLError(REPEATED)] });
          after = endCursor;
          reading.push(readNext());
        }
        yield result;
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
    cursorAt: (index: number) => given.list && cursorAt(given.list, index),
    /** The most rows of one page. */
    pageRows,
    /** Without its extension. */
    fileName: isPaged ? list.key : `${list.key}-${rows.key}`,
    /** What limits `first` while a page is read; undefined for the limit that all operations have. */
    maxFirst: isPaged ? undefined : ALL_GROUPS,
    /** The cursor that it starts behind. */
    start,
    pages,
  };
}

function tellsIsComplete(plan: FieldPlan): boolean {
  return plan.field.name === 'totals' && selectedIn(plan).some(({ field }) => field.name === 'isComplete');
}

/** `first` has a default, which is not for exports: only what the caller has written counts. */
export function givenFirst(
  { nodes: [node] }: FieldPlan,
  variables: { readonly [name: string]: unknown },
): number | undefined {
  const value = node?.arguments?.find(({ name }) => name.value === 'first')?.value;
  if (value?.kind === Kind.INT) return Number(value.value);
  const given = value?.kind === Kind.VARIABLE ? variables[value.name.value] : undefined;
  return typeof given === 'number' ? given : undefined;
}
