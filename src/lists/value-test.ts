import { weakMemoize } from '../memoize.ts';
import { badInput } from '../rest/errors.ts';
import { textSearch } from '../text-search.ts';
import { compareValues, type PlainShape, type Value, type ValueOptions } from './record-fields.ts';
import { comparableMoment, parseDecimal } from './values.ts';

export interface TestOptions extends ValueOptions {
  /** How many values `in` takes. */
  readonly maxValues: number;
  /** The ids that records have, of ids in any form. */
  readonly internalIds: (ids: readonly unknown[], field: string) => readonly string[];
  /** Takes what has to be done before the first record is tested. */
  readonly later: (preparation: Preparation) => void;
}

/** Does the next step of what takes long; says whether another one is left. */
export type Preparation = () => boolean;

/** Whether a value, as it is compared, is what a condition asks for. */
type Test = (value: Value | null) => boolean;

const MAX_TEXT_LENGTH = 1_000;
const MAX_TEXTS_LENGTH = 100_000;

/** The test of one operator. */
export function valueTest(
  shape: PlainShape,
  operator: string,
  given: unknown,
  name: string,
  { rules, maxValues, internalIds, later }: TestOptions,
): Test {
  if (operator === 'isNull') return (value) => (value === null) === given;
  const values: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (values.length > maxValues) throw badInput(`\`in\` takes at most ${maxValues} values.`);
  if (values.some((value) => String(value).length > MAX_TEXT_LENGTH))
    throw badInput(`A text that \`${name}\` is compared with has at most ${MAX_TEXT_LENGTH} characters.`);
  if (values.reduce<number>((length, value) => length + String(value).length, 0) > MAX_TEXTS_LENGTH)
    throw badInput(`The texts of one \`in\` have at most ${MAX_TEXTS_LENGTH} characters together.`);
  if (shape.kind === 'id') return isOneOf(setOf(internalIds(values, name)));
  if (shape.kind === 'enum')
    return isOneOf(new Set(values.map((value) => shape.enumNames?.get(String(value)))));
  const textTest = TEXT_TESTS[operator];
  if (shape.kind === 'text' && textTest) {
    const wanted = rules.foldAll(values);
    later(() => wanted.foldNext());
    let test: ReturnType<typeof textTest> | undefined;
    return (value) => {
      test ??= textTest(wanted.texts);
      return typeof value === 'string' && test(value);
    };
  }
  const accepts = COMPARISONS[operator];
  if (accepts === undefined) throw badInput(`\`${name}\` has no \`${operator}\`.`);
  const operand = operandOf(shape, given, name);
  return (value) => value !== null && accepts(compareValues(shape, value, operand, rules));
}

/** On folded texts. */
const TEXT_TESTS: {
  readonly [operator: string]: (wanted: ReadonlySet<string>) => (text: string) => boolean;
} = {
  eq: isOneOf,
  in: isOneOf,
  contains([part = '']) {
    const search = textSearch(part);
    return (text) => search(text) >= 0;
  },
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

/** Memoized: all aliases that use the same variable share one array. */
const setOf = weakMemoize((values: readonly unknown[]) => new Set(values));

/** A value that the caller gave, as values of records are compared. */
function operandOf({ kind }: PlainShape, given: unknown, name: string): Value {
  if (typeof given === 'number' || typeof given === 'boolean') return given;
  const text = String(given);
  if (kind !== 'amount') return comparableMoment(text) ?? text;
  const amount = parseDecimal(text);
  if (amount !== undefined) return amount;
  throw badInput(`\`${name}\` is compared with a decimal number, such as "12.50".`);
}
