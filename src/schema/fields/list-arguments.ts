import type { Arguments } from '../../execution/plan.ts';
import { type FieldPlan, selectedIn } from '../../execution/plan.ts';
import type { Criterion } from '../../lists/order.ts';
import { textsOf, type WhereInput } from '../../lists/where.ts';
import { weakMemoize } from '../../memoize.ts';
import { badInput } from '../../rest/errors.ts';
import { isAbsent, isObject } from '../../rest/json.ts';
import type { ListRequest } from '../../rest/list.ts';
import { DEFAULT_FIRST } from '../../rest/query.ts';
import type { FilterValues, Resource } from '../../rest/resource.ts';
import { restValueOf } from '../../rest/values.ts';
import { administrationId, internalIds } from './global-id.ts';

export interface ListQuery extends Pick<ListRequest, 'filters' | 'first'> {
  readonly after: string | undefined;
  readonly where: WhereInput | undefined;
  readonly orderBy: readonly Criterion[];
  /** How many rows are read at most, where all are needed. */
  readonly among: number;
}

/** How many rows are read where a list is filtered, ordered or added up, unless `among` says otherwise. */
export const DEFAULT_AMONG = 10_000;

/** The ids of a page of so many rows fit into the URL of one lookup; a longer one is read with the whole list. */
export const MAX_LOOKED_UP = 100;

/** What the arguments of a list ask for; throws if they are invalid. */
export function queryOf(resource: Resource, args: Arguments, maxFirst: number): ListQuery {
  const { after, where, orderBy } = args;
  const first = args.first ?? DEFAULT_FIRST;
  const among = args.among ?? DEFAULT_AMONG;
  if (typeof first !== 'number' || first < 1 || first > maxFirst)
    throw badInput(`\`first\` takes a number from 1 to ${maxFirst}.`);
  if (typeof among !== 'number' || among < 1) throw badInput('`among` takes a number from 1.');
  return {
    filters: filtersOf(resource, args, maxFirst),
    first,
    after: typeof after === 'string' ? after : undefined,
    where: isObject(where) && !isBlank(where) ? where : undefined,
    orderBy: Array.isArray(orderBy) ? orderBy : [],
    among,
  };
}

/**
 * Whether all that is given is null, as in the condition of an empty form: the list needs no more than a page then. What
 * is empty inside `not` or `some` does say something.
 */
function isBlank(input: unknown): boolean {
  if (!isObject(input)) return isAbsent(input);
  return Object.entries(input).every(
    ([name, value]) => isAbsent(value) || (!QUANTIFIERS.has(name) && isBlank(value)),
  );
}

const QUANTIFIERS = new Set(['not', 'some', 'every', 'none']);

/** Whether a list is filtered or ordered by the gateway, which takes all of it. */
export function isOrdered({ where, orderBy }: ListQuery): boolean {
  return where !== undefined || orderBy.length > 0;
}

function filtersOf(resource: Resource, args: Arguments, maxValues: number): FilterValues {
  const administration =
    typeof args.administrationId === 'string' ? administrationId(args.administrationId) : undefined;
  const filters: Record<string, string | readonly string[]> = {};
  for (const [argument, { takes }] of Object.entries(resource.filters)) {
    const value = takes ? args[argument] : administration;
    if (typeof value === 'string') filters[argument] = takes ? restValueOf(takes, value) : value;
    if (!Array.isArray(value)) continue;
    if (value.length > maxValues) throw badInput(`\`${argument}\` takes at most ${maxValues} values.`);
    const texts = textsOf(value);
    filters[argument] =
      argument === 'ids' ? internalIds(texts, resource.type, argument, administration) : texts;
  }
  return filters;
}

/** What of a connection is selected. */
export const selectedParts = weakMemoize((plan: FieldPlan) => {
  const names = selectedIn(plan).map(({ field }) => field.name);
  const hasTotals = names.includes('totals') || names.includes('groups');
  return {
    hasTotals,
    hasPage: !hasTotals || ['edges', 'nodes', 'pageInfo'].some((part) => names.includes(part)),
  };
});
