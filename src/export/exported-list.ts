import { getNamedType, getNullableType, isListType, isScalarType, OperationTypeNode } from 'graphql';
import type { PlannedOperation } from '../execution/operation.ts';
import type { FieldPlan, ObjectPlan } from '../execution/plan.ts';
import { badRequest, type RequestError } from '../http/errors.ts';
import { restMetadataOf } from '../schema/fields/metadata.ts';
import type { CsvColumn } from './csv.ts';

/** The list that an operation asks for. */
export interface ExportedList {
  /** From the root to the list; the last is the list itself. */
  readonly path: readonly [FieldPlan, ...FieldPlan[]];
  readonly list: FieldPlan;
  /** `nodes`, `edges`, `groups` or `totals`. */
  readonly rows: FieldPlan;
  /** Of edges and groups: what is selected of each. The node or the totals are the row, with the rest beside them. */
  readonly members: readonly FieldPlan[] | undefined;
  readonly columns: readonly CsvColumn[];
  /** Whether it is read page by page, and each row has a cursor: groups and totals are made of all pages. */
  readonly isPaged: boolean;
}

/** The member that holds the cursor of a row, on request. */
export const CURSOR_COLUMN = '_cursor';

/** Under these names the gateway asks for what it needs itself; names that start so are not for callers. */
export const HIDDEN = { page: '__page', cursors: '__cursors', whole: '__whole' } as const;

/** What holds the rows of a list, each with the member whose fields are columns as they are. */
const ROWS = new Map([
  ['nodes', undefined],
  ['edges', 'node'],
  ['groups', 'totals'],
  ['totals', undefined],
]);

/** Scalars whose values no person has typed. */
const VALUE_SCALARS = ['Amount', 'Boolean', 'DateTime', 'Float', 'Int'];

/** The name of the member whose fields stand in a row as they are. */
export function inlinedIn({ rows }: Pick<ExportedList, 'rows'>): string | undefined {
  return ROWS.get(rows.field.name);
}

/** Throws, with what is expected, if the operation is not one list and nothing else. */
export function findExportedList(planned: PlannedOperation, withCursor: boolean): ExportedList {
  if (planned.definition.operation !== OperationTypeNode.QUERY) throw unfit('It is no query.');
  const path = pathToList(planned.root);
  const list = path[path.length - 1] ?? path[0];
  const rows = rowsOf(list);
  const inlined = inlinedIn({ rows });
  const members = inlined === undefined ? undefined : membersOf(rows, inlined);
  const columns = members
    ? members.flatMap((member) => memberColumns(member, inlined))
    : columnsOf(rows.objectPlans(), [], []);
  const isPaged = ['nodes', 'edges'].includes(rows.field.name);
  if (withCursor && !isPaged)
    throw badRequest(`\`cursor\` is for records: \`${rows.field.name}\` have none.`);
  const all = withCursor
    ? [...columns, { name: CURSOR_COLUMN, path: [CURSOR_COLUMN], isText: false }]
    : columns;
  const names = all.map(({ name }) => name);
  const double = names.find((name, index) => names.indexOf(name) < index);
  if (double !== undefined) throw unfit(`Two columns are named \`${double}\`: give one of them an alias.`);
  return { path, list, rows, members, columns: all, isPaged };
}

function pathToList(root: ObjectPlan): [FieldPlan, ...FieldPlan[]] {
  const first = onlyField([root], 'The operation');
  const path: [FieldPlan, ...FieldPlan[]] = [first];
  for (let field = first; restMetadataOf(field.field).listedResource === undefined; ) {
    const { key } = field;
    if (isListType(getNullableType(field.field.type)))
      throw unfit(`\`${key}\` is no list of records: it has no \`nodes\` to select.`);
    if (field.objectPlans().length === 0) throw unfit(`\`${key}\` is no list.`);
    field = onlyField(field.objectPlans(), `\`${key}\``);
    path.push(field);
  }
  return path;
}

/** Clients add `__typename` everywhere, and a list that is read page by page has `pageInfo`: an export needs neither. */
const NO_ROWS = ['__typename', 'pageInfo'];

function onlyField(plans: readonly ObjectPlan[], where: string, expected = 'list'): FieldPlan {
  const selected = plans.flatMap(({ fields }) => fields).filter(({ field }) => !NO_ROWS.includes(field.name));
  const [only, other] = selected;
  if (only === undefined) throw unfit(`${where} has no ${expected}.`);
  if (other) throw unfit(`${where} has \`${other.key}\` beside \`${only.key}\`: leave one out.`);
  return only;
}

function rowsOf(list: FieldPlan): FieldPlan {
  const rows = onlyField(list.objectPlans(), `\`${list.key}\``, '`nodes`');
  if (!ROWS.has(rows.field.name)) throw unfit(`\`${list.key}\` has \`${rows.key}\` in place of its rows.`);
  if (Object.values<string>(HIDDEN).includes(rows.key)) throw unfit(`\`${rows.key}\` cannot be an alias.`);
  return rows;
}

function membersOf(rows: FieldPlan, inlined: string): readonly FieldPlan[] {
  const fields = rows
    .objectPlans()
    .flatMap((plan) => plan.fields)
    .filter(({ field }) => field.name !== '__typename');
  if (fields.filter(({ field }) => field.name === inlined).length > 1)
    throw unfit(`\`${rows.key}\` has its \`${inlined}\` twice.`);
  return fields;
}

function memberColumns(plan: FieldPlan, inlined: string | undefined): CsvColumn[] {
  const { key, field } = plan;
  if (field.name === inlined) return columnsOf(plan.objectPlans(), [key], []);
  if (field.name === 'cursor') return [{ name: key, path: [key], isText: false }];
  return [leafColumn([key], [key], field.type)];
}

/** A column for each leaf: of objects and of lists of objects, for each of their own. */
function columnsOf(
  plans: readonly ObjectPlan[],
  path: readonly string[],
  names: readonly string[],
): CsvColumn[] {
  const columns = new Map<string, CsvColumn>();
  for (const plan of plans.flatMap(({ fields }) => fields)) {
    const { key, field } = plan;
    const nested = plan.objectPlans();
    if (restMetadataOf(field).listedResource)
      throw unfit(`\`${[...names, key].join('.')}\` is a second list, inside the rows of the first.`);
    const inner =
      nested.length > 0
        ? columnsOf(nested, [...path, key], [...names, key])
        : [leafColumn([...names, key], [...path, key], field.type)];
    const isJoined = isListType(getNullableType(field.type));
    // The types of one field may share keys.
    for (const { type, ...column } of inner)
      columns.set(column.name, type === undefined || isJoined ? column : { ...column, type });
  }
  return [...columns.values()];
}

function leafColumn(
  names: readonly string[],
  path: readonly string[],
  type: FieldPlan['field']['type'],
): CsvColumn {
  return { name: names.join('.'), path, isText: isText(type), type: getNamedType(type).name };
}

function isText(type: FieldPlan['field']['type']): boolean {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return isText(nullable.ofType);
  return isScalarType(nullable) && !VALUE_SCALARS.includes(nullable.name);
}

function unfit(problem: string): RequestError {
  return badRequest(
    `${problem} An export takes a query of one list, and nothing beside it: its \`nodes\`, \`edges\`, \`groups\` or \`totals\`.`,
  );
}
