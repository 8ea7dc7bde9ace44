import { compositeKey } from '../../composite-key.ts';
import type { Arguments, FieldPlan } from '../../execution/plan.ts';
import { BY_ID, onlyId } from '../../rest/lookup.ts';
import { countParts, MAX_PER_PAGE, roomForValues } from '../../rest/query.ts';
import type { Resource } from '../../rest/resource.ts';
import { encodedLength } from '../../rest/url.ts';
import { isOrdered, type ListQuery, MAX_LOOKED_UP, queryOf, selectedParts } from './list-arguments.ts';
import type { CostScope, Estimate } from './metadata.ts';

/** The bytes of an id that is not known before it is read, on average in a URL: longer than a UUID. */
const UNKNOWN_ID_BYTES = 64;
const JOINED_PER_CALL = Math.floor(roomForValues(UNKNOWN_ID_BYTES) / (UNKNOWN_ID_BYTES + 1));

/** A lookup by keys that the operation names. */
export function lookupCost(
  { type }: Pick<Resource, 'type'>,
  filter: string,
  keys: readonly string[],
  administration: string | undefined,
  { records, administrations }: CostScope,
): Estimate {
  const calls = administration === undefined ? Math.min(records, administrations) : 1;
  // Of other keys than ids, the records of one may fill a page, and so the page of each call.
  const beside = administration === undefined ? UNKNOWN_ID_BYTES : encodedLength(administration);
  const room = filter === BY_ID.filter ? roomForValues(beside) : 0;
  return {
    reads: [{ name: compositeKey('lookup', type, filter, administration), calls, keys, room }],
    scope: { records: calls * keys.length, administrations: calls },
  };
}

/** One lookup for the records that all parent rows refer to. */
export function joinCost({ type }: Resource, { records, administrations }: CostScope): Estimate {
  // Each administration has its own lookup, and the last call of each may have fewer keys than fit. A list may be empty.
  const calls = Math.max(0, Math.ceil(records / JOINED_PER_CALL) + administrations - 1);
  return { reads: [{ name: compositeKey('join', type), calls: Math.min(records, calls) }] };
}

/** The most that a list costs: a page of it, all of it, or both. Throws if its arguments are invalid. */
export function listCost(resource: Resource, args: Arguments, scope: CostScope, plan: FieldPlan): Estimate {
  const query = queryOf(resource, args, scope.maxFirst);
  const { first, after, among, filters } = query;
  const { administrationId: administration, ...others } = filters;
  const lists = administration === undefined ? Math.min(scope.records, scope.administrations) : 1;
  const mostRows = filters.ids?.length ?? Number.POSITIVE_INFINITY;
  const rows = Math.min(first, mostRows);
  const own = { ...scope, records: lists * rows, administrations: lists };
  const { hasPage, hasTotals } = selectedParts(plan);
  const id = after || isOrdered(query) ? undefined : onlyId(resource, others);
  const parts = partsOf(filters);

  /** A call per page, or per part of a filter that is too long for one URL. */
  const walk = (start: string, count: number): Estimate['reads'] => {
    const name = compositeKey('list', resource.name, JSON.stringify(filters), start);
    return [{ name, calls: lists * (Math.ceil(count / MAX_PER_PAGE) + parts - 1) }];
  };
  const whole = isOrdered(query) || hasTotals ? walk('', Math.min(among, mostRows)) : [];
  if (!hasPage) return { reads: whole, scope: own };
  if (isOrdered(query)) {
    const isLookedUp = resource.filters.ids !== undefined && rows <= MAX_LOOKED_UP;
    const completion = isLookedUp ? joinCost(resource, own).reads : [];
    // Each is ready in a turn of its own, so that no other shares the lookup of its rows.
    return { reads: [...whole, ...completion.map((read) => ({ ...read, name: plan.key }))], scope: own };
  }
  const page =
    id === undefined
      ? walk(`page ${after ?? ''}`, rows)
      : lookupCost(resource, BY_ID.filter, [id], administration?.toString(), scope).reads;
  return { reads: [...whole, ...page], scope: own };
}

/** How many URLs a filter takes that is too long for one. */
function partsOf(filters: ListQuery['filters']): number {
  const values = Object.values(filters);
  const lengths = values.map((value) =>
    [value].flat().reduce((sum, text) => sum + encodedLength(text) + 1, 0),
  );
  const others = lengths.reduce((sum, length) => sum + length, 0) - Math.max(0, ...lengths);
  const room = roomForValues(others);
  return Math.max(1, ...values.map((value) => (typeof value === 'string' ? 1 : countParts(value, room))));
}

/** Undefined where what is given is invalid, which is an error only when the field is executed. */
export function ifValid<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
