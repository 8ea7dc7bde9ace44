import type { GraphQLResolveInfo } from 'graphql';
import { forEachRow, runAfterYield } from '../../event-loop.ts';
import { getFieldPlan } from '../../execution/execution-context.ts';
import type { Arguments } from '../../execution/plan.ts';
import { createSorter } from '../../lists/order.ts';
import { compileWhere } from '../../lists/where.ts';
import { RestError } from '../../rest/errors.ts';
import { type FieldTree, isEmpty, mergeAll } from '../../rest/fields.ts';
import { createList, type List } from '../../rest/list.ts';
import { isRow, type Resource, type Row } from '../../rest/resource.ts';
import type { Context } from './context.ts';
import { decodeCursor, decodeSortCursor, type FullList, type ListConnection } from './cursor.ts';
import { getConnectionNeeds, type ListQuery, MAX_LOOKED_UP, readListQuery } from './list-arguments.ts';
import { getTotalsFields, reportMissing } from './list-totals.ts';
import type { ListTypes } from './list-types.ts';
import { getSelection } from './metadata.ts';
import { internalIds } from './node.ts';
import { addMissingFields, getMissingFields, type PositionedRow } from './top-rows.ts';

/** A list that is filtered or sorted takes as long to prepare as four others. */
const READS_PER_FILTERED_LIST = 4;

export function readConnection(
  types: ListTypes,
  args: Arguments,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<ListConnection> {
  const { resource } = types;
  const { loaders, maxFirst, session } = context.dataSource;
  // Throw synchronously: the executor then stops before it writes the next row.
  session.countReads(args.where || args.orderBy ? READS_PER_FILTERED_LIST : 1);
  const query = readListQuery(resource, args, maxFirst);
  if (query.needsAllRows) return readFilteredAndSorted(types, query, context, info);
  const { filters, first, among } = query;
  const fields = getSelection(info);
  const { hasPage, hasTotals } = getConnectionNeeds(getFieldPlan(info));
  const after = hasPage && query.after !== undefined ? decodeCursor(query.after) : undefined;
  if (!hasTotals) return loaders.list(resource, { filters, fields, first, after });
  // Load the page and the full list in one tick, so that they can share a read.
  const totals = getTotalsFields(types, info, getMaxLookedUp(resource, query), maxFirst);
  const fullList = loaders
    .list(resource, { filters, fields: totals, first: among }, { isFullList: true })
    .then((list) => toFullList(list, totals));
  // If `totals` is never resolved, for example because the page fails, nobody awaits this promise.
  fullList.catch(() => {});
  if (!hasPage) return Promise.resolve({ ...createList([]), fullList });
  const isFullList =
    after === undefined && (first > MAX_LOOKED_UP || isEmpty(getMissingFields(resource, totals, fields)));
  const page = loaders.list(resource, { filters, fields, first, after }, { isFullList });
  return page.then((list) => ({ ...list, fullList }));
}

async function readFilteredAndSorted(
  types: ListTypes,
  query: ListQuery,
  { dataSource }: Context,
  info: GraphQLResolveInfo,
): Promise<ListConnection> {
  const { resource } = types;
  const { session, loaders, collation, maxFirst } = dataSource;
  const { administrationId, filters, first, where, among } = query;
  const unreadable = new Set<string>();
  const sorter = createSorter(query.orderBy, collation, unreadable);
  const decodeIds = createIdReader(resource, administrationId);
  const condition =
    where && compileWhere(where, resource.members, { unreadable, maxValues: maxFirst, decodeIds });
  const after = query.after === undefined ? undefined : decodeSortCursor(query.after, sorter);

  const { hasPage } = getConnectionNeeds(getFieldPlan(info));
  const totals = getTotalsFields(types, info, getMaxLookedUp(resource, query), maxFirst);
  const needed = mergeAll([sorter.requiredFields, totals, condition?.requiredFields ?? {}]);
  const missing = hasPage ? getMissingFields(resource, needed, getSelection(info)) : {};
  const isLookedUp = first <= getMaxLookedUp(resource, query) && !isEmpty(missing);
  const fields = isLookedUp ? needed : mergeAll([needed, missing]);
  const list = await loaders.list(resource, { filters, fields, first: among }, { isFullList: true });
  if (list.hasNextPage) throw listTooLong(resource, among);

  const { rows, problem: invalidRow } = toFullList(list, fields);
  const matching: Row[] = [];
  const positioned: PositionedRow[] = [];
  await forEachRow(rows, (row) => {
    if (condition && !condition.matches(row)) return;
    matching.push(row);
    if (!hasPage) return;
    const sortPosition = sorter.getPosition(row);
    if (!after || sorter.compare(sortPosition, after) > 0) positioned.push({ row, sortPosition });
  });
  session.countSorted(positioned.length);
  await runAfterYield(() => positioned.sort((a, b) => sorter.compare(a.sortPosition, b.sortPosition)));
  const firstRows = positioned.slice(0, first);
  const page = isLookedUp ? await addMissingFields(firstRows, missing, resource, dataSource) : firstRows;
  const problem = reportMissing(invalidRow, resource, unreadable, info);
  return {
    ...createList(page.map(({ row }) => row)),
    hasNextPage: positioned.length > first,
    hasPreviousPage: after !== undefined,
    sorted: { sorter, positions: page.map(({ sortPosition }) => sortPosition) },
    fullList: Promise.resolve({ rows: matching, fields, isComplete: problem === undefined, problem }),
  };
}

/** Returns how many rows may get their other fields from a lookup. With more, the full list is read with all fields. */
function getMaxLookedUp({ filters: { ids } }: Resource, { filters, among }: ListQuery): number {
  // A list that is filtered by keys is short, so it is read with all its fields.
  const hasNoKeyFilter =
    ids !== undefined && Object.values(filters).every((value) => typeof value === 'string');
  return hasNoKeyFilter ? Math.min(MAX_LOOKED_UP, Math.ceil(among / 2) - 1) : 0;
}

function toFullList({ rows, hasNextPage }: List, fields: FieldTree): FullList {
  const problem = rows.find((row) => row instanceof RestError);
  return { rows: rows.filter(isRow), fields, isComplete: !hasNextPage && !problem, problem };
}

/** Decodes the ids that a field is compared with. The name of the field says of what: `debtorId` takes ids of debtors. */
function createIdReader({ type }: Resource, administrationId: string | undefined) {
  return (ids: readonly string[], field: string): readonly string[] => {
    const named = field.replace(/Id$/, '');
    const expected = field === 'internalId' ? type : named.charAt(0).toUpperCase() + named.slice(1);
    return internalIds(ids, expected, field, expected === 'Administration' ? undefined : administrationId);
  };
}

function listTooLong({ filters }: Resource, among: number): RestError {
  const narrowing = Object.keys(filters).filter((name) => name !== 'administrationId');
  const names = narrowing.map((name) => `\`${name}\``).join(', ');
  return new RestError(
    'LIST_TOO_LONG',
    `The list has more than ${among} records, and to filter or order it takes all of them: ` +
      `${names && `narrow it by ${names}, or `}raise \`among\`. Each 500 records take a REST call.`,
  );
}
