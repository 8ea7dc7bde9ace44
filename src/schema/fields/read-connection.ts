import type { GraphQLResolveInfo } from 'graphql';
import { inTurn, visitRows } from '../../event-loop.ts';
import type { Arguments } from '../../execution/plan.ts';
import { planOf } from '../../execution/run.ts';
import { createOrder, type OrderedPlace } from '../../lists/order.ts';
import { compileWhere } from '../../lists/where.ts';
import { InvalidValue, RestError } from '../../rest/errors.ts';
import { type Fields, isLeaf, mergeAll, missingFields } from '../../rest/fields.ts';
import { type List, listOf } from '../../rest/list.ts';
import { BY_ID } from '../../rest/lookup.ts';
import { isRow, type ReadRow, type Resource, type Row, withRequiredFields } from '../../rest/resource.ts';
import type { Context } from './context.ts';
import { decodeCursor, decodePlace, type ListConnection, type WholeRows } from './cursor.ts';
import { type ListQuery, MAX_LOOKED_UP, queryOf, selectedParts } from './list-arguments.ts';
import { fieldsOfTotals, reportMissing } from './list-totals.ts';
import type { ListTypes } from './list-types.ts';
import { selectionOf } from './metadata.ts';
import { internalIds } from './node.ts';
import { refOf } from './record.ts';

const LOADS_OF_ORDERED = 4;

/** Reads a page of a list, and all of it where something that is asked for needs all. */
export function readConnection(
  types: ListTypes,
  args: Arguments,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<ListConnection> {
  const { resource } = types;
  const { loaders, maxFirst, rest } = context.reads;
  // Before anything else, and thrown at once, so that the rows behind this one are not visited. The conditions of a list
  // may take as long to prepare as several lists.
  rest.countLoad(args.where || args.orderBy ? LOADS_OF_ORDERED : 1);
  const query = queryOf(resource, args, maxFirst);
  if (query.isOrdered) return readOrdered(types, query, context, info);
  const { filters, first, among } = query;
  const fields = selectionOf(info);
  const { hasPage, hasTotals } = selectedParts(planOf(info));
  const after = hasPage && query.after !== undefined ? decodeCursor(query.after) : undefined;
  if (!hasTotals) return loaders.list(resource, { filters, fields, first, after });
  // Loaded in one tick, so that what both can share is one walk.
  const totals = fieldsOfTotals(planOf(info), types, info);
  const whole = loaders.list(resource, { filters, fields: totals, first: among }, true).then(wholeRowsOf);
  // Only awaited where totals are resolved.
  whole.catch(() => {});
  if (!hasPage) return Promise.resolve({ ...listOf([]), whole });
  const isInWhole =
    after === undefined && (first > MAX_LOOKED_UP || isLeaf(missingIn(resource, totals, fields)));
  const page = loaders.list(resource, { filters, fields, first, after }, isInWhole);
  return page.then((list) => ({ ...list, whole }));
}

interface PlacedRow<R = Row> {
  readonly row: R;
  readonly place: OrderedPlace;
}

/** Reads a list that the gateway filters or orders: all of it. */
async function readOrdered(
  types: ListTypes,
  query: ListQuery,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<ListConnection> {
  const { resource } = types;
  const { rest, loaders, textOrder, maxFirst } = context.reads;
  const { administrationId, filters, first, where, among } = query;
  const unreadable = new Set<string>();
  const order = createOrder(query.orderBy, textOrder, unreadable);
  const internalIds = idReader(resource, administrationId);
  const condition =
    where && compileWhere(where, resource.members, { unreadable, maxValues: maxFirst, internalIds });
  const after = query.after === undefined ? undefined : decodePlace(query.after, order);

  const { hasPage } = selectedParts(planOf(info));
  const totals = fieldsOfTotals(planOf(info), types, info);
  const needed = mergeAll([order.reads, totals, condition?.reads ?? {}]);
  const missing = hasPage ? missingIn(resource, needed, selectionOf(info)) : {};
  // What is filtered by keys is short, and read with all its fields.
  const isLong = first * 2 < among && Object.values(filters).every((value) => typeof value === 'string');
  const canLookUp = isLong && first <= MAX_LOOKED_UP && resource.filters.ids !== undefined;
  const isLookedUp = canLookUp && !isLeaf(missing);
  const fields = isLookedUp ? needed : mergeAll([needed, missing]);
  const list = await loaders.list(resource, { filters, fields, first: among }, true);
  if (list.hasNextPage) throw listTooLong(resource, among);

  const { rows, problem: brokenRow } = wholeRowsOf(list);
  const matching: Row[] = [];
  const placed: PlacedRow[] = [];
  await visitRows(rows, (row) => {
    if (condition && !condition.holds(row)) return;
    matching.push(row);
    if (!hasPage) return;
    const place = order.placeOf(row);
    if (after === undefined || order.compare(place, after) > 0) placed.push({ row, place });
  });
  rest.countSorted(placed.length);
  await inTurn(() => placed.sort((a, b) => order.compare(a.place, b.place)));
  const top = placed.slice(0, first);
  const page = isLookedUp ? await completed(top) : top;
  const problem = reportMissing(brokenRow, resource, unreadable, info);
  return {
    ...listOf(page.map(({ row }) => row)),
    hasNextPage: placed.length > first,
    hasPreviousPage: after !== undefined,
    ordered: { order, places: page.map(({ place }) => place) },
    whole: Promise.resolve({ rows: matching, isComplete: problem === undefined, problem }),
  };

  /** Adds to the rows of the page what was not read with the whole list, by one lookup. */
  async function completed(rows: readonly PlacedRow[]): Promise<readonly PlacedRow<ReadRow>[]> {
    const refs = rows.map(({ row }) => refOf(administrationId, row.internalId));
    const records = await loaders.records(resource, BY_ID, { refs, fields: missing });
    return rows.flatMap(({ row, place }, index): PlacedRow<ReadRow>[] => {
      const record = records[index];
      // Deleted since the list was read.
      if (!record) return [];
      if (record instanceof InvalidValue) return [{ row: record, place }];
      if (record instanceof Error) throw record;
      return [{ row: { ...row, ...record }, place }];
    });
  }
}

/** The rows that can be read, and the error of the first that cannot. */
function wholeRowsOf({ rows, hasNextPage }: List): WholeRows {
  const problem = rows.find((row) => row instanceof RestError);
  return { rows: rows.filter(isRow), isComplete: !hasNextPage && problem === undefined, problem };
}

/** The fields of a page that are not read with the whole list. */
function missingIn(resource: Resource, read: Fields, fields: Fields): Fields {
  if (!resource.takesFields) return {};
  return missingFields(withRequiredFields(resource, read), withRequiredFields(resource, fields));
}

/** Reads ids that a field is compared with. A global one is of the type that it names: `debtorId` is that of a debtor. */
function idReader({ type }: Resource, administrationId: string | undefined) {
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
    `The list has more than ${among} rows, and to filter or order it takes all of them: ` +
      `${names && `narrow it by ${names}, or `}raise \`among\`. Each 500 rows are a REST call.`,
  );
}
