import type { InputRef } from '@pothos/core';
import { type Column, columnsOf } from '../../lists/columns.ts';
import type { Criterion } from '../../lists/order.ts';
import type { GroupCriterion, Grouping } from '../../lists/totals.ts';
import type { WhereInput } from '../../lists/where.ts';
import { getOrCreate } from '../../memoize.ts';
import type { Resource } from '../../rest/resource.ts';
import {
  amount,
  flag,
  int,
  type Member,
  type Members,
  object,
  text,
  type ValueKind,
} from '../../rest/values.ts';
import { builder } from './builder.ts';
import { inputTypeOf, objectType } from './record-type.ts';

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
  const amounts = Object.keys(summable).filter((name) => summable[name]?.kind === 'amount');
  const sums = amounts.map((name): GroupOrder => [`${upperCase(name)}_SUM`, { sumOf: name }]);
  const order = orderInput(
    `${type}Order`,
    [`How to order ${type} records.`, `The fields that a list of ${type} records can be ordered by.`],
    'ASC',
    columns.filter(({ isList }) => !isList).map((column) => [enumName(column), column]),
  );
  const groupOrder = orderInput(
    `${type}GroupOrder`,
    [`How to order groups of ${type} records.`, `What groups of ${type} records can be ordered by.`],
    'DESC',
    [['KEY', 'key'], ['THEN_KEY', 'thenKey'], ['COUNT', 'count'], ...sums] satisfies GroupOrder[],
  );
  const groupField = fieldEnum(
    `${type}GroupField`,
    `What to group ${type} records by: a field, or the day, month or year of a moment, in UTC.`,
    columns.flatMap(groupingsBy),
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

type Named<Value = unknown> = readonly [name: string, value: Value];
type GroupOrder = Named<GroupCriterion['field']>;

/** An enum of names, each of which stands for a value that resolvers get in its place. */
function fieldEnum(name: string, description: string, fields: readonly Named[]) {
  // As objects, since the types of Pothos know texts and numbers alone as what a value stands for.
  const values = fields.map(([key, value]): Named<object> => [key, { value, description: describe(key) }]);
  return builder.enumType(name, { description, values: Object.fromEntries(values) });
}

/** An order by the values of an enum, which has the same name with `Field` behind it. */
function orderInput(
  name: string,
  [description, ofFields]: readonly [string, string],
  defaultValue: Criterion['direction'],
  fields: readonly Named[],
) {
  return builder.inputType(name, {
    description,
    fields: (t) => ({
      field: t.field({
        type: fieldEnum(`${name}Field`, ofFields, fields),
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
function groupingsBy(column: Column): Named<Grouping>[] {
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

type WhereRef = InputRef<WhereInput>;

const IS_NULL = 'True: it has no value. False: it has one.';

const CONDITIONS = {
  eq: 'Is equal to this.',
  in: 'Is equal to one of these.',
  contains: 'Contains this.',
  startsWith: 'Starts with this.',
  gt: 'Is greater than this.',
  gte: 'Is greater than this, or equal.',
  lt: 'Is less than this.',
  lte: 'Is less than this, or equal.',
};

function valueInput(
  name: string,
  what: string,
  type: ReturnType<typeof inputTypeOf>,
  conditions: readonly (keyof typeof CONDITIONS)[],
): WhereRef {
  return builder.inputRef<WhereInput>(name).implement({
    description: `Conditions on ${what}. All of them have to hold.`,
    fields: (t) => ({
      ...Object.fromEntries(
        conditions.map((condition) => [
          condition,
          t.field({ type: condition === 'in' ? [type] : type, description: CONDITIONS[condition] }),
        ]),
      ),
      isNull: t.boolean({ description: IS_NULL }),
    }),
  });
}

const COMPARISONS = ['eq', 'gt', 'gte', 'lt', 'lte'] as const;

const PLAIN: { readonly [kind in Exclude<ValueKind, 'enum' | 'object'>]: WhereRef } = {
  int: valueInput('IntWhere', 'a whole number', 'Int', COMPARISONS),
  text: valueInput('TextWhere', 'a text, which is compared without case and accents', 'String', [
    'eq',
    'in',
    'contains',
    'startsWith',
  ]),
  id: valueInput('IdWhere', 'an id, given as a global or an internal one', 'ID', ['eq', 'in']),
  flag: valueInput('BooleanWhere', 'a Boolean', 'Boolean', ['eq']),
  amount: valueInput('AmountWhere', 'an amount, which is compared exactly', 'Amount', COMPARISONS),
  moment: valueInput('DateTimeWhere', 'a moment', 'DateTime', COMPARISONS),
};

/** Inputs of enums, of objects inside rows, and of lists, which several types of records may have. */
const inputs = new Map<string, WhereRef>();

export function whereInput(type: string, members: Members): WhereRef {
  return objectInput(`${type}Where`, `Conditions on a ${type}.`, members, false);
}

function inputFor(member: Member): WhereRef {
  const { kind, members = {}, typeName } = member;
  if (kind !== 'enum' && kind !== 'object') return PLAIN[kind];
  return getOrCreate(inputs, `${typeName}Where`, (name) =>
    kind === 'object'
      ? objectInput(name, `Conditions on the type ${typeName}.`, members, true)
      : valueInput(name, `the type ${typeName}`, inputTypeOf(member), ['eq', 'in']),
  );
}

function objectInput(name: string, description: string, members: Members, mayBeNull: boolean): WhereRef {
  const ref = builder.inputRef<WhereInput>(name);
  return ref.implement({
    description: `${description} All of them have to hold.`,
    fields: (t) => ({
      ...Object.fromEntries(
        Object.entries(members).map(([field, member]) => [
          field,
          t.field({
            type: member.isList ? listInput(member) : inputFor(member),
            description: `Conditions on \`${field}\`.`,
          }),
        ]),
      ),
      ...(mayBeNull && { isNull: t.boolean({ description: IS_NULL }) }),
      and: t.field({ type: [ref], description: 'All of these have to hold.' }),
      or: t.field({ type: [ref], description: 'At least one of these has to hold.' }),
      not: t.field({ type: ref, description: 'This must not hold.' }),
    }),
  });
}

/** `LabelsWhere` for a list of `Label`, and `TextsWhere` for one of texts. */
function listInput(member: Member): WhereRef {
  const type = inputFor(member);
  return getOrCreate(inputs, type.name.replace(/Where$/, 'sWhere'), (name) =>
    builder.inputType(name, {
      description: 'Conditions on a list. A missing list counts as empty. All of them have to hold.',
      fields: (t) => ({
        some: t.field({ type, description: 'At least one of its items meets this.' }),
        every: t.field({ type, description: 'All of its items meet this.' }),
        none: t.field({ type, description: 'None of its items meets this.' }),
        isEmpty: t.boolean({ description: 'True: it has no items. False: it has some.' }),
      }),
    }),
  );
}
