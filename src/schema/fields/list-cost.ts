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
import { MAX_LOOKED_UP, selectedParts } from './read-connection.ts';

/** To tell ordered lists apart: they are ready in different turns of the event loop, so they share no lookups. */
let orderedLists = 0;

/** The most that a list costs: a page of it, all of it, or both. */
export function listCost(resource: Resource, args: Arguments, parent: CostScope, plan: FieldPlan): Estimate {
  const scope = { ...parent, ...ownScope(args) };
  const { administration, maxFirst } = scope;
  const query = ifValid(() => queryOf(resource, { ...args, administrationId: administration }, maxFirst));
  if (query === undefined) return NOTHING_READ;
  const { first, after, among, filters } = query;
  // The administration stands in the name of a read in one form, however it was given.
  const { administrationId: _, ...named } = filters;
  const administrations = administration === undefined ? Math.min(scope.records, scope.administrations) : 1;
  const mostRows = filters.ids?.length ?? Number.POSITIVE_INFINITY;
  const rows = Math.min(first, mostRows);
  const position = after === undefined ? undefined : positionIn(after);
  const parts = partsOf(filters, position?.cursor);

  /** A call per page, or per part of a filter that is too long for one URL. */
  const walk = (start: string, count: number, callsPerPage = 1): Estimate => {
    const list = JSON.stringify([resource.name, named]);
    const origin = compositeKey('list', list, start, administration, scope.origin);
    const calls = administrations * (callsPerPage * Math.ceil(count / MAX_PER_PAGE) + parts - 1);
    return { reads: [{ name: origin, calls }], scope: { origin, administration, administrations, rows } };
  };
  const { hasPage, hasTotals } = selectedParts(plan);
  const whole = isOrdered(query) || hasTotals ? walk('', Math.min(among, mostRows)) : undefined;
  if (whole && !hasPage) return whole;
  if (whole && isOrdered(query)) {
    orderedLists += 1;
    const own = { ...whole.scope, origin: compositeKey('ordered', String(orderedLists)) };
    const isLookedUp = resource.filters.ids !== undefined && rows <= MAX_LOOKED_UP;
    const completion = joinCost(resource.type)({}, { ...scope, ...own, records: rows * administrations });
    return { reads: [...whole.reads, ...(isLookedUp ? completion.reads : [])], scope: own };
  }
  const id = after ? undefined : onlyId(resource, named);
  // Behind a cursor of a list that fitted into one URL with fewer fields, each page of ids is read first.
  const isReadTwice = parts > 1 && position?.part === null;
  const page =
    id === undefined
      ? walk(`page ${after ?? ''}`, rows, isReadTwice ? 2 : 1)
      : lookupCost(resource.type, BY_ID.filter, [id], { ...scope, administrations });
  return { reads: [...(whole?.reads ?? []), ...page.reads], scope: { ...page.scope, rows } };
}

/** How many URLs a filter takes that is too long for one. */
function partsOf(filters: ListQuery['filters'], cursor: string | undefined): number {
  const values = Object.values(filters);
  const lengths = values.map((value) =>
    [value].flat().reduce((sum, text) => sum + encodedLength(text) + 1, 0),
  );
  const others = lengths.reduce((sum, length) => sum + length, 0) - Math.max(0, ...lengths);
  const room = roomForValues(others, cursorRoom(filters, cursor));
  return Math.max(1, ...values.map((value) => (typeof value === 'string' ? 1 : countParts(value, room))));
}
