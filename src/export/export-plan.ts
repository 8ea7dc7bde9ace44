import { type ExecutionArgs, type ExecutionResult, Kind, parse, type SelectionSetNode } from 'graphql';
import { PlannedOperation, planOperation } from '../execution/operation.ts';
import { type FieldPlan, ObjectPlan } from '../execution/plan.ts';
import { badRequest } from '../http/errors.ts';
import { badInput } from '../rest/errors.ts';
import { isObject } from '../rest/json.ts';
import type { ExportRequest } from './export-request.ts';
import { findExportedList, HIDDEN } from './exported-list.ts';

/** As many as the REST service gives at once. */
export const PAGE_ROWS = 500;

/** What one page asks the list for. */
export interface ExportPageRequest {
  readonly first: number;
  readonly after: string | undefined;
}

/** What the gateway itself asks each page for: where the next one starts, and where each row stands. */
const OWN_SELECTION = selectionIn(
  `{ ${HIDDEN.page}: pageInfo { hasNextPage endCursor } ${HIDDEN.cursors}: edges { cursor } }`,
);

/** And groups and totals: whether they are those of all rows. */
const WHOLE_SELECTION = selectionIn(`{ ${HIDDEN.whole}: totals { isComplete } }`);

/** More groups than there can be. */
const ALL_GROUPS = 2 ** 31 - 1;

export type ExportPlan = ReturnType<typeof createExportPlan>;

/**
 * An operation that is run page by page: each is the same plan with other arguments of its list. Throws if the operation
 * is not fit for an export.
 */
export function createExportPlan(args: ExecutionArgs, request: ExportRequest, maxFirst: number) {
  const planned = planOperation(args);
  const { definition, variables } = planned;
  const exported = findExportedList(planned, request.withCursor);
  const { path, list, rows, isPaged } = exported;
  if (request.after !== undefined && !isPaged)
    throw badRequest(`\`after\` is for records: \`${rows.field.name}\` have no cursors.`);
  const own = path.reduceRight(
    (inner, field) => selectionOf(field, inner),
    isPaged ? OWN_SELECTION : WHOLE_SELECTION,
  );
  const root = new ObjectPlan(list.operation, planned.root.type, [definition.selectionSet, own]);
  // Whose arguments are given for each page: the list, or its groups.
  const paged = isPaged ? list : rows;
  const steps: readonly FieldPlan[] = isPaged ? path : [...path, rows];
  const plan =
    steps.reduce<FieldPlan | undefined>(
      (parent, { key, parentType }) =>
        (parent?.objectPlan(parentType) ?? root).fields.find((field) => field.key === key),
      undefined,
    ) ?? paged;
  const pagedArgs = planned.argumentsOf(paged);
  const limit = givenFirst(paged, variables);
  if (limit !== undefined && limit < 1) throw badInput('`first` takes a number from 1.');
  const { after: start, among } = planned.argumentsOf(list);
  const pageRows = (isPaged ? rowsAtOnce(pagedArgs) : Number(among)) ?? Math.min(PAGE_ROWS, maxFirst);
  const rowsLeft = (count: number) => Math.min(pageRows, (limit ?? Number.POSITIVE_INFINITY) - count);

  function connectionIn(data: unknown): { readonly [key: string]: unknown } | undefined {
    let value = data;
    for (const { key } of path) value = isObject(value) ? value[key] : undefined;
    return isObject(value) ? value : undefined;
  }

  return {
    exported,
    root,
    connectionIn,
    /** The most rows of one page. */
    pageRows,
    /** Without its extension. */
    fileName: isPaged ? list.key : `${list.key}-${rows.key}`,
    /** What limits `first` while a page is read; undefined for the limit that all operations have. */
    maxFirst: isPaged ? undefined : ALL_GROUPS,

    firstPage(): ExportPageRequest {
      return { first: rowsLeft(0), after: request.after ?? (typeof start === 'string' ? start : undefined) };
    },

    /** The page behind one, with how many rows there were up to its end; undefined behind the last. */
    nextPage({ data, errors }: ExecutionResult, count: number): ExportPageRequest | undefined {
      const page = connectionIn(data)?.[HIDDEN.page];
      if (errors || !isObject(page) || page.hasNextPage !== true || typeof page.endCursor !== 'string')
        return;
      const first = rowsLeft(count);
      return first > 0 ? { first, after: page.endCursor } : undefined;
    },

    /** The operation that reads one page. */
    operation(page: ExportPageRequest): PlannedOperation {
      const given = isPaged ? page : { first: limit ?? ALL_GROUPS };
      return new PlannedOperation(definition, root, variables, { plan, args: { ...pagedArgs, ...given } });
    },
  };
}

/** Where a list is filtered or sorted by the gateway, each page would read it all again: it is read once. */
function rowsAtOnce({ where, orderBy, among }: { readonly [name: string]: unknown }): number | undefined {
  return (where || orderBy) && typeof among === 'number' ? among : undefined;
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

function selectionIn(text: string): SelectionSetNode {
  const [definition] = parse(text, { noLocation: true }).definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new TypeError('not a selection');
  return definition.selectionSet;
}

/** A selection of this field with another selection inside, which the plan merges with the caller's by its key. */
function selectionOf({ key, field, parentType }: FieldPlan, inner: SelectionSetNode): SelectionSetNode {
  const name = (value: string) => ({ kind: Kind.NAME, value }) as const;
  const selected = {
    kind: Kind.FIELD,
    alias: name(key),
    name: name(field.name),
    selectionSet: inner,
  } as const;
  const fragment = {
    kind: Kind.INLINE_FRAGMENT,
    typeCondition: { kind: Kind.NAMED_TYPE, name: name(parentType.name) },
    selectionSet: { kind: Kind.SELECTION_SET, selections: [selected] },
  } as const;
  return { kind: Kind.SELECTION_SET, selections: [fragment] };
}
