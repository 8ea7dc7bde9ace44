import type { InputRef } from '@pothos/core';
import type { RecordFields, Shape } from '../../lists/record-fields.ts';
import type { WhereInput } from '../../lists/where.ts';
import { builder } from './builder.ts';

type WhereRef = InputRef<WhereInput>;

const IS_NULL = 'True: it has no value. False: it has one.';
const EQ = 'Is equal to this.';
const IN = 'Is equal to one of these.';

const TextWhere = builder.inputType('TextWhere', {
  description: 'Conditions on a text, which is compared without case and accents. All of them have to hold.',
  fields: (t) => ({
    eq: t.string({ description: EQ }),
    in: t.stringList({ description: IN }),
    contains: t.string({ description: 'Contains this.' }),
    startsWith: t.string({ description: 'Starts with this.' }),
    isNull: t.boolean({ description: IS_NULL }),
  }),
});

const IdWhere = builder.inputType('IdWhere', {
  description: 'Conditions on an id, given as a global or an internal one. All of them have to hold.',
  fields: (t) => ({
    eq: t.id({ description: EQ }),
    in: t.idList({ description: IN }),
    isNull: t.boolean({ description: IS_NULL }),
  }),
});

const BooleanWhere = builder.inputType('BooleanWhere', {
  description: 'Conditions on a Boolean. All of them have to hold.',
  fields: (t) => ({
    eq: t.boolean({ description: EQ }),
    isNull: t.boolean({ description: IS_NULL }),
  }),
});

/** For values that have an order. */
function comparisons(type: 'Amount' | 'Int' | 'DateTime', what: string) {
  return builder.inputType(`${type}Where`, {
    description: `Conditions on ${what}. All of them have to hold.`,
    fields: (t) => ({
      eq: t.field({ type, description: EQ }),
      gt: t.field({ type, description: 'Is greater than this.' }),
      gte: t.field({ type, description: 'Is greater than this, or equal.' }),
      lt: t.field({ type, description: 'Is less than this.' }),
      lte: t.field({ type, description: 'Is less than this, or equal.' }),
      isNull: t.boolean({ description: IS_NULL }),
    }),
  });
}

const PLAIN: { readonly [kind in Exclude<Shape['kind'], 'enum' | 'object' | 'list'>]: WhereRef } = {
  text: TextWhere,
  id: IdWhere,
  boolean: BooleanWhere,
  amount: comparisons('Amount', 'an amount, which is compared exactly'),
  int: comparisons('Int', 'a whole number'),
  dateTime: comparisons('DateTime', 'a moment'),
};

/** Inputs of enums, of objects inside records, and of lists, which several types of records may have. */
const inputs = new Map<string, WhereRef>();

function defineOnce(name: string, define: (name: string) => WhereRef): WhereRef {
  let input = inputs.get(name);
  if (input === undefined) {
    input = define(name);
    inputs.set(name, input);
  }
  return input;
}

/** The input of `where` for a record type. */
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
  return defineOnce(`${type}Where`, (name) =>
    builder.inputType(name, {
      description: `Conditions on the type ${type}. All of them have to hold.`,
      fields: (t) => ({
        eq: t.field({ type: ref, description: EQ }),
        in: t.field({ type: [ref], description: IN }),
        isNull: t.boolean({ description: IS_NULL }),
      }),
    }),
  );
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
