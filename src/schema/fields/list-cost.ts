import { compositeKey } from '../../composite-key.ts';
import type { Arguments } from '../../execution/arguments.ts';
import type { FieldPlan } from '../../execution/plan.ts';
import { MAX_CRITERIA } from '../../lists/order.ts';
import { weakMemoize } from '../../memoize.ts';
import type { ListRequest } from '../../rest/list.ts';
import type { ListPosition } from '../../rest/list-pages.ts';
import { BY_ID, onlyId } from '../../rest/lookup.ts';
import {
  countParts,
  cursorRoom,
  leastParts,
  MAX_PER_PAGE,
  MAX_VALUES,
  roomForValues,
} from '../../rest/query.ts';
import type { FilterValues, Resource } from '../../rest/resource.ts';
import { encodedLength, isSendable, isSendableItem } from '../../rest/url.ts';
import { ownScope } from './administration.ts';
import { decodeCursor, positionIn } from './cursor.ts';
import {
  type CostScope,
  type Estimate,
  ifValid,
  joinCost,
  type LeastRead,
  leastInEach,
  leastName,
  lookupCost,
  NOTHING_READ,
  sumOf,
} from './estimate.ts';
import { isOrdered, type ListQuery, queryOf } from './list-arguments.ts';
import { MAX_LOOKED_UP, selectedParts } from './whole-list.ts';

/** What a list costs: a page of it, all of it, or both. */
export function listCost(resource: Resource, args: Arguments, parent: CostScope, plan: FieldPlan): Estimate {
  const scope = ownScope(args, parent);
  const queryIn = (administrationId: string | undefined) =>
    queryOf(resource, { ...args, administrationId }, scope.maxFirst, {});
  const query = ifValid(() => queryIn(scope.administration));
  if (query === undefined) return NOTHING_READ;
  const measured = measureList(query, scope);
  const { mostRows, filters, values } = measured;
  const { hasPage, hasTotals } = selectedParts(plan);
  // One walk for all that needs it.
  const whole =
    isOrdered(query) || hasTotals
      ? walkCost([resource.name, filters], Math.min(query.among, mostRows), measured)
      : undefined;
  const page = hasPage || whole === undefined ? pageCost(resource, query, measured) : whole;
  return {
    ...page,
    reads: [...(whole?.reads ?? []), ...page.reads],
    values,
    scope: { ...page.scope, rows: measured.rows },
    least: () => leastInEach(scope, (administrationId) => leastOf(resource, queryIn(administrationId), plan)),
  };
}

/** What a query asks for, as far as it decides about its calls. */
function measureList({ filters, first, after }: ListQuery, scope: CostScope) {
  const { administration, administrations, records } = scope;
  const { texts, lists } = measure(filters);
  const lengths = [...texts.map(encodedLength), ...lists.map(({ sent }) => sent)];
  const others = sumOf(lengths) - (lists.length > 0 ? mostOf(lengths) : 0);
  const { administrationId: _, ...named } = filters;
  const room = roomForValues(others, cursorRoom(filters, after && positionIn(after)?.cursor));
  /** How many rows its ids find at most. */
  const mostRows = filters.ids?.length ?? Number.POSITIVE_INFINITY;
  return {
    /** With the administrations that it is read from. */
    scope: {
      ...scope,
      administrations: administration === undefined ? Math.min(records, administrations) : 1,
    },
    mostRows,
    /** Of a page. */
    rows: Math.min(first, mostRows),
    /** Without the administration, which stands in the name of a read in one form, however it was given. */
    filters: named,
    /** Of a filter that is too long for one URL. */
    parts: Math.max(...lists.map(({ values }) => countParts(values, room)), 1),
    values: sumOf(lists.map(({ values }) => values.length)),
  };
}

type MeasuredList = ReturnType<typeof measureList>;

function mostOf(numbers: readonly number[]): number {
  return numbers.reduce((most, number) => Math.max(most, number), 0);
}

/** A call per page, or per part of a filter that is too long for one URL. */
function walkCost(
  listed: readonly unknown[],
  rows: number,
  measured: MeasuredList,
  callsPerPage = 1,
): Estimate {
  const { scope, parts } = measured;
  const { administration, administrations } = scope;
  const origin = compositeKey('list', JSON.stringify(listed), administration, scope.origin);
  const calls = administrations * (callsPerPage * Math.ceil(rows / MAX_PER_PAGE) + parts - 1);
  return { reads: [{ name: origin, calls }], scope: { origin, administration, administrations } };
}

