import { getOrCreate, weakMemoize } from '../memoize.ts';
import { badInput } from '../rest/errors.ts';
import { mergeAll } from '../rest/fields.ts';
import { isNullish, isObject } from '../rest/json.ts';
import type { Member, Members } from '../rest/values.ts';
import {
  compareValues,
  createPathTree,
  parseValue,
  readValue,
  type Unreadable,
  type Value,
} from './columns.ts';
import { fold } from './text.ts';

export type WhereInput = { readonly [name: string]: unknown };

interface WhereOptions {
  readonly unreadable: Unreadable;
  readonly maxValues: number;
  /** Converts global ids to internal ones. */
  readonly decodeIds: (ids: readonly string[], member: string) => readonly string[];
}

type Path = readonly string[];
type Condition = (value: unknown) => boolean;

/** Each condition costs time for every row. */
const MAX_CONDITIONS = 200;

/** Compiles `where` to a predicate on rows, with the fields that it needs. Null members are ignored. */
export function compileWhere(where: WhereInput, membersOfRow: Members, options: WhereOptions) {
  const { unreadable } = options;
  const paths: Path[] = [];
  /** Conditions on the same member share a reader. */
  const readers = new Map<string, ReturnType<typeof createReader>>();
  let count = 0;

  function getEntries(input: unknown): [string, unknown][] {
    const entries = Object.entries(isObject(input) ? input : {}).filter(([, value]) => !isNullish(value));
    count += entries.length;
    if (count > MAX_CONDITIONS) throw badInput(`\`where\` takes at most ${MAX_CONDITIONS} conditions.`);
    return entries;
  }

  /** A missing object has null members. */
  function compileObject(input: unknown, members: Members, path: Path): Condition {
    const compileEach = (inputs: unknown) =>
      (Array.isArray(inputs) ? inputs : []).map((each) => compileObject(each, members, path));
    return combineConditions(
      getEntries(input).map(([name, value]): Condition => {
        if (name === 'and') return combineConditions(compileEach(value));
        if (name === 'or') {
          const conditions = compileEach(value);
          return (object) => conditions.some((matches) => matches(object));
        }
        if (name === 'isNull') return (object) => isNullish(object) === value;
        const member = members[name];
        if (member) return compileMember(name, member, value, path);
        // The only other name is `not`.
        const matches = compileObject(value, members, path);
        return (object) => !matches(object);
      }),
    );
  }

  function compileMember(name: string, member: Member, input: unknown, parents: Path): Condition {
    const path = [...parents, name];
    const pathCount = paths.length;
    const compile = member.isList ? compileList : compileItem;
    const condition = compile(name, member, input, path);
    // The service needs at least one member of an object.
    if (paths.length === pathCount) paths.push([...path, ...Object.keys(member.members ?? {}).slice(0, 1)]);
    return (object) => condition(isObject(object) ? object[name] : undefined);
  }

  function compileItem(name: string, member: Member, input: unknown, path: Path): Condition {
    if (member.members) return compileObject(input, member.members, path);
    const tests = getEntries(input).map(([operator, value]) =>
      createTest(member, operator, value, name, options),
    );
    const read = getOrCreate(readers, path.join('.'), () => createReader(member, name, unreadable));
    return (raw) => {
      const value = read(raw);
      return tests.every((test) => test(value));
    };
  }

  /** A missing list counts as empty. */
  function compileList(name: string, member: Member, input: unknown, path: Path): Condition {
    const getItems = (list: unknown): readonly unknown[] => {
      if (list instanceof Error) unreadable.add(name);
      return Array.isArray(list) ? list : [];
    };
    return combineConditions(
      getEntries(input).map(([quantifier, value]): Condition => {
        if (quantifier === 'isEmpty') return (list) => (getItems(list).length === 0) === value;
        const matches = compileItem(name, member, value, path);
        if (quantifier === 'some') return (list) => getItems(list).some(matches);
        if (quantifier === 'every') return (list) => getItems(list).every(matches);
        return (list) => !getItems(list).some(matches);
      }),
    );
  }

  const matches = compileObject(where, membersOfRow, []);
  return { matches, requiredFields: mergeAll(paths.map(createPathTree)) };
}

/** Caches the last value: folding a long text takes longer than comparing it. */
function createReader(member: Member, name: string, unreadable: Unreadable): (raw: unknown) => Value | null {
  let last: { readonly raw: unknown; readonly value: Value | null } | undefined;
  return (raw) => {
    if (last === undefined || last.raw !== raw)
      last = { raw, value: readValue(member, raw, name, unreadable) };
    return last.value;
  };
}

function combineConditions(conditions: readonly Condition[]): Condition {
  return (value) => conditions.every((matches) => matches(value));
}

const MAX_TEXT_LENGTH = 1_000;

function createTest(
  member: Member,
  operator: string,
  input: unknown,
  name: string,
  { maxValues, decodeIds }: WhereOptions,
): (value: Value | null) => boolean {
  if (operator === 'isNull') return (value) => (value === null) === input;
  const texts = Array.isArray(input) ? toStrings(input) : [String(input)];
  if (texts.length > maxValues) throw badInput(`\`in\` takes at most ${maxValues} values.`);
  if (texts.some(({ length }) => length > MAX_TEXT_LENGTH))
    throw badInput(`A text that \`${name}\` is compared with has at most ${MAX_TEXT_LENGTH} characters.`);
  const { kind } = member;
  if (operator === 'contains' || operator === 'startsWith') {
    // Folded with the first row, not while an operation is planned: conditions may hold a million characters.
    let folded: string | undefined;
    const has = operator === 'contains' ? 'includes' : 'startsWith';
    return (value) => {
      folded ??= fold(String(input));
      return typeof value === 'string' && value[has](folded);
    };
  }
  if (kind === 'text') return (value) => toFoldedSet(texts).has(value);
  if (kind === 'id' || kind === 'enum') {
    const accepted = toSet(kind === 'id' ? decodeIds(texts, name) : texts);
    return (value) => accepted.has(value);
  }
  const operand = parseValue(member, input);
  if (operand === undefined)
    throw badInput(`\`${name}\` is compared with a decimal number, such as "12.50".`);
  const signs = SIGNS[operator] ?? [0];
  return (value) => value !== null && signs.includes(Math.sign(compareValues(member, value, operand)));
}

// Memoized because aliases that use one variable share its array.
export const toStrings = weakMemoize((values: readonly unknown[]) => values.map(String));
const toSet = weakMemoize((values: readonly string[]): ReadonlySet<unknown> => new Set(values));
const toFoldedSet = weakMemoize((texts: readonly string[]): ReadonlySet<unknown> => new Set(texts.map(fold)));

/** The results of a comparison that satisfy an operator; all others require equality. */
const SIGNS: { readonly [operator: string]: readonly number[] } = {
  gt: [1],
  gte: [0, 1],
  lt: [-1],
  lte: [-1, 0],
};
