import { type Grouping, MOMENT_PARTS, type MomentPart } from '../lists/groups.ts';
import { type Column, columnsOf, type RecordField, type RecordFields } from '../lists/record-fields.ts';
import type { Totals } from '../lists/totals.ts';
import type { WireText } from '../rest/wire-text.ts';
import { builder } from './builder.ts';
import { computed } from './metadata.ts';

/** The totals of a list, or of a group of its rows. */
export interface TotalsSource {
  readonly count: number;
  readonly isComplete: boolean;
  /** Of the fields that are selected. */
  readonly fields: ReadonlyMap<string, Totals>;
}

export interface GroupSource {
  readonly key: WireText | null;
  readonly totals: TotalsSource;
}

const OrderDirection = builder.enumType('OrderDirection', {
  description: 'The direction of an order. Records without a value come last in both.',
  values: {
    ASC: { value: 'ASC', description: 'The least first.' },
    DESC: { value: 'DESC', description: 'The greatest first.' },
  } as const,
});

const AmountTotals = totalsType('AmountTotals', 'Amount', 'an amount');
const IntTotals = totalsType('IntTotals', 'Int', 'a whole number');

function totalsType(name: string, type: 'Amount' | 'Int', what: string) {
  const extreme = (value: Totals['min']) => ((typeof value === 'number') === (type === 'Int') ? value : null);
  return builder.objectRef<Totals>(name).implement({
    description: `What ${what} of all records of a list adds up to. Records without it do not count.`,
    fields: (t) => ({
      sum: t.expose('sum', { type: 'Amount', nullable: false, description: 'The sum, exactly.' }),
      average: t.expose('average', {
        type: 'Amount',
        description:
          'The average, with two digits more than the sum; half is rounded to even. Null for no value.',
      }),
      min: t.field({
        type,
        description: 'The least; null for no value.',
        ...computed(({ min }) => extreme(min)),
      }),
      max: t.field({
        type,
        description: 'The greatest; null for no value.',
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
}

/** Defines the types that a list of records needs for `orderBy`, `totals` and `groups`. */
export function defineWholeListTypes(type: string, fields: RecordFields) {
  const columns = columnsOf(fields);
  const orders = new Map(
    columns.filter(({ lists }) => !lists.includes(true)).map((column) => [enumName(column), column] as const),
  );
  const groupings = new Map(columns.flatMap(groupingsBy));
  const order = builder.inputType(`${type}Order`, {
    description: `What records of type ${type} are ordered by.`,
    fields: (t) => ({
      field: t.field({
        type: fieldEnum(`${type}OrderField`, `The fields that a list of ${type} records can be ordered by.`, [
          ...orders.keys(),
        ]),
        required: true,
        description: 'The field.',
      }),
      direction: t.field({
        type: OrderDirection,
        required: true,
        defaultValue: 'ASC',
        description: 'Ascending, unless told otherwise.',
      }),
    }),
  });
  const groupField = fieldEnum(
    `${type}GroupField`,
    `What records of type ${type} can be grouped by: fields, and days, months and years of moments, in UTC.`,
    [...groupings.keys()],
  );
  const totals = builder.objectRef<TotalsSource>(`${type}Totals`).implement({
    description: `What the records of a list of ${type} add up to, whatever \`first\` and \`after\`.`,
    fields: (t) => ({
      count: t.exposeInt('count', { nullable: false, description: 'How many records there are.' }),
      isComplete: t.exposeBoolean('isComplete', {
        nullable: false,
        description:
          'Whether all records were read: not if there are more than `among`, or one cannot be read.',
      }),
      ...Object.fromEntries(
        summable(fields).map(({ name, shape }) => [
          name,
          t.field({
            type: shape.kind === 'int' ? IntTotals : AmountTotals,
            nullable: false,
            description: `Of \`${name}\`.`,
            ...computed((source: TotalsSource) => requireTotals(source, name)),
          }),
        ]),
      ),
    }),
  });
  const group = builder.objectRef<GroupSource>(`${type}Group`).implement({
    description: `Records of a list of ${type} that have a value in common.`,
    fields: (t) => ({
      key: t.exposeString('key', { description: 'The value; null for the records without one.' }),
      totals: t.expose('totals', { type: totals, nullable: false, description: 'What they add up to.' }),
    }),
  });
  return { fields, orders, groupings, order, groupField, totals, group };
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
  return names.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()).join('_');
}

function fieldEnum(name: string, description: string, values: readonly string[]) {
  return builder.enumType(name, {
    description,
    values: Object.fromEntries(values.map((value) => [value, { value, description: describe(value) }])),
  });
}

function describe(value: string): string {
  const [, field = value, part] = /^(.*?)(?:_(DAY|MONTH|YEAR))?$/.exec(value) ?? [];
  const words = field.toLowerCase().replaceAll('_', ' ');
  return part ? `The ${part.toLowerCase()} of ${words}, in UTC.` : `By ${words}.`;
}