/** A walk too, or the lookup of what the rows of a short page lack. */
function pageCost(resource: Resource, query: ListQuery, measured: MeasuredList): Estimate {
  const { scope, rows, filters, parts } = measured;
  const { after } = query;
  if (isOrdered(query)) return completionCost(resource, measured);
  const id = after ? undefined : onlyId(resource, filters);
  if (id !== undefined) return lookupCost({ type: resource.type, filter: BY_ID.filter, keys: [id] }, scope);
  // Behind a cursor of a list that fitted into one URL with fewer fields, each page of ids is read first.
  const isWhole = after !== undefined && positionIn(after)?.part === null;
  return walkCost([resource.name, filters, after], rows, measured, parts > 1 && isWhole ? 2 : 1);
}

/** To tell ordered lists apart: they are ready in different turns of the event loop, so they share no lookups. */
let orderedLists = 0;

function completionCost({ type, filters }: Resource, { scope, rows }: MeasuredList): Estimate {
  const { administration, administrations } = scope;
  orderedLists += 1;
  const own = { origin: compositeKey('ordered', String(orderedLists)), administration, administrations };
  const isLookedUp = filters.ids !== undefined && rows <= MAX_LOOKED_UP;
  const lookup = joinCost(type)(undefined, { ...scope, ...own, records: rows * administrations });
  return { reads: isLookedUp ? lookup.reads : [], scope: own };
}

/** What is wrong with a condition or a place shows only where it is compiled, so nothing is certain of such a list. */
function leastOf(resource: Resource, query: ListQuery, plan: FieldPlan): LeastRead[] {
  const { filters, first, after, where, orderBy, among } = query;
  const { hasPage, hasTotals } = selectedParts(plan);
  const whole = { filters, first: among };
  if (isOrdered(query))
    return where || after !== undefined || orderBy.length > MAX_CRITERIA ? [] : leastOfWalk(resource, whole);
  const page = { filters, first, after: after === undefined ? after : decodeCursor(after) };
  return [
    ...(hasPage ? leastOfWalk(resource, page) : []),
    ...(hasTotals ? leastOfWalk(resource, whole) : []),
  ];
}

/** The least calls of a walk; none if it fails before the first, or may do so. */
function leastOfWalk(
  { type }: Resource,
  { filters, first, after }: Omit<ListRequest, 'fields'>,
): LeastRead[] {
  const { texts, lists } = measure(filters);
  if (after) texts.push(after.cursor);
  if (!texts.every(isSendable) || !lists.every(({ areSendable }) => areSendable)) return [];
  const whole = sumOf(texts.map(encodedLength)) + sumOf(lists.map(({ length }) => length));
  // What each URL has at least if the longest list is split.
  const split =
    whole - mostOf(lists.map(({ length }) => length)) + mostOf(lists.map(({ longest }) => longest));
  const { administrationId, ids, ...others } = filters;
  const forId = Array.isArray(ids) ? valuesOf(ids).longest : 0;
  const room = roomForValues(0, cursorRoom({}, after?.cursor)) - forId;
  const isWhole = whole <= room && lists.every(({ distinct }) => distinct.length <= MAX_VALUES);
  if (split > room || (after && !isSurelyIn(after, lists, isWhole))) return [];
  const names = Object.keys(filters).filter((name) => Array.isArray(filters[name]));
  const beside = Object.entries(others).filter(([name]) => !names.includes(name));
  const name = leastName(
    type,
    typeof administrationId === 'string' ? administrationId : undefined,
    names,
    after || beside.length > 0 ? JSON.stringify([beside, after?.cursor]) : '',
  );
  const [only, ...more] = lists;
  if (only === undefined || more.length > 0 || after) return [{ name }];
  // As if each value had one row, parts are read until there are enough, and one row more.
  return [{ name, values: only.distinct.slice(0, first + 1) }];
}

function measure(filters: FilterValues) {
  const values = Object.values(filters);
  return {
    texts: values.filter((value) => typeof value === 'string'),
    lists: values.filter((value) => typeof value !== 'string').map(valuesOf),
  };
}

/** The values of a list filter. Memoized: all aliases that use the same variable share one array. */
const valuesOf = weakMemoize((values: readonly string[]) => {
  const distinct = [...new Set(values)];
  const areSendable = distinct.length > 0 && distinct.every(isSendableItem);
  const lengthOf = (value: string) => encodedLength(value) + 1;
  const lengths = distinct.map(lengthOf);
  /** The length in a URL of all; the others are of all that are distinct, and of the longest. */
  const sent = sumOf(values.map(lengthOf));
  return { values, distinct, areSendable, sent, length: sumOf(lengths), longest: mostOf(lengths) };
});

type Values = ReturnType<typeof valuesOf>;

/** Whether the list has the part of this position. */
function isSurelyIn({ part }: ListPosition, lists: readonly Values[], isWhole: boolean): boolean {
  if (part === null || lists.length !== 1) return isWhole && (part ?? 0) === 0;
  return lists.every(({ distinct }) => part < leastParts(distinct));
}
