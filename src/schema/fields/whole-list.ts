import type { GraphQLResolveInfo } from 'graphql';
import { planOf, reportFieldError } from '../../execution/operation.ts';
import type { FieldPlan } from '../../execution/plan.ts';
import { type Criterion, createOrder, type Order, type OrderedPlace } from '../../lists/order.ts';
import { compileWhere } from '../../lists/where.ts';
import { weakMemoize } from '../../memoize.ts';
import { authorizationFor } from '../../rest/authorization.ts';
import { badInput, RestError } from '../../rest/errors.ts';
import { type Fields, isLeaf, mergeAll, missingFields } from '../../rest/fields.ts';
import { type List, listOf } from '../../rest/list-pages.ts';
import { type ReadRow, type Resource, withRequiredFields } from '../../rest/resource.ts';
import type { Context } from './builder.ts';
import { decodeCursor, decodePlace } from './cursor.ts';
import { internalIds } from './global-id.ts';
import { isOrdered, type ListQuery } from './list-arguments.ts';
import { fieldsOfTotals, UnreadableValues, type WholeRows } from './list-totals.ts';
import { loadList } from './loaders.ts';
import { completeRows, type Placed, selectRows, wholeRowsOf } from './select-rows.ts';
import { withMembers } from './selection.ts';
import type { WholeListTypes } from './whole-list-types.ts';

/** A part of a list, and all of it if something that is selected needs it. */
export interface ListConnection extends List {
  /** If it is filtered or ordered: its order, and the place of each row. */
  readonly ordered?: { readonly order: Order; readonly places: readonly OrderedPlace[] };
  readonly whole?: Promise<WholeRows>;
}

/** The ids of a page of so many rows fit into the URL of one lookup; a longer one is read with the whole list. */
export const MAX_LOOKED_UP = 100;

/** Reads lists of a resource: a page of one, or all of it where something that is asked for needs all. */
export function listReader(resource: Resource, types: WholeListTypes) {
  /** A page in the order of the service, with totals or groups of all rows beside it. */
  const readWithTotals = (
    context: Context,
    query: ListQuery,
    selected: Selected,
  ): Promise<ListConnection> => {
    const { filters, fields, first, after, among } = query;
    // Loaded in one tick, so that what both can share is one walk.
    const read = loadList(context, resource, { filters, fields: selected.fields, first: among }, true);
    const whole = read.then(wholeRowsOf);
    // Only awaited where totals are resolved.
    whole.catch(() => {});
    if (!selected.hasPage) return Promise.resolve({ ...listOf([]), whole });
    const isInWhole =
      after === undefined && (first > MAX_LOOKED_UP || isLeaf(missingIn(resource, selected.fields, fields)));
    const request = { filters, fields, first, after: after === undefined ? after : decodeCursor(after) };
    return loadList(context, resource, request, isInWhole).then((list) => ({ ...list, whole }));
  };

  const readOrdered = async (
    context: Context,
    query: ListQuery,
    selected: Selected,
    info: GraphQLResolveInfo,
  ): Promise<ListConnection> => {
    const { filters, fields, first, where, orderBy, among } = query;
    const { maxFirst, rest, textOrder } = context;
    // Whoever sends none gets nothing compiled.
    authorizationFor(rest.credentials, resource.credential);
    const unreadable = new UnreadableValues();
    const options = { order: textOrder, onUnreadable: unreadable.add };
    const order = createOrder(criteriaOf(orderBy, types), options);
    const condition =
      where &&
      compileWhere(where, resource.members, {
        onUnreadable: unreadable.add,
        maxValues: maxFirst,
        internalIds: idReader(resource, filters),
      });
    const after = query.after === undefined ? undefined : decodePlace(query.after, order);

    const needed = mergeAll([order.reads, selected.fields, ...(condition ? [condition.reads] : [])]);
    const missing = selected.hasPage ? missingIn(resource, needed, fields) : {};
    const canLookUp = resource.filters.ids !== undefined && typeof filters.administrationId === 'string';
    const isLookedUp = first <= MAX_LOOKED_UP && first * 2 < mostRows(query) && canLookUp;
    const walked = isLookedUp ? needed : mergeAll([needed, missing]);
    const list = await loadList(context, resource, { filters, fields: walked, first: among }, true);
    if (list.hasNextPage) throw listTooLong(resource, among);

    const { rows, problem: brokenRow } = wholeRowsOf(list);
    const count = selected.hasPage ? first : 0;
    const { matching, placed, hasMore } = await selectRows(rows, { condition, order, after, count }, rest);
    const completed: readonly Placed<ReadRow>[] =
      isLookedUp && !isLeaf(missing)
        ? await completeRows(context, resource, filters, placed, { needed, missing })
        : placed;

    const problem = brokenRow ?? unreadable.problem(resource);
    if (problem) reportFieldError(info, problem);
    return {
      ...listOf(completed.map(({ row }) => row)),
      hasNextPage: hasMore,
      hasPreviousPage: after !== undefined,
      ordered: { order, places: completed.map(({ place }) => place) },
      whole: Promise.resolve({ rows: matching, isComplete: problem === undefined, problem }),
    };
  };

  return (context: Context, query: ListQuery, info: GraphQLResolveInfo): Promise<ListConnection> => {
    const selected = selectedIn(info, types);
    if (isOrdered(query)) return readOrdered(context, query, selected, info);
    if (selected.hasTotals) return readWithTotals(context, query, selected);
    const { filters, fields, first, after } = query;
    return loadList(context, resource, {
      filters,
      fields,
      first,
      ...(after !== undefined && { after: decodeCursor(after) }),
    });
  };
}

