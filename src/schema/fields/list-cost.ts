import { compositeKey } from '../../composite-key.ts';
import type { FieldPlan } from '../../execution/plan.ts';
import { MAX_CRITERIA } from '../../lists/order.ts';
import { BY_ID, onlyId } from '../../rest/lookup.ts';
import { countParts, cursorRoom, DEFAULT_FIRST, MAX_PER_PAGE, roomForValues } from '../../rest/query.ts';
import type { Resource } from '../../rest/resource.ts';
import { encodedLength } from '../../rest/url.ts';
import { estimatedAdministration, leastInEach } from './administration.ts';
import { decodeCursor, positionIn } from './cursor.ts';
import { type CostScope, type Estimate, joinCost, lookupCost } from './estimate.ts';
import { internalIdsOrTexts } from './global-id.ts';
import { type LeastRead, leastOfList } from './least.ts';
import { amongOf, isOrdered, type ListArguments, queryOf } from './list-arguments.ts';
import { MAX_LOOKED_UP, selectedParts } from './whole-list.ts';

/** Arguments that are not sent to the service. */
const NO_FILTERS = new Set(['first', 'after', 'where', 'orderBy', 'among']);

/** What a list costs: a page of it, all of it, or both. */
export function listCost(
  resource: Resource,
  args: ListArguments,
  scope: CostScope,
  plan: FieldPlan,
): Estimate {
  const measured = measureList(args, scope);
  // Execution rejects this before any call.
  if (measured === undefined) return { reads: [], items: 0 };
  const { hasPage, hasTotals } = selectedParts(plan);
  const whole = isOrdered(args) || hasTotals ? wholeCost(resource, args, measured, scope) : undefined;
  const page = hasPage || whole === undefined ? pageCost(resource, args, measured, scope) : whole;
  return {
    ...page,
    reads: [...new Set([...(whole?.reads ?? []), ...page.reads])],
    values: measured.values,
    scope: { ...page.scope, rows: measured.rows },
    least: () =>
      leastInEach(args, scope, (administrationId) =>
        leastOf(resource, { ...args, administrationId }, scope, plan),
      ),
  };
}

/** What the arguments of a list ask for, as far as it decides about its calls. */
interface MeasuredList {
  readonly rows: number;
  readonly administration: string | undefined;
  readonly administrations: number;
  readonly filters: ListArguments;
  /** Of a filter that is too long for one URL. */
  readonly parts: number;
  readonly values: number;
}

/** Undefined if they are out of range. */
function measureList(args: ListArguments, scope: CostScope): MeasuredList | undefined {
  const requested = typeof args.first === 'number' ? args.first : DEFAULT_FIRST;
  if (requested < 1 || requested > scope.maxFirst || amongOf(args) < 1) return undefined;
  const filters: Record<string, unknown> = {};
  for (const name in args) {
    const value = args[name];
    // A null filter is the same as no filter.
    if (NO_FILTERS.has(name) || value === null) continue;
    if (Array.isArray(value) && value.length > scope.maxFirst) return undefined;
    filters[name] = value;
  }
  // Measured as they are sent: a global id is several times as long as the id that it contains.
  if (Array.isArray(filters.ids)) filters.ids = internalIdsOrTexts(filters.ids);
  const { lists, values, otherLength } = measureFilters(filters);
  const position = typeof args.after === 'string' ? positionIn(args.after) : undefined;
  const cursors = cursorRoom(Array.isArray(filters.ids) ? { ids: filters.ids } : {}, position?.cursor);
  const room = roomForValues(otherLength, cursors);
  const administration = estimatedAdministration(args, scope);
  // In the name of a read, the administration stands in one form, however it was given.
  const { administrationId: _, ...named } = filters;
  return {
    // Each id matches at most one record.
    rows: Array.isArray(args.ids) ? Math.min(requested, args.ids.length) : requested,
    administration,
    administrations: administration === undefined ? Math.min(scope.records, scope.administrations) : 1,
    filters: named,
    parts: Math.max(...lists.map((list) => countParts(list, room)), 1),
    values,
  };
}

