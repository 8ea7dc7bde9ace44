import { type Column, getColumns } from '../../lists/columns.ts';
import type { Criterion } from '../../lists/order.ts';
import type { GroupCriterion, Grouping } from '../../lists/totals.ts';
import type { Resource, RowOrError } from '../../rest/resource.ts';
import { amount, boolean, int, object, text } from '../../rest/values.ts';
import { builder, toConstantCase } from './builder.ts';
import { DEFAULT_TOP, topCost } from './list-arguments.ts';
import { restMetadata } from './metadata.ts';
import { buildInputFields, objectType, type RecordRef } from './record-type.ts';

const OrderDirection = builder.enumType('OrderDirection', {
  description: 'The direction of an order. In both directions, records without a value come last.',
  values: {
    ASC: { value: 'ASC', description: 'Smallest first.' },
    DESC: { value: 'DESC', description: 'Largest first.' },
  } as const,
});

function defineMemberTotals(name: string, subject: string, extreme: typeof amount | typeof int): void {
  const description = `Totals of ${subject} over all records of a list. Records without a value do not count.`;
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
defineMemberTotals('AmountTotals', 'an amount', amount);
defineMemberTotals('IntTotals', 'a whole number', int);

export type ListTypes = ReturnType<typeof defineListTypes>;

/** Defines the types that order, add up and group the records of a list. */
export function defineListTypes(resource: Resource, node: RecordRef) {
  const { type, members } = resource;
  const columns = getColumns(members);
  const summable = Object.fromEntries(
    Object.entries(members).filter(([, { kind }]) => kind === 'amount' || kind === 'int'),
  );
  const amounts = Object.keys(summable).filter((name) => summable[name]?.kind === 'amount');
  const sums = amounts.map((name): GroupOrder => [`${toConstantCase(name)}_SUM`, { sumOf: name }]);
  orderInput(
    `${type}Order`,
    [`How to order ${type} records.`, `The fields that a list of ${type} records can be ordered by.`],
    'ASC',
    columns.filter(({ isList }) => !isList).map((column) => [enumName(column), column]),
  );
  orderInput(
    `${type}GroupOrder`,
    [`How to order groups of ${type} records.`, `What groups of ${type} records can be ordered by.`],
    'DESC',
    [['KEY', 'key'], ['THEN_KEY', 'thenKey'], ['COUNT', 'count'], ...sums] satisfies GroupOrder[],
  );
  fieldEnum(
    `${type}GroupField`,
    `What to group ${type} records by: a field, or the day, month or year of a moment.`,
    columns.flatMap(getGroupings),
  );
  const totals = objectType(
    `${type}Totals`,
    `Totals of all ${type} records of a list, whatever \`first\` and \`after\` are.`,
    {
      count: int.required('How many records there are.'),
      isComplete: boolean.required(
        'Whether all records were read. False if there are more than `among`, or if one cannot be read.',
      ),
      ...Object.fromEntries(
        Object.entries(summable).map(([name, { kind }]) => {
          const memberTotals = object(kind === 'int' ? 'IntTotals' : 'AmountTotals', {});
          return [name, memberTotals.required(`Totals of \`${name}\`.`)];
        }),
      ),
    },
  );
  const group = objectType<{ readonly tops: Readonly<Record<string, readonly RowOrError[]>> }>(
    `${type}Group`,
    `The ${type} records of a list that have a value in common.`,
    {
      key: text.optional('The value that they have in common. Null for records without one.'),
      thenKey: text.optional(
        'The value of `thenBy` that they have in common. Null for records without one, and without `thenBy`.',
      ),
      totals: object(`${type}Totals`, {}).required('Totals of these records.'),
      top: {
        type: [node],
        nullable: { list: false, items: true },
        description: 'The first of these records.',
        args: builder.args((t) => ({
          first: t.int({ defaultValue: DEFAULT_TOP, description: 'How many records: 1 to 100.' }),
          ...buildInputFields(t, {
            orderBy: object(`${type}Order`, {}).list('Their order. By default, it is that of the service.'),
          }),
        })),
        extensions: restMetadata({
          listedResource: resource,
          cost: (args, scope, { key }) => topCost(resource, args, scope, key),
        }),
        resolve: ({ tops }, _args, _context, { path }) => tops[path.key],
      },
    },
  );
  return { resource, summable, totals, group };
}

type Named<Value = unknown> = readonly [name: string, value: Value];
type GroupOrder = Named<GroupCriterion['field']>;

/** Defines an enum with names for internal values. */
function fieldEnum(name: string, description: string, fields: readonly Named[]) {
  // Wrapped in objects, because Pothos' types accept only strings and numbers as values.
  const values = fields.map(
    ([key, value]): Named<object> => [key, { value, description: describeField(key) }],
  );
  return builder.enumType(name, { description, values: Object.fromEntries(values) });
}

function orderInput(
  name: string,
  [description, fieldDescription]: readonly [string, string],
  defaultValue: Criterion['direction'],
  fields: readonly Named[],
): void {
  builder.inputType(name, {
    description,
    fields: (t) => ({
      field: t.field({
        type: fieldEnum(`${name}Field`, fieldDescription, fields),
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

/** Amounts and the record's own id would give each record its own group. */
function getGroupings(column: Column): Named<Grouping>[] {
  const { kind } = column.member;
  if (kind === 'amount' || column.name === 'internalId') return [];
  const name = enumName(column);
  if (kind !== 'timestamp') return [[name, { column }]];
  return (['DAY', 'MONTH', 'YEAR'] as const).map((unit) => [`${name}_${unit}`, { column, unit }]);
}

/** `postalAddress.countryCode` becomes `POSTAL_ADDRESS_COUNTRY_CODE`. */
function enumName({ names }: Column): string {
  return names.map(toConstantCase).join('_');
}

function describeField(name: string): string {
  const [, field = name, unit] = /^(.*?)(?:_(DAY|MONTH|YEAR|SUM))?$/.exec(name) ?? [];
  const words = field.toLowerCase().replaceAll('_', ' ');
  if (unit === 'SUM') return `By the sum of ${words}.`;
  if (unit === undefined) return `By ${words}.`;
  // Readers may mistake the month of an update for the month of the debt.
  const subject = field === 'UPDATED_AT' ? 'the last change of the record' : words;
  return `By the ${unit.toLowerCase()} of ${subject}, in \`timeZone\`.`;
}
