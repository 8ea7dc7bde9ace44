import type { ObjectRef } from '@pothos/core';
import { type Column, columnsOf } from '../../lists/columns.ts';
import { type GroupCriterion, type Grouping, MOMENT_PARTS, type MomentPart } from '../../lists/groups.ts';
import type { Totals } from '../../lists/totals.ts';
import type { Members } from '../../rest/values.ts';
import { builder } from './builder.ts';

/** Totals of a list, with those of each member that is selected under its name. */
export interface TotalsSource {
  readonly count: number;
  readonly isComplete: boolean;
  readonly [member: string]: unknown;
}

export interface GroupSource {
  readonly key: string | null;
  readonly thenKey: string | null;
  readonly totals: TotalsSource;
}

const OrderDirection = builder.enumType('OrderDirection', {
  description: 'The direction of an order. In both directions, records without a value come last.',
  values: {
    ASC: { value: 'ASC', description: 'Smallest first.' },
    DESC: { value: 'DESC', description: 'Largest first.' },
  } as const,
});

const SUM = { type: 'Amount', nullable: false, description: 'The exact sum.' } as const;
const AVERAGE = {
  type: 'Amount',
  description:
    'The average, with two more decimals than the sum, rounded half to even. Null if no record has a value.',
} as const;
const MIN = { description: 'The smallest value. Null if no record has one.' };
const MAX = { description: 'The largest value. Null if no record has one.' };
const COUNT = { nullable: false, description: 'How many records have a value.' } as const;

const AmountTotals = builder.objectRef<Totals<string>>('AmountTotals').implement({
  description: 'Totals of an amount over all records of a list. Records without a value do not count.',
  fields: (t) => ({
    sum: t.expose('sum', SUM),
    average: t.expose('average', AVERAGE),
    min: t.expose('min', { type: 'Amount', ...MIN }),
    max: t.expose('max', { type: 'Amount', ...MAX }),
    count: t.exposeInt('count', COUNT),
  }),
});

const IntTotals = builder.objectRef<Totals<number>>('IntTotals').implement({
  description: 'Totals of a whole number over all records of a list. Records without a value do not count.',
  fields: (t) => ({
    sum: t.expose('sum', SUM),
    average: t.expose('average', AVERAGE),
    min: t.exposeInt('min', MIN),
    max: t.exposeInt('max', MAX),
    count: t.exposeInt('count', COUNT),
  }),
});

/** What `orderBy` and `groups` name: each value of their enums, with what it stands for. */
export interface WholeListTypes {
  /** The members that can be added up. */
  readonly summable: Members;
  readonly orders: ReadonlyMap<string, Column>;
  readonly groupings: ReadonlyMap<string, Grouping>;
  readonly groupOrders: ReadonlyMap<string, GroupCriterion['by']>;
}

export function defineWholeListTypes(type: string, members: Members) {
  const columns = columnsOf(members);
  const summable = summableOf(members);
  const orders = new Map(
    columns.filter(({ isList }) => !isList).map((column) => [enumName(column), column] as const),
  );
  const groupings = new Map(columns.flatMap(groupingsBy));
  const groupOrders = groupOrdersOf(summable);
  const order = orderInput(`${type}Order`, `How to order ${type} records.`, 'ASC', {
    description: `The fields that a list of ${type} records can be ordered by.`,
    values: [...orders.keys()],
  });
  const groupOrder = orderInput(`${type}GroupOrder`, `How to order groups of ${type} records.`, 'DESC', {
    description: `What groups of ${type} records can be ordered by.`,
    values: [...groupOrders.keys()],
  });
  const groupField = fieldEnum(
    `${type}GroupField`,
    `What to group ${type} records by: a field, or the day, month or year of a moment, in UTC.`,
    [...groupings.keys()],
  );
  const totals = totalsType(type, summable);
  const group = builder.objectRef<GroupSource>(`${type}Group`).implement({
    description: `The ${type} records of a list that have a value in common.`,
    fields: (t) => ({
      key: t.exposeString('key', {
        description: 'The value that they have in common. Null for records without one.',
      }),
      thenKey: t.exposeString('thenKey', {
        description:
          'The value of `thenBy` that they have in common. Null for records without one, and without `thenBy`.',
      }),
      totals: t.expose('totals', { type: totals, nullable: false, description: 'Totals of these records.' }),
    }),
  });
  return { summable, orders, groupings, groupOrders, order, groupOrder, groupField, totals, group };
}

