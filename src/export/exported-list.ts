import { getNamedType, getNullableType, isListType, OperationTypeNode } from 'graphql';
import type { PlannedOperation } from '../execution/operation.ts';
import { type FieldPlan, getSubfields, type ObjectPlan } from '../execution/plan.ts';
import { badRequest, type RequestError } from '../http/errors.ts';
import { isObject } from '../rest/json.ts';
import { getRestMetadata } from '../schema/fields/metadata.ts';
import type { CsvColumn } from './csv.ts';
import type { ExportRequest } from './export-request.ts';

/** The column that holds the cursor of a row, on request. */
export const CURSOR_COLUMN = '_cursor';

/** Maps a field with rows to the nested field whose columns have no prefix. */
const INLINED = new Map([
  ['nodes', ''],
  ['edges', 'node'],
  ['groups', 'totals'],
  ['totals', ''],
]);

/** Throws if the operation is not a query of exactly one list. */
export function findExportedList(
  { definition, root }: PlannedOperation,
  { withCursor, timeZone }: Pick<ExportRequest, 'withCursor' | 'timeZone'>,
) {
  if (definition.operation !== OperationTypeNode.QUERY) throw exportError('The operation is not a query.');
  const path = findPath([root], 'The operation');
  const list = path[path.length - 1] ?? path[0];
  const rows = getOnlyField(list.objectPlans, `\`${list.key}\``, '`nodes`');
  const { name } = rows.field;
  const inlined = INLINED.get(name);
  if (inlined === undefined) throw exportError(`\`${list.key}\` has \`${rows.key}\` instead of its rows.`);
  const isPaged = name === 'nodes' || name === 'edges';
  if (withCursor && !isPaged) throw badRequest(`\`cursor\` is for records: \`${name}\` have no cursors.`);
  if (timeZone !== undefined && name === 'groups')
    throw badRequest('`timeZone` is for dates of records. Write `groups(by: …, timeZone: …)` instead.');
  const members = getSubfields(rows).filter(({ field }) => inlined === '' || field.name !== '__typename');
  const columns = members.flatMap((member) =>
    buildColumns(member, member.field.name === inlined ? '' : member.key),
  );
  if (withCursor) columns.push({ name: CURSOR_COLUMN, type: 'String', isList: false });
  const names = columns.map((column) => column.name);
  const duplicate = names.find((column, index) => names.indexOf(column) < index);
  if (duplicate !== undefined)
    throw exportError(`Two columns are named \`${duplicate}\`. Give one an alias.`);

  /** Moves the inlined fields of a row to its top level. */
  function flatten(row: unknown): object {
    if (!isObject(row) || inlined === '') return Object(row);
    return Object.assign(
      {},
      ...members.map(({ key, field }) => (field.name === inlined ? row[key] : { [key]: row[key] })),
    );
  }

  return { path, list, rows, columns, isPaged, flatten };
}

function findPath(plans: readonly ObjectPlan[], where: string): [FieldPlan, ...FieldPlan[]] {
  const plan = getOnlyField(plans, where);
  const { key, field } = plan;
  if (getRestMetadata(field).listedResource) return [plan];
  if (isListType(getNullableType(field.type)) || plan.objectPlans.length === 0)
    throw exportError(`\`${key}\` is not a list of records.`);
  return [plan, ...findPath(plan.objectPlans, `\`${key}\``)];
}

/** Ignores `__typename`, which clients add everywhere, and `pageInfo`, which paging clients select. */
function getOnlyField(plans: readonly ObjectPlan[], where: string, expected = 'list'): FieldPlan {
  const [only, second] = plans
    .flatMap(({ fields }) => fields)
    .filter(({ field }) => field.name !== 'pageInfo' && !field.name.startsWith('__'));
  if (only === undefined) throw exportError(`${where} has no ${expected}.`);
  if (second) throw exportError(`${where} has both \`${only.key}\` and \`${second.key}\`: leave one out.`);
  return only;
}

/** Returns a column for each leaf, nested ones included. */
function buildColumns(plan: FieldPlan, name: string, isInList = false): CsvColumn[] {
  const { field } = plan;
  if (getRestMetadata(field).listedResource)
    throw exportError(`\`${name}\` is a second list, nested in the rows of the first.`);
  const isList = isInList || isListType(getNullableType(field.type));
  const nested = getSubfields(plan);
  if (nested.length === 0) return [{ name, type: getNamedType(field.type).name, isList }];
  const prefix = name && `${name}.`;
  return nested.flatMap((member) => buildColumns(member, prefix + member.key, isList));
}

function exportError(problem: string): RequestError {
  return badRequest(
    `${problem} An export takes a query of one list and nothing else: its \`nodes\`, \`edges\`, \`groups\` or \`totals\`.`,
  );
}
