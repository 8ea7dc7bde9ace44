import { type Column, columnsOf } from '../../lists/columns.ts';
import type { Criterion } from '../../lists/order.ts';
import type { GroupCriterion, Grouping } from '../../lists/totals.ts';
import type { Resource } from '../../rest/resource.ts';
import { amount, flag, int, object, text } from '../../rest/values.ts';
import { builder } from './builder.ts';
import { objectType } from './record-type.ts';

const OrderDirection = builder.enumType('OrderDirection', {
  description: 'The direction of an order. In both directions, records without a value come last.',
  values: {
    ASC: { value: 'ASC', description: 'Smallest first.' },
    DESC: { value: 'DESC', description: 'Largest first.' },
  } as const,
});

function memberTotals(name: string, what: string, extreme: typeof amount | typeof int): void {
  const description = `Totals of ${what} over all records of a list. Records without a value do not count.`;
  objectType(name, description, {
    sum: amount.required('The exact sum.'),
    average: amount.optional(
      'The average, with two more decimals than the sum, rounded half to even. Null if no record has a value.',
    ),
    min: extreme.optional('The smallest value. Null if no record has one.'),
    max: extreme.optional('The largest value. Null if no record has one.'),
    count: int.required('How many records have a value.'),
  });
}
memberTotals('AmountTotals', 'an amount', amount);
memberTotals('IntTotals', 'a whole number', int);

export type ListTypes = ReturnType<typeof defineListTypes>;

/** The types by which the records of a list are ordered, added up and grouped. */
export function defineListTypes(resource: Resource) {
  const { type, members } = resource;
  const columns = columnsOf(members);
  const summable = Object.fromEntries(
    Object.entries(members).filter(([, { kind }]) => kind === 'amount' || kind === 'int'),
  );
  const groupOrders: { readonly [name: string]: GroupCriterion['field'] } = {
    KEY: 'key',
    THEN_KEY: 'thenKey',
    COUNT: 'count',
    ...Object.fromEntries(
      Object.entries(summable).flatMap(([name, { kind }]) =>
        kind === 'amount' ? [[`${upperCase(name)}_SUM`, { sumOf: name }]] : [],
      ),
    ),
  };
  const order = orderInput(
    `${type}Order`,
    [`How to order ${type} records.`, `The fields that a list of ${type} records can be ordered by.`],
    'ASC',
    Object.fromEntries(columns.flatMap((column) => (column.isList ? [] : [[enumName(column), column]]))),
  );
  const groupOrder = orderInput(
    `${type}GroupOrder`,
    [`How to order groups of ${type} records.`, `What groups of ${type} records can be ordered by.`],
    'DESC',
    groupOrders,
  );
  const groupField = fieldEnum(
    `${type}GroupField`,
    `What to group ${type} records by: a field, or the day, month or year of a moment, in UTC.`,
    Object.fromEntries(columns.flatMap(groupingsBy)),
  );
  const totals = objectType(
    `${type}Totals`,
    `Totals of all ${type} records of a list, whatever \`first\` and \`after\` are.`,
    {
      count: int.required('How many records there are.'),
      isComplete: flag.required(
        'Whether all records were read. False if there are more than `among`, or if one cannot be read.',
      ),
      ...Object.fromEntries(
        Object.entries(summable).map(([name, { kind }]) => {
          const own = object(kind === 'int' ? 'IntTotals' : 'AmountTotals', {});
          return [name, own.required(`Totals of \`${name}\`.`)];
        }),
      ),
    },
  );
  const group = objectType(`${type}Group`, `The ${type} records of a list that have a value in common.`, {
    key: text.optional('The value that they have in common. Null for records without one.'),
    thenKey: text.optional(
      'The value of `thenBy` that they have in common. Null for records without one, and without `thenBy`.',
    ),
    totals: object(`${type}Totals`, {}).required('Totals of these records.'),
  });
  return { resource, summable, order, groupOrder, groupField, totals, group };
}

/** An enum of names, each of which stands for a value that resolvers get in its place. */
function fieldEnum(name: string, description: string, values: { readonly [name: string]: unknown }) {
  // As objects, since the types of Pothos know texts and numbers alone as what a value stands for.
  const configs = Object.entries(values).map(([key, value]): [string, object] => [
    key,
    { value, description: describe(key) },
  ]);
  return builder.enumType(name, { description, values: Object.fromEntries(configs) });
}

/** An order by the values of an enum, which has the same name with `Field` behind it. */
function orderInput(
  name: string,
  [description, ofFields]: readonly [string, string],
  defaultValue: Criterion['direction'],
  values: { readonly [name: string]: unknown },
) {
  return builder.inputType(name, {
    description,
    fields: (t) => ({
      field: t.field({
        type: fieldEnum(`${name}Field`, ofFields, values),
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
