import type { ObjectRef } from '@pothos/core';
import { type Column, columnsOf } from '../../lists/columns.ts';
import type { GroupCriterion, Grouping } from '../../lists/groups.ts';
import type { Totals } from '../../lists/totals.ts';
import { badInput } from '../../rest/errors.ts';
import type { Resource } from '../../rest/resource.ts';
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

/** `never`, only for `t.expose`, which compares the type of a property with that of its field. */
function memberTotals(name: string, what: string, type: 'Amount' | 'Int') {
  return builder.objectRef<Totals<never>>(name).implement({
    description: `Totals of ${what} over all records of a list. Records without a value do not count.`,
    fields: (t) => ({
      sum: t.expose('sum', { type: 'Amount', nullable: false, description: 'The exact sum.' }),
      average: t.expose('average', {
        type: 'Amount',
        description:
          'The average, with two more decimals than the sum, rounded half to even. Null if no record has a value.',
      }),
      min: t.expose('min', { type, description: 'The smallest value. Null if no record has one.' }),
      max: t.expose('max', { type, description: 'The largest value. Null if no record has one.' }),
      count: t.exposeInt('count', { nullable: false, description: 'How many records have a value.' }),
    }),
  });
}

const AmountTotals = memberTotals('AmountTotals', 'an amount', 'Amount');
const IntTotals = memberTotals('IntTotals', 'a whole number', 'Int');

export type ListTypes = ReturnType<typeof defineListTypes>;

/** The types by which the records of a list are ordered, added up and grouped, and what the values of their enums mean. */
export function defineListTypes(resource: Resource) {
  const { type, members } = resource;
  const columns = columnsOf(members);
  const summable = Object.fromEntries(
    Object.entries(members).filter(([, { kind }]) => kind === 'amount' || kind === 'int'),
  );
  const groupOrders = new Map<string, GroupCriterion['by']>([
    ['KEY', 'key'],
    ['THEN_KEY', 'thenKey'],
    ['COUNT', 'count'],
  ]);
  for (const [name, { kind }] of Object.entries(summable))
    if (kind === 'amount') groupOrders.set(`${upperCase(name)}_SUM`, { sumOf: name });

  const order = orderInput(`${type}Order`, `How to order ${type} records.`, 'ASC', {
    description: `The fields that a list of ${type} records can be ordered by.`,
    values: new Map(columns.flatMap((column) => (column.isList ? [] : [[enumName(column), column]]))),
  });
  const groupOrder = orderInput(`${type}GroupOrder`, `How to order groups of ${type} records.`, 'DESC', {
    description: `What groups of ${type} records can be ordered by.`,
    values: groupOrders,
  });
  const groupings = {
    description: `What to group ${type} records by: a field, or the day, month or year of a moment, in UTC.`,
    values: new Map(columns.flatMap(groupingsBy)),
  };
  const groupField = fieldEnum(`${type}GroupField`, groupings);
  const groupingBy = (field: string) => meaningIn(groupings, field);
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
  return { resource, summable, order, groupOrder, groupField, groupingBy, totals, group };
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
          const description = `Totals of \`${name}\`.`;
          return [name, t.expose(name, { type: totals, nullable: false, description })];
        }),
      ),
    }),
  });
}

interface FieldEnum<Meaning> {
  readonly description: string;
  /** What each value means. */
  readonly values: ReadonlyMap<string, Meaning>;
}

function fieldEnum(name: string, { description, values }: FieldEnum<unknown>) {
  return builder.enumType(name, {
    description,
    values: Object.fromEntries(
      Array.from(values.keys(), (value) => [value, { value, description: describe(value) }]),
    ),
  });
}

function meaningIn<Meaning>({ values }: FieldEnum<Meaning>, value: string): Meaning {
  const meaning = values.get(value);
  if (meaning === undefined) throw badInput(`There is no ${value} here.`);
  return meaning;
}

export type OrderBy = readonly { readonly field: string; readonly direction: 'ASC' | 'DESC' }[];

/** An order by the values of an enum, which has the same name with `Field` behind it. */
function orderInput<Meaning>(
  name: string,
  description: string,
  defaultValue: 'ASC' | 'DESC',
  fields: FieldEnum<Meaning>,
) {
  const type = builder.inputType(name, {
    description,
    fields: (t) => ({
      field: t.field({
        type: fieldEnum(`${name}Field`, fields),
        required: true,
        description: 'The field to order by.',
      }),
      direction: t.field({
        type: OrderDirection,
        required: true,
        defaultValue,
        description: `The direction, by default ${defaultValue === 'ASC' ? 'ascending' : 'descending'}.`,
      }),
    }),
  });
  const criteriaOf = (orderBy: OrderBy) =>
    orderBy.map(({ field, direction }) => ({
      by: meaningIn(fields, field),
      isDescending: direction === 'DESC',
    }));
  return { type, criteriaOf };
}

/** Amounts and the record's own id would make a group of each record. */
function groupingsBy(column: Column): (readonly [string, Grouping])[] {
  const { kind } = column.member;
  if (kind === 'amount' || column.name === 'internalId') return [];
  const name = enumName(column);
  if (kind !== 'moment') return [[name, { column }]];
  return (['DAY', 'MONTH', 'YEAR'] as const).map((part) => [`${name}_${part}`, { column, part }]);
}

/** `postalAddress.countryCode` is `POSTAL_ADDRESS_COUNTRY_CODE`. */
function enumName({ names }: Column): string {
  return names.map(upperCase).join('_');
}

function upperCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

function describe(value: string): string {
  const [, field = value, part] = /^(.*?)(?:_(DAY|MONTH|YEAR|SUM))?$/.exec(value) ?? [];
  const words = field.toLowerCase().replaceAll('_', ' ');
  if (part === 'SUM') return `By the sum of ${words}.`;
  if (part === undefined) return `By ${words}.`;
  // Readers take it for the month of what is owed.
  const what = field === 'UPDATED_AT' ? 'the last change of the record' : words;
  return `By the ${part.toLowerCase()} of ${what}, in UTC.`;
}
