import { forEachRow } from '../../event-loop.ts';
import { type Arguments, type FieldPlan, getSubfields } from '../../execution/plan.ts';
import type { Unreadable } from '../../lists/columns.ts';
import { createSorter, requireFewCriteria, type SortPosition } from '../../lists/order.ts';
import type { Group } from '../../lists/totals.ts';
import { badInput, InvalidValue, RestError } from '../../rest/errors.ts';
import { type FieldTree, findMissingFields, isEmpty } from '../../rest/fields.ts';
import { BY_ID } from '../../rest/lookup.ts';
import { type Resource, type Row, type RowOrError, withRequiredFields } from '../../rest/resource.ts';
import type { Context, DataSource } from './context.ts';
import type { FullList } from './cursor.ts';
import { DEFAULT_TOP, readWhereAndOrder } from './list-arguments.ts';
import { collectObject } from './metadata.ts';
import { toRecordKey } from './record.ts';

export interface PositionedRow<R = Row> {
  readonly row: R;
  readonly sortPosition: SortPosition;
}

const MAX_TOP = 100;
const TOO_LONG = new RestError(
  'LIST_TOO_LONG',
  'The list has more records than `among`, so the first ones of each group are unknown: raise `among`, or narrow the list.',
);

/** Throws if the arguments of a `top` are invalid. */
export function readTopArguments(groups: FieldPlan, variables: Arguments) {
  const plans = getSubfields(groups).filter(({ field }) => field.name === 'top');
  return plans.map((plan) => {
    const args = plan.coerceArguments(variables);
    const first = Number(args.first ?? DEFAULT_TOP);
    if (first < 1 || first > MAX_TOP)
      throw badInput(`\`first\` of \`top\` takes a number from 1 to ${MAX_TOP}.`);
    const { orderBy } = readWhereAndOrder(args);
    requireFewCriteria(orderBy);
    const [record] = plan.objectPlans;
    const fields = record ? collectObject(record) : {};
    return { key: plan.key, first, orderBy, fields };
  });
}

/** Returns the first rows of each group. One lookup for all groups adds their missing fields. */
export async function readTop(
  { first, orderBy, fields }: ReturnType<typeof readTopArguments>[number],
  groups: readonly Group[],
  fullList: FullList,
  { resource, unreadable }: { readonly resource: Resource; readonly unreadable: Unreadable },
  { dataSource }: Context,
): Promise<readonly (readonly RowOrError[])[]> {
  if (!fullList.isComplete && !fullList.problem) throw TOO_LONG;
  const sorter = createSorter(orderBy, dataSource.collation, unreadable);
  const tops = groups.map((): PositionedRow[] => []);
  const entries = groups.flatMap(({ rows }, index) => rows.map((row) => ({ row, top: tops[index] ?? [] })));
  if (orderBy.length > 0) dataSource.session.countSorted(entries.length);
  const keepFirst = (top: PositionedRow[]) => {
    if (orderBy.length > 0) top.sort((a, b) => sorter.compare(a.sortPosition, b.sortPosition));
    top.splice(first);
  };
  await forEachRow(entries, ({ row, top }) => {
    top.push({ row, sortPosition: sorter.getPosition(row) });
    // To sort all rows of a large group would take one long turn of the event loop.
    if (top.length > 2 * MAX_TOP) keepFirst(top);
  });
  await forEachRow(tops, keepFirst);
  const missing = getMissingFields(resource, fullList.fields, fields);
  if (isEmpty(missing)) return tops.map((top) => top.map(({ row }) => row));
  const completed = await addMissingFields(tops.flat(), missing, resource, dataSource);
  const rows = new Map(completed.map(({ row, sortPosition }) => [sortPosition, row]));
  return tops.map((top) => top.flatMap(({ sortPosition }) => rows.get(sortPosition) ?? []));
}

/** Returns the fields that were not read with the whole list. */
export function getMissingFields(resource: Resource, available: FieldTree, fields: FieldTree): FieldTree {
  if (!resource.takesFields) return {};
  return findMissingFields(withRequiredFields(resource, available), withRequiredFields(resource, fields));
}

/** Adds missing fields by one lookup. Leaves out records that were deleted in the meantime. */
export async function addMissingFields(
  rows: readonly PositionedRow[],
  missing: FieldTree,
  resource: Resource,
  { loaders }: DataSource,
): Promise<readonly PositionedRow<RowOrError>[]> {
  const refs = rows.map(({ row }) => toRecordKey(row.administrationId, row.internalId));
  const records = await loaders.records(resource, BY_ID, { refs, fields: missing });
  return rows.flatMap(({ row, sortPosition }, index): PositionedRow<RowOrError>[] => {
    const record = records[index];
    if (!record) return [];
    if (record instanceof InvalidValue) return [{ row: record, sortPosition }];
    if (record instanceof Error) throw record;
    return [{ row: { ...row, ...record }, sortPosition }];
  });
}
