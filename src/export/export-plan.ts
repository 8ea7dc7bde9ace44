import { type ExecutionArgs, type ExecutionResult, Kind, parse, type SelectionSetNode } from 'graphql';
import { type PlannedOperation as Planned, PlannedOperation, planOperation } from '../execution/operation.ts';
import { type FieldPlan, ObjectPlan } from '../execution/plan.ts';
import { badRequest } from '../http/errors.ts';
import { badInput } from '../rest/errors.ts';
import { isObject } from '../rest/json.ts';
import type { ExportRequest } from './export-request.ts';
import { type ExportedList, findExportedList, HIDDEN } from './exported-list.ts';

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

/** An operation that is run page by page: each is the same plan with other arguments of its list. */
export class ExportPlan {
  readonly exported: ExportedList;
  readonly #planned: Planned;
  readonly #root: ObjectPlan;
  /** Whose arguments are given for each page: the list, or its groups. */
  readonly #paged: FieldPlan;
  readonly #args: { readonly [name: string]: unknown };
  /** The caller's own limit, if it has given one. */
  readonly #first: number | undefined;
  readonly #after: string | undefined;
  /** The most rows of one page. */
  readonly pageRows: number;

  /** Throws if the operation is not fit for an export. */
  constructor(args: ExecutionArgs, request: ExportRequest, maxFirst: number) {
    this.#planned = planOperation(args);
    this.exported = findExportedList(this.#planned, request.withCursor);
    const { path, list, rows, isPaged } = this.exported;
    if (request.after !== undefined && !isPaged)
      throw badRequest(`\`after\` is for records: \`${rows.field.name}\` have no cursors.`);
    const { definition, root, variables } = this.#planned;
    const added = isPaged ? OWN_SELECTION : WHOLE_SELECTION;
    const own = path.reduceRight((inner, field) => selectionOf(field, inner), added);
    this.#root = new ObjectPlan(list.operation, root.type, [definition.selectionSet, own]);
    const steps: readonly FieldPlan[] = isPaged ? path : [...path, rows];
    const paged = isPaged ? list : rows;
    this.#paged =
      steps.reduce<FieldPlan | undefined>(
        (parent, { key, parentType }) =>
          (parent?.objectPlan(parentType) ?? this.#root).fields.find((field) => field.key === key),
        undefined,
      ) ?? paged;
    this.#args = this.#planned.argumentsOf(paged);
    this.#first = givenFirst(paged, variables);
    if (this.#first !== undefined && this.#first < 1) throw badInput('`first` takes a number from 1.');
    const { after, among } = this.#planned.argumentsOf(list);
    this.#after = request.after ?? (typeof after === 'string' ? after : undefined);
    this.pageRows = (isPaged ? rowsAtOnce(this.#args) : Number(among)) ?? Math.min(PAGE_ROWS, maxFirst);
  }

  firstPage(): ExportPageRequest {
    return { first: this.#rowsLeft(0), after: this.#after };
  }

  /** The page behind one, with how many rows there were up to its end; undefined behind the last. */
  nextPage({ data, errors }: ExecutionResult, rows: number): ExportPageRequest | undefined {
    const page = this.connectionIn(data)?.[HIDDEN.page];
    if (errors || !isObject(page) || page.hasNextPage !== true || typeof page.endCursor !== 'string') return;
    const first = this.#rowsLeft(rows);
    return first > 0 ? { first, after: page.endCursor } : undefined;
  }

  /** The operation that reads one page. */
  operation({ first, after }: ExportPageRequest): Planned {
    const { definition, variables } = this.#planned;
    const args = this.exported.isPaged
      ? { ...this.#args, first, after }
      : { ...this.#args, first: this.#first ?? ALL_GROUPS };
    return new PlannedOperation(definition, this.#root, variables, { plan: this.#paged, args });
  }

  /** Without its extension. */
  get fileName(): string {
    const { list, rows, isPaged } = this.exported;
    return isPaged ? list.key : `${list.key}-${rows.key}`;
  }

  /** What limits `first` while a page is read; undefined for the limit that all operations have. */
  get maxFirst(): number | undefined {
    return this.exported.isPaged ? undefined : ALL_GROUPS;
  }

  connectionIn(data: unknown): { readonly [key: string]: unknown } | undefined {
    let value = data;
    for (const { key } of this.exported.path) value = isObject(value) ? value[key] : undefined;
    return isObject(value) ? value : undefined;
  }

  #rowsLeft(rows: number): number {
    return Math.min(this.pageRows, (this.#first ?? Number.POSITIVE_INFINITY) - rows);
  }
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
  const [node] = selectionIn(
    `{ ... on ${parentType.name} { ${key}: ${field.name} { __typename } } }`,
  ).selections;
  if (node?.kind !== Kind.INLINE_FRAGMENT) throw new TypeError('not a fragment');
  const selections = node.selectionSet.selections.map((selected) =>
    selected.kind === Kind.FIELD ? { ...selected, selectionSet: inner } : selected,
  );
  return {
    kind: Kind.SELECTION_SET,
    selections: [{ ...node, selectionSet: { kind: Kind.SELECTION_SET, selections } }],
  };
}
