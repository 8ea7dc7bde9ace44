import type { GraphQLResolveInfo } from 'graphql';
import { planOf, reportFieldError } from '../../execution/operation.ts';
import type { FieldPlan } from '../../execution/plan.ts';
import { inTurn, visitRows } from '../../limits/turns.ts';
import type { OnUnreadable } from '../../lists/columns.ts';
import { type GroupRequest, Groups } from '../../lists/groups.ts';
import { fieldsTo, MAX_CRITERIA } from '../../lists/order.ts';
import { Sum } from '../../lists/totals.ts';
import { badInput, invalid, type RestError } from '../../rest/errors.ts';
import { type Fields, fieldsOf, mergeAll } from '../../rest/fields.ts';
import type { Resource, Row } from '../../rest/resource.ts';
import type { Members } from '../../rest/values.ts';
import type { Context } from './builder.ts';
import { ifValid } from './estimate.ts';
import type { GroupSource, TotalsSource, WholeListTypes } from './whole-list-types.ts';

/** The rows of a list that its totals and groups are made of. */
export interface WholeRows {
  readonly rows: readonly Row[];
  readonly isComplete: boolean;
  /** Why some rows are missing, or may be. */
  readonly problem?: RestError | undefined;
}

/** Collects the names of members with values that cannot be read, such as an amount that is no number. */
export class UnreadableValues {
  readonly #names = new Set<string>();
  readonly add: OnUnreadable = (name) => this.#names.add(name);

  /** Undefined if all values could be read. */
  problem({ path }: Resource): RestError | undefined {
    if (this.#names.size === 0) return undefined;
    const names = [...this.#names].map((name) => `\`${name}\``).join(', ');
    return invalid({ method: 'GET', path }, `a value of ${names} that cannot be compared or added`);
  }

  /** Reports why rows or values are missing, if some are; returns whether all are there. */
  report(whole: WholeRows, resource: Resource, info: GraphQLResolveInfo): boolean {
    const problem = whole.problem ?? this.problem(resource);
    if (problem) reportFieldError(info, problem);
    return whole.isComplete && problem === undefined;
  }
}

/** The members that `totals` and `groups` need, as they are selected on a connection. */
export function fieldsOfTotals(
  connectionFields: readonly FieldPlan[],
  types: WholeListTypes,
  { variableValues }: GraphQLResolveInfo,
): Fields {
  return mergeAll(
    connectionFields.flatMap((plan) => {
      const added = fieldsOf(Object.keys(summedIn(plan, types)));
      if (plan.field.name !== 'groups') return [added];
      // Arguments that are invalid fail where `groups` is resolved.
      const request = ifValid(() => groupRequest(Object(plan.argumentsWith(variableValues)), {}, types));
      if (request === undefined) return [added];
      const { by, thenBy, summed } = request;
      return [
        added,
        fieldsTo(by.column),
        ...(thenBy ? [fieldsTo(thenBy.column)] : []),
        fieldsOf(Object.keys(summed)),
      ];
    }),
  );
}

/** With the members to add up: those that are selected, and those that groups are ordered by. */
function groupRequest(
  { by, thenBy, orderBy }: GroupsArguments,
  selected: Members,
  { groupings, groupOrders, summable }: WholeListTypes,
): GroupRequest {
  const groupingBy = (name: string) => {
    const grouping = groupings.get(name);
    if (grouping === undefined) throw badInput(`There are no groups by ${name}.`);
    return grouping;
  };
  const criteria = (orderBy ?? []).map(({ field, direction }) => {
    const what = groupOrders.get(field);
    if (what === undefined) throw badInput(`There is no order of groups by ${field}.`);
    if (what === 'thenKey' && !thenBy)
      throw badInput('`THEN_KEY` orders groups by two fields: give `thenBy`.');
    return { by: what, isDescending: direction === 'DESC' };
  });
  if (criteria.length > MAX_CRITERIA) throw badInput(`\`orderBy\` takes at most ${MAX_CRITERIA} fields.`);
  const ordering = criteria.flatMap(({ by: what }) => (typeof what === 'string' ? [] : what.sumOf));
  return {
    by: groupingBy(by),
    thenBy: thenBy ? groupingBy(thenBy) : undefined,
    orderBy: criteria,
    summed: { ...pick(summable, ordering), ...selected },
  };
}

function pick(members: Members, names: readonly string[]): Members {
  return Object.fromEntries(Object.entries(members).filter(([name]) => names.includes(name)));
}

/** The members that are selected in `totals`, which may be those of groups. */
function summedIn(plan: FieldPlan, { summable }: WholeListTypes): Members {
  const selected: string[] = [];
  const collect = (within: FieldPlan) => {
    for (const { fields } of within.objectPlans()) {
      for (const member of fields) {
        if (within.field.name === 'totals') selected.push(member.field.name);
        else if (member.field.name === 'totals') collect(member);
      }
    }
  };
  if (plan.field.name === 'totals' || plan.field.name === 'groups') collect(plan);
  return pick(summable, selected);
}

/** The value of `totals`. What could not be read is reported beside it. */
export async function resolveTotals(
  whole: WholeRows,
  resource: Resource,
  types: WholeListTypes,
  info: GraphQLResolveInfo,
): Promise<TotalsSource> {
  const unreadable = new UnreadableValues();
  const summed = Object.entries(summedIn(planOf(info), types));
  const sums = new Map(summed.map(([name]) => [name, new Sum()]));
  await visitRows(whole.rows, (row) => {
    for (const [name, member] of summed) sums.get(name)?.add(row, name, member, unreadable.add);
  });
  return totalsSource(whole.rows.length, sums, unreadable.report(whole, resource, info));
}

function totalsSource(count: number, sums: ReadonlyMap<string, Sum>, isComplete: boolean): TotalsSource {
  const totals = Object.fromEntries(Array.from(sums, ([name, sum]) => [name, sum.totals()]));
  return { count, isComplete, ...totals };
}

interface GroupsArguments {
  readonly by: string;
  readonly thenBy?: string | null | undefined;
  readonly orderBy?: readonly { readonly field: string; readonly direction: string }[] | null | undefined;
  readonly first?: number | null | undefined;
}

const DEFAULT_GROUPS = 100;

export async function resolveGroups(
  whole: WholeRows,
  args: GroupsArguments,
  resource: Resource,
  types: WholeListTypes,
  { maxFirst, textOrder: order }: Context,
  info: GraphQLResolveInfo,
): Promise<GroupSource[]> {
  const count = args.first ?? DEFAULT_GROUPS;
  if (count < 1 || count > maxFirst) throw badInput(`\`first\` takes a number from 1 to ${maxFirst}.`);
  const request = groupRequest(args, summedIn(planOf(info), types), types);
  const unreadable = new UnreadableValues();
  const groups = new Groups(request, { order, onUnreadable: unreadable.add });
  await visitRows(whole.rows, (row) => groups.add(row));
  const isComplete = unreadable.report(whole, resource, info);
  const ordered = await inTurn(() => groups.inOrder());
  return ordered.slice(0, count).map((group) => ({
    key: group.key.text,
    thenKey: group.thenKey.text,
    totals: totalsSource(group.count, group.sums, isComplete),
  }));
}
