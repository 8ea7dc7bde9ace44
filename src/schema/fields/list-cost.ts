import { compositeKey } from '../../composite-key.ts';
import type { Arguments } from '../../execution/arguments.ts';
import type { FieldPlan } from '../../execution/plan.ts';
import { BY_ID, onlyId } from '../../rest/lookup.ts';
import { countParts, cursorRoom, MAX_PER_PAGE, roomForValues } from '../../rest/query.ts';
import type { Resource } from '../../rest/resource.ts';
import { encodedLength } from '../../rest/url.ts';
import { ownScope } from './administration.ts';
import { positionIn } from './cursor.ts';
import { type CostScope, type Estimate, ifValid, joinCost, lookupCost, NOTHING_READ } from './estimate.ts';
import { isOrdered, type ListQuery, queryOf } from './list-arguments.ts';
import { MAX_LOOKED_UP, selectedParts } from './read-list.ts';

/** The most that a list costs: a page of it, all of it, or both. */
export function listCost(resource: Resource, args: Arguments, parent: CostScope, plan: FieldPlan): Estimate {
  const scope = ownScope(args, parent);
  const query = ifValid(() =>
    queryOf(resource, { ...args, administrationId: scope.administration }, scope.maxFirst, {}),
  );
  if (query === undefined) return NOTHING_READ;
  const list = measureList(resource, query, scope);
  const { hasPage, hasTotals } = selectedParts(plan);
  // One walk for all that needs it.
  const whole =
    isOrdered(query) || hasTotals ? walkCost(list, '', Math.min(query.among, list.mostRows)) : undefined;
  const page = hasPage || whole === undefined ? pageCost(resource, query, list) : whole;
  return {
    ...page,
    reads: [...(whole?.reads ?? []), ...page.reads],
    scope: { ...page.scope, rows: Math.min(query.first, list.mostRows) },
  };
}

type MeasuredList = ReturnType<typeof measureList>;

/** What a query asks for, as far as it decides about its calls. */
function measureList({ name }: Resource, { filters, after }: ListQuery, scope: CostScope) {
  const { administrationId: _, ...named } = filters;
  const lists = Object.values(filters).filter((value) => typeof value !== 'string');
  const lengths = Object.values(filters).map((value) =>
    [value].flat().reduce((sum, text) => sum + encodedLength(text) + 1, 0),
  );
  const others = lengths.reduce((sum, length) => sum + length, 0) - Math.max(0, ...lengths);
  const room = roomForValues(others, cursorRoom(filters, after && positionIn(after)?.cursor));
  const { administration, administrations, records } = scope;
  return {
    /** With the administrations that it is read from. */
    scope: {
      ...scope,
      administrations: administration === undefined ? Math.min(records, administrations) : 1,
    },
    /** Without the administration, which stands in the name of a read in one form, however it was given. */
    name: JSON.stringify([name, named]),
    filters: named,
    /** How many rows its ids find at most. */
    mostRows: filters.ids?.length ?? Number.POSITIVE_INFINITY,
    /** Of a filter that is too long for one URL. */
    parts: Math.max(1, ...lists.map((values) => countParts(values, room))),
  };
}

/** A call per page, or per part of a filter that is too long for one URL. */
function walkCost(
  { scope, name, parts }: MeasuredList,
  start: string,
  rows: number,
  callsPerPage = 1,
): Estimate {
  const { administration, administrations } = scope;
  const origin = compositeKey('list', name, start, administration, scope.origin);
  const calls = administrations * (callsPerPage * Math.ceil(rows / MAX_PER_PAGE) + parts - 1);
  return { reads: [{ name: origin, calls }], scope: { origin, administration, administrations } };
}

/** A walk too, or the lookup of what the rows of a short page lack. */
function pageCost(resource: Resource, query: ListQuery, list: MeasuredList): Estimate {
  const { scope, filters, mostRows, parts } = list;
  const { after, first } = query;
  const rows = Math.min(first, mostRows);
  if (isOrdered(query)) return completionCost(resource, list, rows);
  const id = after ? undefined : onlyId(resource, filters);
  if (id !== undefined) return lookupCost(resource.type, BY_ID.filter, [id], scope);
  // Behind a cursor of a list that fitted into one URL with fewer fields, each page of ids is read first.
  const isWhole = after !== undefined && positionIn(after)?.part === null;
  return walkCost(list, `page ${after ?? ''}`, rows, parts > 1 && isWhole ? 2 : 1);
}

/** To tell ordered lists apart: they are ready in different turns of the event loop, so they share no lookups. */
let orderedLists = 0;

function completionCost({ type, filters }: Resource, { scope }: MeasuredList, rows: number): Estimate {
  const { administration, administrations } = scope;
  orderedLists += 1;
  const own = { origin: compositeKey('ordered', String(orderedLists)), administration, administrations };
  const isLookedUp = filters.ids !== undefined && rows <= MAX_LOOKED_UP;
  const lookup = joinCost(type)(undefined, { ...scope, ...own, records: rows * administrations });
  return { reads: isLookedUp ? lookup.reads : [], scope: own };
}
