import { type Column, getColumns } from '../../lists/columns.ts';
import type { Criterion } from '../../lists/order.ts';
import type { GroupCriterion, Grouping } from '../../lists/totals.ts';
import { getOrCreate } from '../../memoize.ts';
import type { Resource, RowOrError } from '../../rest/resource.ts';
import type { Member, Members, ValueKind } from '../../rest/values.ts';
import { amount, boolean, enumOf, id, int, object, text, timestamp } from '../../rest/values.ts';
import { builder } from './builder.ts';
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
  const sums = amounts.map((name): GroupOrder => [`${upperCase(name)}_SUM`, { sumOf: name }]);
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
  const values = fields.map(([key, value]): Named<object> => [key, { value, description: describe(key) }]);
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
  // Readers may mistake it for the month of the debt.
  const subject = field === 'UPDATED_AT' ? 'the last change of the record' : words;
  return `By the ${part.toLowerCase()} of ${subject}, in \`timeZone\`.`;
}

const OPERATORS = {
  eq: 'Is equal to this.',
  in: 'Is equal to one of these.',
  contains: 'Contains this.',
  startsWith: 'Starts with this.',
  gt: 'Is greater than this.',
  gte: 'Is greater than this, or equal.',
  lt: 'Is less than this.',
  lte: 'Is less than this, or equal.',
};
const COMPARISONS = ['eq', 'gt', 'gte', 'lt', 'lte'] as const;
const SEARCHES = ['eq', 'in', 'contains', 'startsWith'] as const;
const IS_NULL = { isNull: boolean.optional('True: it has no value. False: it has one.') };

/** Defines an input of conditions and returns its name. */
function defineConditions(subject: string, name: string, conditions: () => Members): string {
  builder.inputType(name, {
    description: `Conditions on ${subject}. All of them have to hold.`,
    fields: (t) => buildInputFields(t, conditions()),
  });
  return name;
}

function defineScalarWhere(
  subject: string,
  name: string,
  kind: { readonly [made in 'list' | 'optional']: (description: string) => Member },
  operators: readonly (keyof typeof OPERATORS)[],
): string {
  const conditions = operators.map((operator): [string, Member] => {
    const description = OPERATORS[operator];
    return [operator, operator === 'in' ? kind.list(description) : kind.optional(description)];
  });
  return defineConditions(subject, name, () => ({ ...Object.fromEntries(conditions), ...IS_NULL }));
}

const PLAIN: { readonly [kind in Exclude<ValueKind, 'enum' | 'object'>]: string } = {
  int: defineScalarWhere('a whole number', 'IntWhere', int, COMPARISONS),
  text: defineScalarWhere('a text, compared without case and accents', 'TextWhere', text, SEARCHES),
  id: defineScalarWhere('an id, either global or internal', 'IdWhere', id, ['eq', 'in']),
  boolean: defineScalarWhere('a Boolean', 'BooleanWhere', boolean, ['eq']),
  amount: defineScalarWhere('an amount, compared exactly', 'AmountWhere', amount, COMPARISONS),
  timestamp: defineScalarWhere('a moment', 'DateTimeWhere', timestamp, COMPARISONS),
};

/** Inputs that several record types share. */
const inputs = new Map<string, string>();

/** Defines the conditions on a record or a nested object. */
export function whereInput(type: string, members: Members, subject = `a ${type}`, isNull: Members = {}) {
  const name = `${type}Where`;
  return defineConditions(subject, name, () => ({
    ...Object.fromEntries(
      Object.entries(members).map(([field, member]) => [
        field,
        object(getWhere(member), {}).optional(`Conditions on \`${field}\`.`),
      ]),
    ),
    ...isNull,
    and: object(name, {}).list('All of these have to hold.'),
    or: object(name, {}).list('At least one of these has to hold.'),
    not: object(name, {}).optional('This must not hold.'),
  }));
}

function getWhere(member: Member): string {
  return member.isList ? getListWhere(getItemWhere(member)) : getItemWhere(member);
}

function getItemWhere({ kind, members = {}, typeName = '' }: Member): string {
  if (kind !== 'enum' && kind !== 'object') return PLAIN[kind];
  const subject = `the type ${typeName}`;
  return getOrCreate(inputs, `${typeName}Where`, (name) =>
    kind === 'object'
      ? whereInput(typeName, members, subject, IS_NULL)
      : defineScalarWhere(subject, name, enumOf(typeName, []), ['eq', 'in']),
  );
}

/** Returns `LabelsWhere` for a list of `Label`. */
function getListWhere(itemWhere: string): string {
  const item = object(itemWhere, {});
  return getOrCreate(inputs, itemWhere.replace(/Where$/, 'sWhere'), (name) =>
    defineConditions('a list. A missing list counts as empty', name, () => ({
      some: item.optional('At least one of its items meets this.'),
      every: item.optional('All of its items meet this.'),
      none: item.optional('None of its items meets this.'),
      isEmpty: boolean.optional('True: it has no items. False: it has some.'),
    })),
  );
}
