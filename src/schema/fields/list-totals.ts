import type { GraphQLResolveInfo } from 'graphql';
import { planOf, reportFieldError } from '../../execution/operation.ts';
import type { FieldPlan } from '../../execution/plan.ts';
import { isSliceOver } from '../../limits/time-slice.ts';
import { type GroupRequest, groupRows } from '../../lists/groups.ts';
import { fieldsTo, MAX_CRITERIA } from '../../lists/order.ts';
import type { RecordField, RecordFields, ValueOptions } from '../../lists/record-fields.ts';
import { visitSliced } from '../../lists/slices.ts';
import { totalsOf } from '../../lists/totals.ts';
import { badInput, invalid, type RestError } from '../../rest/errors.ts';
import { type Fields, fieldsOf, mergeAll } from '../../rest/fields.ts';
import type { Resource, Row } from '../../rest/resource.ts';
import type { Context } from './builder.ts';
import { ifValid } from './estimate.ts';
import { type GroupSource, summable, type TotalsSource, type WholeListTypes } from './whole-list-types.ts';

/** The rows of a list that its totals and groups are made of. */
export interface WholeRows {
  readonly rows: readonly Row[];
  readonly isComplete: boolean;
  /** Why some rows are missing, or may be. */
  readonly problem?: RestError | undefined;
}

/** Collects the names of fields with values that cannot be read, such as an amount that is no number. */
export class UnreadableValues {
  readonly #names = new Set<string>();
  readonly options: ValueOptions;