/** Only for `t.expose`, as in `recordType`. */
type ExposedTotals = TotalsSource & { readonly [member: string]: never };

function totalsType(
  type: string,
  summable: Members,
): ObjectRef<typeof builder.$inferSchemaTypes, TotalsSource> {
  return builder.objectRef<ExposedTotals>(`${type}Totals`).implement({
    description: `Totals of all ${type} records of a list, whatever \`first\` and \`after\` are.`,
    fields: (t) => ({
      count: t.exposeInt('count', { nullable: false, description: 'How many records there are.' }),
      isComplete: t.exposeBoolean('isComplete', {
        nullable: false,
        description:
          'Whether all records were read. False if there are more than `among`, or if one cannot be read.',
      }),
      ...Object.fromEntries(
        Object.entries(summable).map(([name, { kind }]) => {
          const totals = kind === 'int' ? IntTotals : AmountTotals;
          return [
            name,
            t.expose(name, { type: totals, nullable: false, description: `Totals of \`${name}\`.` }),
          ];
        }),
      ),
    }),
  });
}

/** An order by one of the values of an enum, which has the same name with `Field` behind it. */
function orderInput(
  name: string,
  description: string,
  direction: 'ASC' | 'DESC',
  field: { readonly description: string; readonly values: readonly string[] },
) {
  return builder.inputType(name, {
    description,
    fields: (t) => ({
      field: t.field({
        type: fieldEnum(`${name}Field`, field.description, field.values),
        required: true,
        description: 'The field to order by.',
      }),
      direction: t.field({
        type: OrderDirection,
        required: true,
        defaultValue: direction,
        description: `The direction, by default ${direction === 'ASC' ? 'ascending' : 'descending'}.`,
      }),
    }),
  });
}

/** The keys, how many records a group has, and the sum of each amount. */
function groupOrdersOf(summable: Members): Map<string, GroupCriterion['by']> {
  const amounts = Object.keys(summable).filter((name) => summable[name]?.kind === 'amount');
  return new Map<string, GroupCriterion['by']>([
    ['KEY', 'key'],
    ['THEN_KEY', 'thenKey'],
    ['COUNT', 'count'],
    ...amounts.map((name) => [`${upperCase(name)}_SUM`, { sumOf: name }] as const),
  ]);
}

function summableOf(members: Members): Members {
  return Object.fromEntries(
    Object.entries(members).filter(([, { kind }]) => kind === 'amount' || kind === 'int'),
  );
}

/** Amounts and the record's own id would make a group of each record. */
function groupingsBy(column: Column): (readonly [string, Grouping])[] {
  const { kind } = column.member;
  if (kind === 'amount' || column.names.join() === 'internalId') return [];
  const name = enumName(column);
  if (kind !== 'moment') return [[name, { column }]];
  const parts = Object.keys(MOMENT_PARTS).filter(isMomentPart);
  return parts.map((part) => [`${name}_${part}`, { column, part }]);
}

function isMomentPart(name: string): name is MomentPart {
  return name in MOMENT_PARTS;
}

/** `postalAddress.countryCode` is `POSTAL_ADDRESS_COUNTRY_CODE`. */
function enumName({ names }: Column): string {
  return names.map(upperCase).join('_');
}

function upperCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

function fieldEnum(name: string, description: string, values: readonly string[]) {
  return builder.enumType(name, {
    description,
    values: Object.fromEntries(values.map((value) => [value, { value, description: describe(value) }])),
  });
}

function describe(value: string): string {
  const [, field = value, part] = /^(.*?)(?:_(DAY|MONTH|YEAR|SUM))?$/.exec(value) ?? [];
  const words = field.toLowerCase().replaceAll('_', ' ');
  if (part === 'SUM') return `By the sum of ${words}.`;
  if (part === undefined) return `By ${words}.`;
  const time = part.toLowerCase();
  // Readers take it for the month of what is owed.
  if (field === 'UPDATED_AT') return `By the ${time} of the last change of the record, in UTC.`;
  return `By the ${time} of ${words}, in UTC.`;
}
