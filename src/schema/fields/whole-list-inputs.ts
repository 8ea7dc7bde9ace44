import type { InputRef } from '@pothos/core';
import type { RecordFields, Shape } from '../../lists/record-fields.ts';
import type { WhereInput } from '../../lists/where.ts';
import { getOrCreate } from '../../memoize.ts';
import { builder } from './builder.ts';

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

type ValueType = 'String' | 'ID' | 'Boolean' | 'Amount' | 'Int' | 'DateTime' | InputRef<unknown>;

function valueInput(
  name: string,
  what: string,
  type: ValueType,
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

const PLAIN: { readonly [kind in Exclude<Shape['kind'], 'enum' | 'object' | 'list'>]: WhereRef } = {
  text: valueInput('TextWhere', 'a text, which is compared without case and accents', 'String', [
    'eq',
    'in',
    'contains',
    'startsWith',
  ]),
  id: valueInput('IdWhere', 'an id, given as a global or an internal one', 'ID', ['eq', 'in']),
  boolean: valueInput('BooleanWhere', 'a Boolean', 'Boolean', ['eq']),
  amount: valueInput('AmountWhere', 'an amount, which is compared exactly', 'Amount', COMPARISONS),
  int: valueInput('IntWhere', 'a whole number', 'Int', COMPARISONS),
  dateTime: valueInput('DateTimeWhere', 'a moment', 'DateTime', COMPARISONS),
};

/** Inputs of enums, of objects inside records, and of lists, which several types of records may have. */
const inputs = new Map<string, WhereRef>();

function defineOnce(name: string, define: (name: string) => WhereRef): WhereRef {
  return getOrCreate(inputs, name, () => define(name));
}

export function whereInput(type: string, fields: RecordFields): WhereRef {
  return defineOnce(`${type}Where`, (name) => objectInput(name, `Conditions on a ${type}.`, fields, false));
}

function inputFor(shape: Shape): WhereRef {
  if (shape.kind === 'list') return listInput(shape.item);
  if (shape.kind === 'object') {
    const { typeName, fields } = shape;
    const description = `Conditions on the type ${typeName}.`;
    return defineOnce(`${typeName}Where`, (name) => objectInput(name, description, fields, true));
  }
  if (shape.kind === 'enum') return enumInput(shape.typeName ?? '');
  return PLAIN[shape.kind];
}

function objectInput(name: string, description: string, fields: RecordFields, mayBeNull: boolean): WhereRef {
  const ref = builder.inputRef<WhereInput>(name);
  return ref.implement({
    description: `${description} All of them have to hold.`,
    fields: (t) => ({
      ...Object.fromEntries(
        [...fields.values()].map((field) => [
          field.name,
          t.field({ type: inputFor(field.shape), description: `Conditions on \`${field.name}\`.` }),
        ]),
      ),
      ...(mayBeNull && { isNull: t.boolean({ description: IS_NULL }) }),
      and: t.field({ type: [ref], description: 'All of these have to hold.' }),
      or: t.field({ type: [ref], description: 'At least one of these has to hold.' }),
      not: t.field({ type: ref, description: 'This must not hold.' }),
    }),
  });
}

function enumInput(type: string): WhereRef {
  const ref = builder.configStore.getInputTypeRef(type);
  return defineOnce(`${type}Where`, (name) => valueInput(name, `the type ${type}`, ref, ['eq', 'in']));
}

/** `LabelsWhere` for a list of `Label`, and `TextsWhere` for one of texts. */
function listInput(item: Exclude<Shape, { kind: 'list' }>): WhereRef {
  const type = inputFor(item);
  const { name: itemInput } = type;
  return defineOnce(itemInput.replace(/Where$/, 'sWhere'), (name) =>
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
