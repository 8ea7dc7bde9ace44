import { getOrCreate } from '../../memoize.ts';
import type { Member, Members } from '../../rest/values.ts';
import { amount, boolean, enumOf, id, int, object, text, timestamp } from '../../rest/values.ts';
import { builder } from './builder.ts';
import { buildInputFields } from './record-type.ts';

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

type WhereInputType = ReturnType<typeof object> & { readonly name: string };

/** The defined types by name. Several record types share some. */
const types = new Map<string, WhereInputType>();

function defineConditions(name: string, subject: string, getConditions: () => Members): WhereInputType {
  return getOrCreate(types, name, () => {
    builder.inputType(name, {
      description: `Conditions on ${subject}. All of them have to hold.`,
      fields: (t) => buildInputFields(t, getConditions()),
    });
    return { ...object(name, {}), name };
  });
}

function scalarWhere(
  name: string,
  subject: string,
  type: { readonly [made in 'list' | 'optional']: (description: string) => Member },
  operators: readonly (keyof typeof OPERATORS)[],
) {
  const conditions = operators.map((operator): [string, Member] => {
    const description = OPERATORS[operator];
    return [operator, operator === 'in' ? type.list(description) : type.optional(description)];
  });
  return defineConditions(name, subject, () => ({ ...Object.fromEntries(conditions), ...IS_NULL }));
}

const SCALARS = {
  int: scalarWhere('IntWhere', 'a whole number', int, COMPARISONS),
  text: scalarWhere('TextWhere', 'a text, compared without case and accents', text, SEARCHES),
  id: scalarWhere('IdWhere', 'an id, either global or internal', id, ['eq', 'in']),
  boolean: scalarWhere('BooleanWhere', 'a Boolean', boolean, ['eq']),
  amount: scalarWhere('AmountWhere', 'an amount, compared exactly', amount, COMPARISONS),
  timestamp: scalarWhere('DateTimeWhere', 'a moment', timestamp, COMPARISONS),
};

/** Defines the conditions on a record or a nested object. */
export function objectWhere(
  type: string,
  members: Members,
  subject = `a ${type}`,
  isNull: Members = {},
): WhereInputType {
  const name = `${type}Where`;
  const itself = object(name, {});
  return defineConditions(name, subject, () => ({
    ...Object.fromEntries(
      Object.entries(members).map(([field, member]) => [
        field,
        memberWhere(member).optional(`Conditions on \`${field}\`.`),
      ]),
    ),
    ...isNull,
    and: itself.list('All of these have to hold.'),
    or: itself.list('At least one of these has to hold.'),
    not: itself.optional('This must not hold.'),
  }));
}

/** Returns the conditions on a member, such as `LabelsWhere` for a list of `Label`. */
function memberWhere(member: Member) {
  const item = itemWhere(member);
  if (!member.isList) return item;
  const name = item.name.replace(/Where$/, 'sWhere');
  return defineConditions(name, 'a list. A missing list counts as empty', () => ({
    some: item.optional('At least one of its items meets this.'),
    every: item.optional('All of its items meet this.'),
    none: item.optional('None of its items meets this.'),
    isEmpty: boolean.optional('True: it has no items. False: it has some.'),
  }));
}

function itemWhere({ kind, members = {}, typeName = '' }: Member) {
  const subject = `the type ${typeName}`;
  if (kind === 'object') return objectWhere(typeName, members, subject, IS_NULL);
  if (kind !== 'enum') return SCALARS[kind];
  return scalarWhere(`${typeName}Where`, subject, enumOf(typeName, []), ['eq', 'in']);
}
