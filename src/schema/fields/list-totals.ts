import type { GraphQLResolveInfo } from 'graphql';
import { forEachRow, runAfterYield } from '../../event-loop.ts';
import { addFieldError, getFieldPlan } from '../../execution/execution-context.ts';
import { type Arguments, type FieldPlan, getSubfields } from '../../execution/plan.ts';
import { coercedValues } from '../../graphql-version.ts';
import { createPathTree, type Unreadable } from '../../lists/columns.ts';
import { requireFewCriteria } from '../../lists/order.ts';
import { findTimeZone } from '../../lists/time-zones.ts';
import { createGroups, type GroupRequest, TotalsAccumulator } from '../../lists/totals.ts';
import { badInput, invalidResponse, type RestError } from '../../rest/errors.ts';
import { createFieldTree, type FieldTree, mergeAll } from '../../rest/fields.ts';
import { DEFAULT_FIRST } from '../../rest/query.ts';
import type { Resource } from '../../rest/resource.ts';
import type { Context } from './context.ts';
import type { FullList } from './cursor.ts';
import type { ListTypes } from './list-types.ts';
import { readTop, readTopArguments } from './top-rows.ts';

/** Adds an error if rows or values are missing, and returns it. */
export function reportMissing(
  problem: RestError | undefined,
  { path }: Resource,
  unreadable: Unreadable,
  info: GraphQLResolveInfo,
): RestError | undefined {
  const names = Array.from(unreadable, (name) => `\`${name}\``).join(', ');
  const description = `a value of ${names} that cannot be compared or added`;
  const error = problem ?? (names === '' ? undefined : invalidResponse({ method: 'GET', path }, description));
  if (error) addFieldError(info, error);
  return error;
}

/** Returns the members that the selected `totals` and `groups` need. Throws if arguments of `groups` are invalid. */
export function getTotalsFields(
  types: ListTypes,
  info: GraphQLResolveInfo,
  maxLookedUp: number,
  maxFirst: number,
): FieldTree {
  const variables = coercedValues(info.variableValues);
  const trees = getSubfields(getFieldPlan(info)).flatMap((plan): FieldTree[] => {
    const summedFields = createFieldTree(Object.keys(getSummedMembers(plan, types)));
    if (plan.field.name !== 'groups') return [summedFields];
    const args = Object(plan.coerceArguments(variables));
    const { by, thenBy, summed, first, tops } = readGroupArguments(args, plan, types, variables, maxFirst);
    const columns = thenBy ? [by.column, thenBy.column] : [by.column];
    columns.push(...tops.flatMap(({ orderBy }) => orderBy.map(({ field }) => field)));
    // Fields of smaller tops are looked up.
    const read = tops.filter((top) => top.first * first > maxLookedUp).map(({ fields }) => fields);
    return [
      summedFields,
      ...columns.map(({ names }) => createPathTree(names)),
      createFieldTree(Object.keys(summed)),
      ...read,
    ];
  });
  return mergeAll(trees);
}

/** The arguments of `groups`, with the internal values of their enums. */
export interface GroupsArguments extends Pick<GroupRequest, 'by' | 'thenBy'> {
  readonly orderBy?: GroupRequest['orderBy'] | null;
  readonly first?: number | null;
  readonly timeZone?: string | null;
}

function readGroupArguments(
  args: GroupsArguments,
  plan: FieldPlan,
  types: ListTypes,
  variables: Arguments,
  maxFirst: number,
) {
  const { by, thenBy } = args;
  const orderBy: GroupRequest['orderBy'] = args.orderBy ?? [];
  requireFewCriteria(orderBy);
  if (!thenBy && orderBy.some(({ field }) => field === 'thenKey'))
    throw badInput('`THEN_KEY` orders groups by two fields: give `thenBy`.');
  const orderedBy = orderBy.flatMap(({ field }) => (typeof field === 'string' ? [] : field.sumOf));
  const toLocal = findTimeZone(args.timeZone ?? 'UTC');
  if (!toLocal) throw badInput('`timeZone` takes the name of a time zone, such as `Europe/Amsterdam`.');
  const summed = getSummedMembers(plan, types, orderedBy);
  const first = args.first ?? DEFAULT_FIRST;
  if (first < 1 || first > maxFirst) throw badInput(`\`first\` takes a number from 1 to ${maxFirst}.`);
  const tops = readTopArguments(plan, variables);
  return { by, thenBy, orderBy, toLocal, summed, first, tops, keepsRows: tops.length > 0 };
}

/** Returns the members to add up: those selected in `totals`, also of groups, and those that groups are ordered by. */
function getSummedMembers(plan: FieldPlan, { summable }: ListTypes, orderedBy: readonly string[] = []) {
  const isTotals = ({ field }: FieldPlan) => field.name === 'totals';
  const totals = isTotals(plan) ? [plan] : getSubfields(plan).filter(isTotals);
  const names = [...orderedBy, ...totals.flatMap(getSubfields).map(({ field }) => field.name)];
  return Object.fromEntries(Object.entries(summable).filter(([name]) => names.includes(name)));
}

/** Resolves `totals`, and reports unreadable values. */
export async function resolveTotals(list: Promise<FullList>, types: ListTypes, info: GraphQLResolveInfo) {
  const fullList = await list;
  const unreadable = new Set<string>();
  const accumulator = new TotalsAccumulator(getSummedMembers(getFieldPlan(info), types), unreadable);
  await forEachRow(fullList.rows, (row) => accumulator.add(row));
  const isComplete =
    !reportMissing(fullList.problem, types.resource, unreadable, info) && fullList.isComplete;
  return { ...accumulator.totals(), isComplete };
}

export async function resolveGroups(
  list: Promise<FullList>,
  args: GroupsArguments,
  types: ListTypes,
  context: Context,
  info: GraphQLResolveInfo,
) {
  const { maxFirst, collation } = context.dataSource;
  const { resource } = types;
  const variables = coercedValues(info.variableValues);
  const request = readGroupArguments(args, getFieldPlan(info), types, variables, maxFirst);
  const { first } = request;
  const fullList = await list;
  const unreadable = new Set<string>();
  const groups = createGroups(request, collation, unreadable);
  await forEachRow(fullList.rows, (row) => groups.add(row));
  const sorted = (await runAfterYield(() => groups.sort())).slice(0, first);
  const tops = new Map<string, Awaited<ReturnType<typeof readTop>>>();
  for (const top of request.tops)
    tops.set(top.key, await readTop(top, sorted, fullList, { resource, unreadable }, context));
  const isComplete = !reportMissing(fullList.problem, resource, unreadable, info) && fullList.isComplete;
  return sorted.map(({ key, thenKey, accumulator }, index) => ({
    key: key.spelling,
    thenKey: thenKey.spelling,
    totals: { ...accumulator.totals(), isComplete },
    tops: Object.fromEntries(Array.from(tops, ([name, rows]) => [name, rows[index]])),
  }));
}
