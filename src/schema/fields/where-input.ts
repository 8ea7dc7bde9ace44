import type { InputRef } from '@pothos/core';
import type { WhereInput } from '../../lists/where.ts';
import { getOrCreate } from '../../memoize.ts';
import type { Member, Members, ValueKind } from '../../rest/values.ts';
import { builder } from './builder.ts';
import { inputTypeOf } from './record-type.ts';

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
