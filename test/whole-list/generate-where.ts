import fc from 'fast-check';
import { amount, FOREIGN_IDS, int, moment, type Pools, text } from './generate-rows.ts';
import { CLAIM_STATUSES, type Field, type ListSpec, type PlainField } from './lists.ts';
import type { Where } from './where.ts';

type Members = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** Builds filters over some fields of a list; depth is how many filters stand inside each other. */
export function whereOf(
  spec: ListSpec,
  fields: readonly Field[],
  pools: Pools,
  depth = 2,
): fc.Arbitrary<Where> {
  const conditions = fields.map((field) => [field.name, conditionOf(spec, field, pools)] as const);
  return combined(Object.fromEntries(conditions), depth);
}

function combined(conditions: Members, depth: number): fc.Arbitrary<Where> {
  if (depth === 0) return someMembers(conditions);
  const inner = combined(conditions, depth - 1);
  const several = fc.array(inner, { maxLength: 3 });
  return someMembers({ ...conditions, and: several, or: several, not: inner });
}

function conditionOf(spec: ListSpec, field: Field, pools: Pools): fc.Arbitrary<Where> {
  if (!('members' in field)) return plainCondition(spec, field, pools);
  if (field.kind === 'texts') return listCondition(textCondition(pools));
  const members = Object.fromEntries(
    field.members.map((member) => [member.name, plainCondition(spec, member, pools)]),
  );
  if (field.kind === 'objects') return listCondition(combined(members, 1));
  return combined({ ...members, isNull: fc.boolean() }, 1);
}

function listCondition(item: fc.Arbitrary<Where>): fc.Arbitrary<Where> {
  return someMembers({ some: item, every: item, none: item, isEmpty: fc.boolean() });
}

function textCondition(pools: Pools): fc.Arbitrary<Where> {
  const value = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...pools.text) },
    { weight: 1, arbitrary: text },
  );
  // Few letters are found in many texts.
  const start = value.map((all) => Array.from(all).slice(0, 2).join(''));
  const part = value.map((all) => Array.from(all).slice(-1).join(''));
  const several = fc.array(value, { maxLength: 4 });
  return someMembers({ eq: value, in: several, contains: part, startsWith: start, isNull: fc.boolean() });
}

function ordered(pool: readonly unknown[], others: fc.Arbitrary<unknown>): fc.Arbitrary<Where> {
  const value = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...pool) },
    { weight: 1, arbitrary: others },
  );
  return someMembers({ eq: value, gt: value, gte: value, lt: value, lte: value, isNull: fc.boolean() });
}

function chosen(value: fc.Arbitrary<unknown>): fc.Arbitrary<Where> {
  return someMembers({ eq: value, in: fc.array(value, { maxLength: 4 }), isNull: fc.boolean() });
}

function plainCondition(spec: ListSpec, field: PlainField, pools: Pools): fc.Arbitrary<Where> {
  switch (field.kind) {
    case 'text':
      return textCondition(pools);
    case 'amount':
      return ordered(pools.amount, amount);
    case 'int':
      return ordered(pools.int, int);
    case 'dateTime':
      return ordered(pools.dateTime, moment);
    case 'boolean':
      return someMembers({ eq: fc.boolean(), isNull: fc.boolean() });
    case 'enum':
      return chosen(fc.constantFrom(...CLAIM_STATUSES));
    case 'id':
      return chosen(idOf(spec, field, pools));
  }
}

function idOf(spec: ListSpec, { name, idOf: type }: PlainField, pools: Pools): fc.Arbitrary<string> {
  const foreign = fc.constantFrom(...FOREIGN_IDS);
  if (name === 'administrationId') {
    return fc.constantFrom('1001', '1002', globalId('Administration', '1001', '1001'));
  }
  if (name !== 'internalId') return type === undefined ? foreign : eitherForm(type, foreign);
  return eitherForm(spec.type, fc.constantFrom(...pools.key));
}

/** A global id stands for the internal one in it. */
function eitherForm(type: string, id: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(id, fc.boolean())
    .map(([internal, isGlobal]) => (isGlobal ? globalId(type, '1001', internal) : internal));
}

export function globalId(type: string, administration: string, id: string): string {
  return Buffer.from(JSON.stringify([type, administration, id])).toString('base64url');
}

/** One member as a rule, sometimes two or none. */
function someMembers(members: Members): fc.Arbitrary<Where> {
  const [one, two] = [1, 2].map((length) =>
    fc
      .tuple(...Array.from({ length }, () => fc.constantFrom(...Object.entries(members))))
      .chain((entries) =>
        fc.record(Object.fromEntries(entries.map(([name, value]) => [name, rarelyNull(value)]))),
      ),
  );
  return fc.oneof(
    { weight: 12, arbitrary: one ?? fc.constant({}) },
    { weight: 4, arbitrary: two ?? fc.constant({}) },
    { weight: 1, arbitrary: fc.constant({}) },
  );
}

/** A member that is null says nothing. */
function rarelyNull(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 25, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) });
}
