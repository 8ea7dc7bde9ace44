import { weakMemoize } from '../memoize.ts';
import { badInput } from '../rest/errors.ts';
import { type Fields, LEAF, mergeAll } from '../rest/fields.ts';
import { isAbsent, isObject } from '../rest/json.ts';
import type { Row } from '../rest/resource.ts';
import type { Member, Members } from '../rest/values.ts';
import { compareValues, itemsOf, type OnUnreadable, readValue, type Value } from './columns.ts';
import { fold } from './text.ts';
import { comparableMoment, parseDecimal } from './values.ts';

export type WhereInput = { readonly [name: string]: unknown };

interface WhereOptions {
  readonly onUnreadable: OnUnreadable;
  /** How many values `in` takes. */
  readonly maxValues: number;
  /** The ids that rows have, of ids in any form. */
  readonly internalIds: (ids: readonly string[], member: string) => readonly string[];
}

/** A condition on a value, and the members that it reads. */
interface Condition {
  readonly holds: (value: unknown) => boolean;
  readonly reads: Fields;
}

export interface RowCondition {
  readonly holds: (row: Row) => boolean;
  readonly reads: Fields;
}

/** Each takes its time for every row. */
const MAX_CONDITIONS = 200;

/** Compiles the input of `where`. Members of one input object have to hold together; one that is null says nothing. */
export function compileWhere(where: WhereInput, membersOfRow: Members, options: WhereOptions): RowCondition {
  const { onUnreadable } = options;
  /** What has been read of the row, by the member: all conditions on a value share it. */
  const known = new Map<Member, Map<unknown, Value | null>>();
  let count = 0;

  function countCondition(): void {
    count += 1;
    if (count > MAX_CONDITIONS) throw badInput(`\`where\` takes at most ${MAX_CONDITIONS} conditions.`);
  }

  /** On a row, or on an object in one. A missing object has members that are null. */
  function onObject(input: WhereInput, members: Members): Condition {
    return all(
      entriesOf(input).map(([name, value]): Condition => {
        countCondition();
        if (name === 'and') return all(onObjects(value, members));
        if (name === 'or') return any(onObjects(value, members));
        if (name === 'not') return negated(onObject(asInput(value), members));
        const member = members[name];
        if (member) return onMember(name, member, asInput(value));
        if (name === 'isNull') return { holds: (object) => isAbsent(object) === value, reads: {} };
        throw badInput(`\`where\` has no \`${name}\` here.`);
      }),
    );
  }

  function onObjects(inputs: unknown, members: Members): Condition[] {
    return (Array.isArray(inputs) ? inputs : []).map((input) => {
      countCondition();
      return onObject(asInput(input), members);
    });
  }

  function onMember(name: string, member: Member, input: WhereInput): Condition {
    const { holds, reads } = member.isList ? onList(member, input, name) : onItem(member, input, name);
    return {
      holds: (object) => holds(isObject(object) ? object[name] : undefined),
      reads: { [name]: reads },
    };
  }

  function onItem(member: Member, input: WhereInput, name: string): Condition {
    if (member.members === undefined) return onPlain(member, input, name);
    const { holds, reads } = onObject(input, member.members);
    return { holds, reads: withMember(reads, member.members) };
  }

  /** A missing list is an empty one. */
  function onList(member: Member, input: WhereInput, name: string): Condition {
    const items = (list: unknown) => itemsOf(list, name, onUnreadable);
    const conditions = entriesOf(input).map(([quantifier, value]): Condition => {
      if (quantifier === 'isEmpty')
        return { holds: (list) => (items(list).length === 0) === value, reads: LEAF };
      const { holds, reads } = onItem(member, asInput(value), name);
      if (quantifier === 'some') return { holds: (list) => items(list).some(holds), reads };
      if (quantifier === 'every') return { holds: (list) => items(list).every(holds), reads };
      return { holds: (list) => !items(list).some(holds), reads };
    });
    const { holds, reads } = all(conditions);
    return { holds, reads: member.members ? withMember(reads, member.members) : LEAF };
  }

  function onPlain(member: Member, input: WhereInput, name: string): Condition {
    const values = known.get(member) ?? new Map<unknown, Value | null>();
    known.set(member, values);
    const tests = entriesOf(input).map(([operator, value]) => {
      countCondition();
      return valueTest(member, operator, value, name, options);
    });
    const read = (raw: unknown): Value | null => {
      let value = values.get(raw);
      if (value === undefined) {
        value = readValue(member, raw, name, onUnreadable);
        values.set(raw, value);
      }
      return value;
    };
    return {
      holds: (raw) => {
        const value = read(raw);
        return tests.every((test) => test(value));
      },
      reads: LEAF,
    };
  }

  const { holds, reads } = onObject(where, membersOfRow);
  return {
    holds: (row) => {
      for (const values of known.values()) values.clear();
      return holds(row);
    },
    reads,
  };
}

