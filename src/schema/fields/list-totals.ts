import type { GraphQLResolveInfo } from 'graphql';
import { inTurn, visitRows } from '../../event-loop.ts';
import { type FieldPlan, selectedIn } from '../../execution/plan.ts';
import { planOf, reportFieldError } from '../../execution/run.ts';
import { coercedValues } from '../../graphql-version.ts';
import { fieldsTo, type Unreadable } from '../../lists/columns.ts';
import { requireFewCriteria } from '../../lists/order.ts';
import { createGroups, type GroupRequest, Sums } from '../../lists/totals.ts';
import { badInput, invalid, type RestError } from '../../rest/errors.ts';
import { type Fields, fieldsOf, mergeAll } from '../../rest/fields.ts';
import { DEFAULT_FIRST } from '../../rest/query.ts';
import type { Resource } from '../../rest/resource.ts';
import type { Members } from '../../rest/values.ts';
import type { Context } from './context.ts';
import type { WholeRows } from './cursor.ts';
import type { ListTypes } from './list-types.ts';
import { ifValid } from './metadata.ts';

/** Reports why rows or values are missing, if some are, and returns that. */
export function reportMissing(
  problem: RestError | undefined,
  { path }: Resource,
  unreadable: Unreadable,
  info: GraphQLResolveInfo,
): RestError | undefined {
  const names = Array.from(unreadable, (name) => `\`${name}\``).join(', ');
  const unread = `a value of ${names} that cannot be compared or added`;
  const missing = problem ?? (names === '' ? undefined : invalid({ method: 'GET', path }, unread));
  if (missing) reportFieldError(info, missing);
  return missing;
}

/** The members that `totals` and `groups` need, as they are selected on a connection. */
export function fieldsOfTotals(
  connection: FieldPlan,
  types: ListTypes,
  { variableValues }: GraphQLResolveInfo,
): Fields {
  const trees = selectedIn(connection).flatMap((plan): Fields[] => {
    const selected = fieldsOf(Object.keys(summedIn(plan, types)));
    if (plan.field.name !== 'groups') return [selected];
    // Arguments that are invalid fail where `groups` is resolved.
    const request = ifValid(() =>
      groupRequest(Object(plan.argumentsWith(coercedValues(variableValues))), plan, types),
    );
    if (request === undefined) return [];
    const { by, thenBy, summed } = request;
    const columns = thenBy ? [by.column, thenBy.column] : [by.column];
    return [selected, ...columns.map(({ names }) => fieldsTo(names)), fieldsOf(Object.keys(summed))];
  });
  return mergeAll(trees);
}

/** Of `groups`, with what the values of its enums stand for. */
export interface GroupsArguments extends Pick<GroupRequest, 'by' | 'thenBy'> {
  readonly orderBy?: GroupRequest['orderBy'] | null;
  readonly first?: number | null;
}

function groupRequest(args: GroupsArguments, plan: FieldPlan, types: ListTypes): GroupRequest {
  const { by, thenBy } = args;
  const orderBy = args.orderBy ?? [];
  requireFewCriteria(orderBy);
  if (!thenBy && orderBy.some(({ field }) => field === 'thenKey'))
    throw badInput('`THEN_KEY` orders groups by two fields: give `thenBy`.');
  const ordering = orderBy.flatMap(({ field }) => (typeof field === 'string' ? [] : field.sumOf));
  return { by, thenBy, orderBy, summed: summedIn(plan, types, ordering) };
}

/** The members to add up: those that are selected in `totals`, which may be those of groups, and others. */
function summedIn(plan: FieldPlan, { summable }: ListTypes, others: readonly string[] = []): Members {
  const isTotals = ({ field }: FieldPlan) => field.name === 'totals';
  const totals = isTotals(plan) ? [plan] : selectedIn(plan).filter(isTotals);
  const names = [...others, ...totals.flatMap(selectedIn).map(({ field }) => field.name)];
  return Object.fromEntries(Object.entries(summable).filter(([name]) => names.includes(name)));
}

/** The value of `totals`. What could not be read is reported beside it. */
export async function resolveTotals(list: Promise<WholeRows>, types: ListTypes, info: GraphQLResolveInfo) {
  const whole = await list;
  const unreadable = new Set<string>();
  const sums = new Sums(summedIn(planOf(info), types), unreadable);
  await visitRows(whole.rows, (row) => sums.add(row));
  const isComplete = !reportMissing(whole.problem, types.resource, unreadable, info) && whole.isComplete;
  return { ...sums.totals(), isComplete };
}

export async function resolveGroups(
  list: Promise<WholeRows>,
  args: GroupsArguments,
  types: ListTypes,
  { reads: { maxFirst, textOrder } }: Context,
  info: GraphQLResolveInfo,
) {
  const count = args.first ?? DEFAULT_FIRST;
  if (count < 1 || count > maxFirst) throw badInput(`\`first\` takes a number from 1 to ${maxFirst}.`);
  const whole = await list;
  const unreadable = new Set<string>();
  const groups = createGroups(groupRequest(args, planOf(info), types), textOrder, unreadable);
  await visitRows(whole.rows, (row) => groups.add(row));
  const isComplete = !reportMissing(whole.problem, types.resource, unreadable, info) && whole.isComplete;
  const ordered = await inTurn(() => groups.inOrder());
  return ordered.slice(0, count).map(({ key, thenKey, sums }) => ({
    key: key.text,
    thenKey: thenKey.text,
    totals: { ...sums.totals(), isComplete },
  }));
}