/** What of a connection is selected, with the REST fields that totals and groups read. */
function selectedIn(info: GraphQLResolveInfo, types: WholeListTypes) {
  const { hasPage, hasTotals, fields } = selectedParts(planOf(info));
  return { hasPage, hasTotals, fields: hasTotals ? fieldsOfTotals(fields, types, info) : {} };
}

type Selected = ReturnType<typeof selectedIn>;

export const selectedParts = weakMemoize((plan: FieldPlan) => {
  const fields = plan.objectPlans().flatMap((connection) => connection.fields);
  const hasTotals = fields.some(({ field: { name } }) => name === 'totals' || name === 'groups');
  const hasPage = !hasTotals || fields.some(({ field: { name } }) => PAGE_FIELDS.has(name));
  return { hasPage, hasTotals, fields };
});

const PAGE_FIELDS = new Set(['edges', 'nodes', 'pageInfo']);

/** The fields of a page that are not read with the whole list. */
function missingIn(resource: Resource, read: Fields, fields: Fields): Fields {
  return resource.takesFields ? missingFields(withRequiredFields(resource, read), withMembers(fields)) : {};
}

/** How many rows a list has at most: as many as its filters have values, if these find one each. */
function mostRows({ filters, among }: ListQuery): number {
  const counts = Object.values(filters).flatMap((value) =>
    typeof value === 'string' ? [] : new Set(value).size,
  );
  return Math.min(among, ...counts);
}

function criteriaOf(orderBy: ListQuery['orderBy'], { orders }: WholeListTypes): Criterion[] {
  return orderBy.map(({ field, direction }) => {
    const column = orders.get(field);
    if (column === undefined) throw badInput(`There is no order by ${field}.`);
    return { column, isDescending: direction === 'DESC' };
  });
}

/**
 * Reads ids that a field is compared with, in either form. A global one has to be of the type that the field names:
 * `debtorId` that of a debtor, and `internalId` that of the record itself.
 */
function idReader({ type }: Resource, { administrationId }: ListQuery['filters']) {
  return (ids: readonly string[], field: string): readonly string[] => {
    const named = field.replace(/Id$/, '');
    const expected = field === 'internalId' ? type : named.charAt(0).toUpperCase() + named.slice(1);
    const isInAdministration = expected !== 'Administration' && typeof administrationId === 'string';
    return internalIds(ids, expected, field, isInAdministration ? administrationId : undefined);
  };
}

function listTooLong({ filters }: Resource, among: number): RestError {
  const narrowing = Object.keys(filters).filter((name) => name !== 'administrationId');
  const narrow =
    narrowing.length > 0 ? `narrow it by ${narrowing.map((name) => `\`${name}\``).join(', ')}, or ` : '';
  return new RestError(
    'LIST_TOO_LONG',
    `The list has more than ${among} rows, and to filter or order it takes all of them: ${narrow}raise \`among\`. ` +
      'Each 500 rows are a REST call.',
  );
}