function all(conditions: readonly Condition[]): Condition {
  return {
    holds: (value) => conditions.every(({ holds }) => holds(value)),
    reads: mergeAll(conditions.map(({ reads }) => reads)),
  };
}

function any(conditions: readonly Condition[]): Condition {
  return { ...all(conditions), holds: (value) => conditions.some(({ holds }) => holds(value)) };
}

function negated({ holds, reads }: Condition): Condition {
  return { holds: (value) => !holds(value), reads };
}

/** Of an object the service needs a member to ask for. */
function withMember(reads: Fields, members: Members): Fields {
  const [first] = Object.keys(members);
  return Object.keys(reads).length > 0 || first === undefined ? reads : { [first]: LEAF };
}

function entriesOf(input: WhereInput): [string, unknown][] {
  return Object.entries(input).filter(([, value]) => !isAbsent(value));
}

function asInput(value: unknown): WhereInput {
  return isObject(value) ? value : {};
}

/** Whether a value, as it is compared, is what a condition asks for. */
type Test = (value: Value | null) => boolean;

const MAX_TEXT_LENGTH = 1_000;
const MAX_TEXTS_LENGTH = 100_000;

/** The test of one operator. */
function valueTest(
  member: Member,
  operator: string,
  given: unknown,
  name: string,
  { maxValues, internalIds }: WhereOptions,
): Test {
  if (operator === 'isNull') return (value) => (value === null) === given;
  const texts = Array.isArray(given) ? textsOf(given) : [String(given)];
  if (texts.length > maxValues) throw badInput(`\`in\` takes at most ${maxValues} values.`);
  if (texts.some(({ length }) => length > MAX_TEXT_LENGTH))
    throw badInput(`A text that \`${name}\` is compared with has at most ${MAX_TEXT_LENGTH} characters.`);
  if (texts.reduce((sum, { length }) => sum + length, 0) > MAX_TEXTS_LENGTH)
    throw badInput(`The texts of one \`in\` have at most ${MAX_TEXTS_LENGTH} characters together.`);
  if (member.kind === 'id') return isOneOf(setOf(internalIds(texts, name)));
  if (member.kind === 'enum') return isOneOf(setOf(texts));
  const textTest = TEXT_TESTS[operator];
  if (member.kind === 'text' && textTest) {
    const test = textTest(foldedOf(texts));
    return (value) => typeof value === 'string' && test(value);
  }
  const accepts = COMPARISONS[operator];
  if (accepts === undefined) throw badInput(`\`${name}\` has no \`${operator}\`.`);
  const operand = operandOf(member, given, name);
  return (value) => value !== null && accepts(compareValues(member, value, operand));
}

// Memoized: all aliases that use the same variable share one array.
const textsOf = weakMemoize((values: readonly unknown[]) => values.map(String));
const setOf = weakMemoize((values: readonly string[]): ReadonlySet<unknown> => new Set(values));
const foldedOf = weakMemoize((texts: readonly string[]): ReadonlySet<string> => new Set(texts.map(fold)));

/** On folded texts. */
const TEXT_TESTS: {
  readonly [operator: string]: (wanted: ReadonlySet<string>) => (text: string) => boolean;
} = {
  eq: isOneOf,
  in: isOneOf,
  contains:
    ([part = '']) =>
    (text) =>
      text.includes(part),
  startsWith:
    ([part = '']) =>
    (text) =>
      text.startsWith(part),
};

const COMPARISONS: { readonly [operator: string]: (order: number) => boolean } = {
  eq: (order) => order === 0,
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
};

function isOneOf(wanted: ReadonlySet<unknown>): Test {
  return (value) => wanted.has(value);
}

/** A value that the caller gave, as values of rows are compared. */
function operandOf({ kind }: Member, given: unknown, name: string): Value {
  if (typeof given === 'number' || typeof given === 'boolean') return given;
  const text = String(given);
  if (kind !== 'amount') return comparableMoment(text) ?? text;
  const amount = parseDecimal(text);
  if (amount !== undefined) return amount;
  throw badInput(`\`${name}\` is compared with a decimal number, such as "12.50".`);
}