  constructor({ textRules: rules, rest: { text } }: Context) {
    this.options = { rules, text, onUnreadable: (name) => this.#names.add(name) };
  }

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

/** The REST fields that `totals` and `groups` need, as they are selected on a connection. */
export function fieldsOfTotals(
  connectionFields: readonly FieldPlan[],
  types: WholeListTypes,
  { variableValues }: GraphQLResolveInfo,
): Fields {
  return mergeAll(
    connectionFields.flatMap((plan) => {
      const added = fieldsOf(addedFields([plan], types.fields).map(({ restName }) => restName));
      if (plan.field.name !== 'groups') return [added];
      // Arguments that are invalid fail where `groups` is resolved.
      const request = ifValid(() => groupRequest(Object(plan.argumentsWith(variableValues)), types));
      if (request === undefined) return [added];
      const { by, thenBy, orderBy } = request;
      const sums = orderBy.flatMap((criterion) =>
        typeof criterion.by === 'string' ? [] : criterion.by.restName,
      );
      return [added, fieldsTo(by.column), ...(thenBy ? [fieldsTo(thenBy.column)] : []), fieldsOf(sums)];
    }),
  );
}

function groupRequest({ by, thenBy, orderBy }: GroupsArguments, types: WholeListTypes): GroupRequest {
  const groupingBy = (name: string) => {
    const grouping = types.groupings.get(name);
    if (grouping === undefined) throw badInput(`There are no groups by ${name}.`);
    return grouping;
  };
  const criteria = orderBy ?? [];
  if (criteria.length > MAX_CRITERIA) throw badInput(`\`orderBy\` takes at most ${MAX_CRITERIA} fields.`);
  return {
    by: groupingBy(by),
    thenBy: thenBy ? groupingBy(thenBy) : undefined,
    orderBy: criteria.map(({ field, direction }) => {
      const what = types.groupOrders.get(field);
      if (what === undefined) throw badInput(`There is no order of groups by ${field}.`);
      if (what === 'thenKey' && !thenBy)
        throw badInput('`THEN_KEY` orders groups by two fields: give `thenBy`.');
      return { by: what, isDescending: direction === 'DESC' };
    }),
  };
}

/** The fields that are selected in `totals`, which may be those of groups. */
function addedFields(plans: readonly FieldPlan[], fields: RecordFields): RecordField[] {
  const selected = new Set<string>();
  const collect = (plan: FieldPlan) => {
    for (const { fields: members } of plan.objectPlans()) {
      for (const member of members) {
        if (plan.field.name === 'totals') selected.add(member.field.name);
        else if (member.field.name === 'totals') collect(member);
      }
    }
  };
  for (const plan of plans) if (plan.field.name === 'totals' || plan.field.name === 'groups') collect(plan);
  return summable(fields).filter(({ name }) => selected.has(name));
}

/** The value of `totals`. What could not be read is reported beside it. */
export async function resolveTotals(
  whole: WholeRows,
  resource: Resource,
  { fields }: WholeListTypes,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<TotalsSource> {
  const unreadable = new UnreadableValues(context);
  const added = addedFields([planOf(info)], fields);
  const totals = await addUp(whole.rows, added, unreadable.options, context);
  return { ...totals, isComplete: unreadable.report(whole, resource, info) };
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
  context: Context,
  info: GraphQLResolveInfo,
): Promise<GroupSource[]> {
  const { maxFirst } = context;
  const count = args.first ?? DEFAULT_GROUPS;
  if (count < 1 || count > maxFirst) throw badInput(`\`first\` takes a number from 1 to ${maxFirst}.`);
  const request = groupRequest(args, types);
  const unreadable = new UnreadableValues(context);
  const added = addedFields([planOf(info)], types.fields);
  const counted = await context.sequence.run(() =>
    countGroups(whole.rows, { request, count, added }, unreadable.options, context),
  );
  const isComplete = unreadable.report(whole, resource, info);
  if (!isComplete)
    await visitSliced(counted, context.budget, ({ totals }) => Object.assign(totals, { isComplete }));
  return counted;
}

/** What a group takes, the fields of its totals, and each of these, without texts. */
const GROUP_BYTES = 150;
const FIELDS_BYTES = 150;
const FIELD_BYTES = 150;
const NO_FIELDS: TotalsSource['fields'] = new Map();

/** The first groups with their totals, as if all rows were there. What all groups take meanwhile is not kept. */
async function countGroups(
  rows: readonly Row[],
  {
    request,
    count,
    added,
  }: { readonly request: GroupRequest; readonly count: number; readonly added: RecordField[] },
  options: ValueOptions,
  context: Context,
): Promise<GroupSource[]> {
  const { rest, budget } = context;
  let held = 0;
  const hold = (bytes: number) => {
    held += bytes;
    rest.hold(bytes);
  };
  try {
    const groups = await groupRows(rows, request, { ...options, slices: budget, hold });
    const counted: GroupSource[] = [];
    const encoded = (key: string | null) => (key === null ? null : rest.text.encode(key));
    for (const { key, thenKey, rows: own } of groups.slice(0, count)) {
      if (isSliceOver()) await budget.nextSlice();
      const totals = await addUp(own, added, options, context);
      counted.push({
        key: encoded(key.text),
        thenKey: encoded(thenKey.text),
        totals: { ...totals, isComplete: true },
      });
      // Until the operation ends.
      rest.hold(bytesOf(totals));
    }
    return counted;
  } finally {
    rest.hold(-held);
  }
}

function bytesOf({ fields }: Pick<TotalsSource, 'fields'>): number {
  let bytes = GROUP_BYTES + (fields === NO_FIELDS ? 0 : FIELDS_BYTES);
  for (const { sum, average } of fields.values())
    bytes += FIELD_BYTES + String(sum).length + String(average).length;
  return bytes;
}

async function addUp(
  rows: readonly Row[],
  added: readonly RecordField[],
  options: ValueOptions,
  { budget }: Context,
): Promise<Omit<TotalsSource, 'isComplete'>> {
  if (added.length === 0) return { count: rows.length, fields: NO_FIELDS };
  const fields = new Map<string, Awaited<ReturnType<typeof totalsOf>>>();
  for (const field of added) fields.set(field.name, await totalsOf(rows, field, options, budget));
  return { count: rows.length, fields };
}
