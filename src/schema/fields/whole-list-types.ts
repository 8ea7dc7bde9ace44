import { type GroupCriterion, type Grouping, MOMENT_PARTS, type MomentPart } from '../../lists/groups.ts';
import { type Column, columnsOf, type RecordField, type RecordFields } from '../../lists/record-fields.ts';
import type { Totals } from '../../lists/totals.ts';
import type { WireText } from '../../rest/wire-text.ts';
import { builder } from './builder.ts';
import { computed } from './metadata.ts';

export interface TotalsSource {
  readonly count: number;
  readonly isComplete: boolean;
  /** Of the fields that are selected. */
  readonly fields: ReadonlyMap<string, Totals>;
}

export interface GroupSource {
  readonly key: WireText | null;
  readonly thenKey: WireText | null;
  readonly totals: TotalsSource;
}

const OrderDirection = builder.enumType('OrderDirection', {
  description: 'The direction of an order. In both directions, records without a value come last.',
  values: {
    ASC: { value: 'ASC', description: 'Smallest first.' },
    DESC: { value: 'DESC', description: 'Largest first.' },
  } as const,
});

const AmountTotals = totalsType('AmountTotals', 'Amount', 'an amount');
const IntTotals = totalsType('IntTotals', 'Int', 'a whole number');

function totalsType(name: string, type: 'Amount' | 'Int', what: string) {
  const extreme = (value: Totals['min']) => ((typeof value === 'number') === (type === 'Int') ? value : null);
  return builder.objectRef<Totals>(name).implement({
    description: `Totals of ${what} over all records of a list. Records without a value do not count.`,
    fields: (t) => ({
      sum: t.expose('sum', { type: 'Amount', nullable: false, description: 'The exact sum.' }),
      average: t.expose('average', {
        type: 'Amount',
        description:
          'The average, with two more decimals than the sum, rounded half to even. Null if no record has a value.',
      }),
      min: t.field({
        type,
        description: 'The smallest value. Null if no record has one.',
        ...computed(({ min }) => extreme(min)),
      }),
      max: t.field({
        type,
        description: 'The largest value. Null if no record has one.',
        ...computed(({ max }) => extreme(max)),
      }),
      count: t.exposeInt('count', { nullable: false, description: 'How many records have a value.' }),
    }),
  });
}

/** What `orderBy` and `groups` name: each value of their enums, with what it stands for. */
export interface WholeListTypes {
  readonly fields: RecordFields;
  readonly orders: ReadonlyMap<string, Column>;
  readonly groupings: ReadonlyMap<string, Grouping>;
  readonly groupOrders: ReadonlyMap<string, GroupCriterion['by']>;
}

export function defineWholeListTypes(type: string, fields: RecordFields) {
  const columns = columnsOf(fields);
  const orders = new Map(
    columns
      .filter(({ lists }) => lists.every((list) => list === undefined))
      .map((column) => [enumName(column), column] as const),
  );
  const groupings = new Map(columns.flatMap(groupingsBy));
  const groupOrders = groupOrdersOf(fields);
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
  const totals = builder.objectRef<TotalsSource>(`${type}Totals`).implement({
    description: `Totals of all ${type} records of a list, whatever \`first\` and \`after\` are.`,
    fields: (t) => ({
      count: t.exposeInt('count', { nullable: false, description: 'How many records there are.' }),
      isComplete: t.exposeBoolean('isComplete', {
        nullable: false,
        description:
          'Whether all records were read. False if there are more than `among`, or if one cannot be read.',
      }),
      ...Object.fromEntries(
        summable(fields).map(({ name, shape }) => [
          name,
          t.field({
            type: shape.kind === 'int' ? IntTotals : AmountTotals,
            nullable: false,
            description: `Totals of \`${name}\`.`,
            ...computed((source: TotalsSource) => requireTotals(source, name)),
          }),
        ]),
      ),
    }),
  });
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
  return { fields, orders, groupings, groupOrders, order, groupOrder, groupField, totals, group };
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
function groupOrdersOf(fields: RecordFields): Map<string, GroupCriterion['by']> {
  const amounts = summable(fields).filter(({ shape }) => shape.kind === 'amount');
  return new Map<string, GroupCriterion['by']>([
    ['KEY', 'key'],
    ['THEN_KEY', 'thenKey'],
    ['COUNT', 'count'],
    ...amounts.map((field) => [`${upperCase(field.name)}_SUM`, field] as const),
  ]);
}

/** The fields that have totals. */
export function summable(fields: RecordFields): RecordField[] {
  return [...fields.values()].filter(({ shape: { kind } }) => kind === 'amount' || kind === 'int');
}

function requireTotals({ fields }: TotalsSource, name: string): Totals {
  const totals = fields.get(name);
  if (totals === undefined) throw new Error(`${name} was not added up`);
  return totals;
}

/** Amounts and the record's own id would make a group of each record. */
function groupingsBy(column: Column): (readonly [string, Grouping])[] {
  const { kind } = column.shape;
  if (kind === 'amount' || column.path.join() === 'id') return [];
  const name = enumName(column);
  if (kind !== 'dateTime') return [[name, { column }]];
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
  return part ? `By the ${part.toLowerCase()} of ${words}, in UTC.` : `By ${words}.`;
}
