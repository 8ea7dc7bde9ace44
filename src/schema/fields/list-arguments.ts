import { compositeKey } from '../../composite-key.ts';
import { type Arguments, type FieldPlan, getSubfields } from '../../execution/plan.ts';
import type { Criterion } from '../../lists/order.ts';
import { toStrings, type WhereInput } from '../../lists/where.ts';
import { weakMemoize } from '../../memoize.ts';
import { badInput } from '../../rest/errors.ts';
import { isNullish, isObject } from '../../rest/json.ts';
import { BY_ID, getSingleId } from '../../rest/lookup.ts';
import { DEFAULT_FIRST, MAX_PER_PAGE, roomForValues, splitValues } from '../../rest/query.ts';
import type { Resource } from '../../rest/resource.ts';
import { encodedLength } from '../../rest/url.ts';
import { getRestValue } from '../../rest/values.ts';
import { type CostScope, type Estimate, joinCost, lookupCost } from './metadata.ts';
import { administrationId, internalIds } from './node.ts';

export type ListQuery = Readonly<ReturnType<typeof readListQuery>>;

export const DEFAULT_AMONG = 10_000;

/** The ids of this many rows fit into one lookup URL. A longer page is read with the whole list. */
export const MAX_LOOKED_UP = 100;

/** How many rows of each group `top` returns by default. */
export const DEFAULT_TOP = 10;

/** Throws if the arguments are invalid. */
export function readListQuery(resource: Resource, args: Arguments, maxFirst: number) {
  const { after } = args;
  const first = args.first ?? DEFAULT_FIRST;
  const among = args.among ?? DEFAULT_AMONG;
  if (typeof among !== 'number' || among < 1) throw badInput('`among` takes a number from 1.');
  if (typeof first !== 'number' || first < 1 || first > maxFirst)
    throw badInput(`\`first\` takes a number from 1 to ${maxFirst}.`);
  const administration =
    typeof args.administrationId === 'string' ? administrationId(args.administrationId) : undefined;
  const { where, orderBy, needsAllRows } = readWhereAndOrder(args);
  return {
    where,
    orderBy,
    needsAllRows,
    administrationId: administration,
    filters: readFilters(resource, args, maxFirst, administration),
    first,
    // A cursor is empty if the first record of a list is invalid: see `edgeCursor`.
    after: typeof after === 'string' ? after || undefined : undefined,
    /** The most rows to read if all are needed. */
    among,
  };
}

/** `needsAllRows`: whether the gateway filters or orders the list, which takes all of its rows. */
export function readWhereAndOrder(args: Arguments) {
  const where: WhereInput | undefined = isObject(args.where) && !isBlank(args.where) ? args.where : undefined;
  const orderBy: readonly Criterion[] = Array.isArray(args.orderBy) ? args.orderBy : [];
  return { where, orderBy, needsAllRows: where !== undefined || orderBy.length > 0 };
}

/** Whether all conditions are null, as in an empty form. Empty quantifiers are conditions. */
function isBlank(input: unknown): boolean {
  if (!isObject(input)) return isNullish(input);
  return Object.entries(input).every(
    ([name, value]) => isNullish(value) || (!QUANTIFIERS.has(name) && isBlank(value)),
  );
}

const QUANTIFIERS = new Set(['not', 'some', 'every', 'none']);

function readFilters(resource: Resource, args: Arguments, maxValues: number, administration?: string) {
  const filters: Record<string, string | readonly string[]> = {};
  for (const [argument, { takes }] of Object.entries(resource.filters)) {
    const value = takes ? args[argument] : administration;
    if (typeof value === 'string') filters[argument] = takes ? getRestValue(takes, value) : value;
    if (!Array.isArray(value)) continue;
    if (value.length > maxValues) throw badInput(`\`${argument}\` takes at most ${maxValues} values.`);
    const texts = toStrings(value);
    filters[argument] =
      argument === 'ids' ? internalIds(texts, resource.type, argument, administration) : texts;
  }
  return filters;
}

export const getConnectionNeeds = weakMemoize((plan: FieldPlan) => {
  const names = getSubfields(plan).map(({ field }) => field.name);
  const hasTotals = names.includes('totals') || names.includes('groups');
  return {
    hasTotals,
    hasPage: !hasTotals || ['edges', 'nodes', 'pageInfo'].some((name) => names.includes(name)),
  };
});

/** Estimates the calls for a page, the whole list, or both. Throws if the arguments are invalid. */
export function listCost(resource: Resource, args: Arguments, scope: CostScope, plan: FieldPlan): Estimate {
  const query = readListQuery(resource, args, scope.maxFirst);
  const { administrationId: administration, filters, first, after, among } = query;
  const listCount = administration === undefined ? Math.min(scope.records, scope.administrations) : 1;
  const maxRows = filters.ids?.length ?? Number.POSITIVE_INFINITY;
  const rows = Math.min(first, maxRows);
  const rowScope = { ...scope, records: listCount * rows, administrations: listCount };
  const { hasPage, hasTotals } = getConnectionNeeds(plan);
  const segments = countSegments(filters);

  const countPages = (start: string, count: number) => ({
    name: compositeKey('list', resource.name, JSON.stringify(filters), start),
    calls: listCount * (Math.ceil(count / MAX_PER_PAGE) + segments - 1),
  });
  const reads = query.needsAllRows || hasTotals ? [countPages('', Math.min(among, maxRows))] : [];
  const id = after ? undefined : getSingleId(resource, filters);
  if (hasPage && query.needsAllRows) {
    // Each page is ready at its own time, so other fields do not share its lookup.
    if (resource.filters.ids && rows <= MAX_LOOKED_UP)
      reads.push(...joinCost(resource, rowScope, plan.key).reads);
  } else if (hasPage && id === undefined) reads.push(countPages(`page ${after ?? ''}`, rows));
  else if (hasPage && id !== undefined)
    reads.push(...lookupCost(resource, BY_ID.filter, [id], administration, scope).reads);
  return { reads, scope: rowScope };
}

export function groupsCost({ first }: Arguments, { administrations }: CostScope): Estimate {
  return { reads: [], scope: { records: administrations * Number(first ?? DEFAULT_FIRST) } };
}

/** Estimates `top`. Rows that would take many lookups are read with the whole list. */
export function topCost(resource: Resource, { first }: Arguments, scope: CostScope, key: string): Estimate {
  const rowScope = { ...scope, records: scope.records * Number(first ?? DEFAULT_TOP) };
  const isLookedUp = resource.filters.ids && rowScope.records <= MAX_LOOKED_UP * scope.administrations;
  return { reads: isLookedUp ? joinCost(resource, rowScope, `top ${key}`).reads : [], scope: rowScope };
}

function countSegments(filters: ListQuery['filters']): number {
  const lists = Object.values(filters).map((value) => [value].flat());
  const lengths = lists.map((texts) => texts.reduce((sum, text) => sum + encodedLength(text) + 1, 0));
  const otherLength = lengths.reduce((sum, length) => sum + length, 0) - Math.max(0, ...lengths);
  const room = roomForValues(otherLength);
  return Math.max(1, ...lists.map((texts) => splitValues(texts, room).length));
}
