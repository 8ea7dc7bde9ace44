import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type FieldNode,
  Kind,
  parse,
  type SelectionNode,
  visit,
} from 'graphql';
import { type PlannedOperation, planOperation } from '../execution/operation.ts';
import type { FieldPlan } from '../execution/plan.ts';
import { asGraphQLError } from '../execution/run.ts';
import { badRequest } from '../http/errors.ts';
import { getOrCreate } from '../memoize.ts';
import { badInput, RestError } from '../rest/errors.ts';
import { isObject } from '../rest/json.ts';
import type { ExportRequest } from './export-request.ts';
import { type ExportedList, findExportedList } from './exported-list.ts';

/** As many as the REST service gives at once. */
export const PAGE_ROWS = 500;

/** Under these names the gateway asks for what it needs itself: where the next page starts, and where each row stands. */
const OF_PAGES = selectionsIn('{ __page: pageInfo { hasNextPage endCursor } __cursors: edges { cursor } }');

/** And of groups and totals: whether they are those of all rows. */
const OF_WHOLE_LISTS = selectionsIn('{ __whole: totals { isComplete } }');

/** More groups than there can be. */
const ALL_GROUPS = 2 ** 31 - 1;

const REPEATED = asGraphQLError(
  new RestError('UPSTREAM_INVALID_RESPONSE', 'The REST service gave the same page twice.'),
);

/** A page that is being read. */
interface ReadingPage {
  readonly result: Promise<ExecutionResult>;
  /** Releases what it holds. */
  end(): void;
}

export type ExportPlan = ReturnType<typeof createExportPlan>;

/**
 * An operation that is run page by page: each is the same plan with other arguments of its list. Throws if the operation
 * is not fit for an export.
 */
export function createExportPlan(args: ExecutionArgs, request: ExportRequest, maxFirst: number) {
  const asked = findExportedList(planOperation(args), request.withCursor);
  const planned = planOperation({ ...args, document: withOwnSelections(args.document, asked) });
  const exported = findExportedList(planned, request.withCursor);
  const { path, list, rows, isPaged } = exported;
  if (request.after !== undefined && !isPaged)
    throw badRequest(`\`after\` is for records: \`${rows.field.name}\` have no cursors.`);
  // Whose arguments are given for each page.
  const paged = isPaged ? list : rows;
  const pagedArgs = planned.argumentsOf(paged);
  const limit = givenFirst(paged, planned.variables) ?? Number.POSITIVE_INFINITY;
  if (limit < 1) throw badInput('`first` takes a number from 1.');
  const { after: given, among, where, orderBy } = planned.argumentsOf(list);
  const start = request.after ?? (typeof given === 'string' ? given : undefined);
  // Where a list is filtered or sorted by the gateway, each page would read it all again: it is read once.
  const isWhole = !isPaged || Boolean(where || orderBy);
  const pageRows = isWhole ? Number(among) : Math.min(PAGE_ROWS, maxFirst);

  function connectionIn({ data }: ExecutionResult): { readonly [key: string]: unknown } {
    let value: unknown = data;
    for (const { key } of path) value = isObject(value) ? value[key] : undefined;
    return isObject(value) ? value : {};
  }

  /** Undefined if there is no list, since an object that leads to it is null. */
  function rowsIn(result: ExecutionResult): readonly unknown[] | undefined {
    const found = connectionIn(result)[rows.key];
    if (Array.isArray(found)) return found;
    return isObject(found) ? [found] : undefined;
  }

  function operation(after: string | undefined, count: number): PlannedOperation {
    const page = isPaged
      ? { first: Math.min(pageRows, limit - count), after }
      : { first: Math.min(limit, ALL_GROUPS) };
    return planned.withArguments(paged, { ...pagedArgs, ...page });
  }

  /**
   * Reads the pages of the list, each as the result of an operation. The next one is asked for while the last is written,
   * and no further: whoever stops reading stops the calls.
   */
  async function* pages(
    read: (operation: PlannedOperation) => ReadingPage,
  ): AsyncGenerator<ExecutionResult, void, undefined> {
    let count = 0;
    let after = start;
    let next: ReadingPage | undefined = read(operation(after, count));
    try {
      while (next) {
        const page: ReadingPage = next;
        next = undefined;
        try {
          const result = await page.result;
          count += rowsIn(result)?.length ?? 0;
          const { __page: info } = connectionIn(result);
          if (!result.errors && count < limit && isObject(info) && info.hasNextPage === true) {
            // Each page is a walk of its own, so that none would find it.
            if (info.endCursor === after) return void (yield { ...result, errors: [REPEATED] });
            after = String(info.endCursor);
            next = read(operation(after, count));
            // Nothing awaits it while this one is written, and an unhandled rejection would end the process.
            next.result.catch(() => {});
          }
          yield result;
        } finally {
          page.end();
        }
      }
    } finally {
      next?.end();
    }
  }

  return {
    exported,
    root: planned.root,
    connectionIn,
    rowsIn,
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

/** By the node of the list: plans are kept by their document. */
const extended = new WeakMap<FieldNode, DocumentNode>();

function withOwnSelections(document: DocumentNode, { list, isPaged }: ExportedList): DocumentNode {
  const { nodes } = list;
  const own = isPaged ? OF_PAGES : OF_WHOLE_LISTS;
  const extend = (node: FieldNode): FieldNode => {
    const selections = [...(node.selectionSet?.selections ?? []), ...own];
    return { ...node, selectionSet: { kind: Kind.SELECTION_SET, selections } };
  };
  const create = () =>
    visit(document, { Field: (node) => (nodes.includes(node) ? extend(node) : undefined) });
  return nodes[0] ? getOrCreate(extended, nodes[0], create) : document;
}

function selectionsIn(text: string): readonly SelectionNode[] {
  return parse(text, { noLocation: true }).definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION ? definition.selectionSet.selections : [],
  );
}