/** One walk for all that needs it: a call per page, or per part of a filter that is too long for one URL. */
function wholeCost(
  resource: Resource,
  args: ListArguments,
  measured: MeasuredList,
  scope: CostScope,
): Estimate {
  const { administration, administrations, filters, parts } = measured;
  const among = amongOf(args);
  const rows = Array.isArray(filters.ids) ? Math.min(among, filters.ids.length) : among;
  const origin = compositeKey('whole', resource.name, administration, scope.origin, JSON.stringify(filters));
  const calls = administrations * (Math.ceil(rows / MAX_PER_PAGE) + parts - 1);
  return { reads: [{ name: origin, calls }], scope: { origin, administration, administrations } };
}

/** One call per page in the same way, or the lookup of what the rows of a short page lack. */
function pageCost(
  resource: Resource,
  args: ListArguments,
  measured: MeasuredList,
  scope: CostScope,
): Estimate {
  const { rows, administration, administrations, filters, parts } = measured;
  if (isOrdered(args)) return completionCost(resource, measured, scope);
  const id = args.after ? undefined : onlyId(resource, filters);
  if (id !== undefined)
    return lookupCost({ type: resource.type, filter: BY_ID.filter, keys: [id] }, scope, administration);
  const listed = JSON.stringify([filters, args.after]);
  const origin = compositeKey('list', resource.name, administration, scope.origin, listed);
  const pages = Math.ceil(rows / MAX_PER_PAGE);
  // Behind a cursor of a list that fitted into one URL with fewer fields, each page of ids is read first.
  const isWhole = typeof args.after === 'string' && positionIn(args.after)?.part === null;
  const calls = administrations * (pages + parts - 1 + (parts > 1 && isWhole ? pages : 0));
  return { reads: [{ name: origin, calls }], scope: { origin, administration, administrations } };
}

/** To tell ordered lists apart: they are ready in different turns of the event loop, so they share no lookups. */
let orderedLists = 0;

function completionCost({ type, filters }: Resource, measured: MeasuredList, scope: CostScope): Estimate {
  const { rows, administration, administrations } = measured;
  orderedLists += 1;
  const own = { origin: compositeKey('ordered', String(orderedLists)), administration, administrations };
  const isLookedUp = filters.ids !== undefined && rows <= MAX_LOOKED_UP;
  const lookup = joinCost(type)(undefined, { ...scope, ...own, records: rows * administrations });
  return { reads: isLookedUp ? lookup.reads : [], scope: own };
}

/** What is wrong with a condition or a place shows only where it is compiled, so nothing is certain of such a list. */
function leastOf(
  resource: Resource,
  args: ListArguments,
  { maxFirst }: CostScope,
  plan: FieldPlan,
): LeastRead[] {
  const { filters, first, after, where, orderBy, among } = queryOf(resource, args, maxFirst, {});
  const { hasPage, hasTotals } = selectedParts(plan);
  const whole = { filters, fields: {}, first: among };
  if (where || orderBy.length > 0)
    return where || after !== undefined || orderBy.length > MAX_CRITERIA ? [] : leastOfList(resource, whole);
  const page = { filters, fields: {}, first, after: after === undefined ? after : decodeCursor(after) };
  return [
    ...(hasPage ? leastOfList(resource, page) : []),
    ...(hasTotals ? leastOfList(resource, whole) : []),
  ];
}

/** The list filters, their number of values, and the URL length of all filters except the longest. */
function measureFilters(filters: ListArguments) {
  const lists: string[][] = [];
  let values = 0;
  const lengths: number[] = [];
  for (const value of Object.values(filters)) {
    if (Array.isArray(value)) {
      const list = value.map(String);
      lists.push(list);
      values += list.length;
      lengths.push(list.reduce((sum, item) => sum + encodedLength(item) + 1, 0));
    } else if (typeof value === 'string') lengths.push(encodedLength(value));
  }
  const sum = lengths.reduce((total, length) => total + length, 0);
  return { lists, values, otherLength: lists.length > 0 ? sum - Math.max(...lengths) : sum };
}
