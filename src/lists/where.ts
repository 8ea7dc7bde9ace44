import { badInput } from '../rest/errors.ts';
import { type Fields, LEAF, mergeAll } from '../rest/fields.ts';
import { isObject } from '../rest/json.ts';
import { parseDecimal } from './decimal.ts';
import { FieldReader } from './field-reader.ts';
import { comparableMoment } from './moment.ts';
import {
  compareValues,
  type ListShape,
  type PlainShape,
  type RecordField,
  type RecordFields,
  type Shape,
  type Value,
  type ValueOptions,
} from './record-fields.ts';
import { textSearch } from './text-search.ts';

export type WhereInput = { readonly [name: string]: unknown };

/** A condition on records, and the REST fields that it reads. */
export interface Condition<Subject> {
  readonly holds: (subject: Subject) => boolean;
  readonly reads: Fields;
}

/** Each takes its time for every row. */
const MAX_CONDITIONS = 200;
const MAX_TEXT_LENGTH = 1_000;

export interface WhereOptions extends ValueOptions {
  /** How many values `in` takes. */
  readonly maxValues: number;
  /** The id that records have, of an id in any form. */
  readonly internalId: (id: string, field: string) => string;
}

/** Compiles the input of `where`. Members of one input object have to hold together; one that is null says nothing. */
export function compileWhere(
  input: WhereInput,
  fields: RecordFields,
  options: WhereOptions,
): Condition<object> {
  return new WhereCompiler(options).object(input, fields);
}

class WhereCompiler {
  readonly #options: WhereOptions;
  readonly #readers = new Map<PlainShape, FieldReader>();
  #count = 0;

  constructor(options: WhereOptions) {
    this.#options = options;
  }

  /** On a record, or on an object in one. A missing object has members that are null. */
  object(input: WhereInput, fields: RecordFields): Condition<unknown> {
    return all(
      entriesOf(input).map(([name, value]): Condition<unknown> => {
        this.#countCondition();
        if (name === 'and') return all(this.#objects(value, fields));
        if (name === 'or') return any(this.#objects(value, fields));
        if (name === 'not') return negated(this.object(asInput(value), fields));
        const field = fields.get(name);
        if (field) return this.#field(field, asInput(value));
        if (name === 'isNull') return { holds: (object) => isMissing(object) === value, reads: {} };
        throw badInput(`\`where\` has no \`${name}\` here.`);
      }),
    );
  }

  #objects(inputs: unknown, fields: RecordFields): Condition<unknown>[] {
    return (Array.isArray(inputs) ? inputs : []).map((input) => {
      this.#countCondition();
      return this.object(asInput(input), fields);
    });
  }

  #field(field: RecordField, input: WhereInput): Condition<unknown> {
    const { restName, shape } = field;
    const { holds, reads } = this.#shape(shape, input, field.name);
    return {
      holds: (object) => holds(isObject(object) ? object[restName] : undefined),
      reads: { [restName]: reads },
    };
  }

  #shape(shape: Shape, input: WhereInput, name: string): Condition<unknown> {
    if (shape.kind === 'list') return this.#list(shape, input, name);
    if (shape.kind !== 'object') return this.#plain(shape, input, name);
    const { holds, reads } = this.object(input, shape.fields);
    return { holds, reads: withMember(reads, shape.fields) };
  }

  /** A missing list is an empty one. */
  #list({ item }: ListShape, input: WhereInput, name: string): Condition<unknown> {
    const { onUnreadable } = this.#options;
    const itemsOf = (value: unknown): readonly unknown[] => {
      if (Array.isArray(value)) return value;
      if (!isMissing(value)) onUnreadable(name);
      return [];
    };
    const conditions = entriesOf(input).map(([quantifier, value]): Condition<unknown> => {
      if (quantifier === 'isEmpty')
        return { holds: (list) => (itemsOf(list).length === 0) === value, reads: LEAF };
      const { holds, reads } = this.#shape(item, asInput(value), name);
      if (quantifier === 'some') return { holds: (list) => itemsOf(list).some(holds), reads };
      if (quantifier === 'every') return { holds: (list) => itemsOf(list).every(holds), reads };
      return { holds: (list) => !itemsOf(list).some(holds), reads };
    });
    const { holds, reads } = all(conditions);
    return { holds, reads: item.kind === 'object' ? withMember(reads, item.fields) : LEAF };
  }

  #plain(shape: PlainShape, input: WhereInput, name: string): Condition<unknown> {
    const reader = this.#readers.get(shape) ?? new FieldReader(shape, name, this.#options);
    this.#readers.set(shape, reader);
    const tests = entriesOf(input).map(([operator, value]) => {
      this.#countCondition();
      return this.#test(shape, operator, value, reader, name);
    });
    const holds = (raw: unknown) => {
      const value = reader.read(raw);
      return tests.every((test) => test(value));
    };
    return { holds, reads: LEAF };
  }

  #test(
    shape: PlainShape,
    operator: string,
    given: unknown,
    reader: FieldReader,
    name: string,
  ): (value: Value | null) => boolean {
    if (operator === 'isNull') return (value) => (value === null) === given;
    if (operator === 'in') return this.#isIn(shape, given, name);
    const { rules } = this.#options;
    if (operator === 'contains' || operator === 'startsWith') {
      const part = rules.fold(limited(String(given), name));
      const isFound = operator === 'contains' ? textSearch(part) : (text: string) => text.startsWith(part);
      return (value) => typeof value === 'string' && isFound(reader.folded);
    }
    const operand = this.#operand(shape, given, name);
    const accepts = COMPARISONS[operator];
    if (accepts === undefined) throw badInput(`\`${name}\` has no \`${operator}\`.`);
    return (value) => value !== null && accepts(compareValues(shape, value, operand, rules));
  }

  /** Looks values up among those sorted by the same rules that they are compared by. */
  #isIn(shape: PlainShape, given: unknown, name: string): (value: Value | null) => boolean {
    const { rules, maxValues } = this.#options;
    const values = Array.isArray(given) ? given : [];
    if (values.length > maxValues) throw badInput(`\`in\` takes at most ${maxValues} values.`);
    const compare = (a: Value, b: Value) => compareValues(shape, a, b, rules);
    const sorted = values.map((value) => this.#operand(shape, value, name)).sort(compare);
    return (value) => value !== null && includesSorted(sorted, value, compare);
  }

  /** A value that the caller gave, as values of records are compared. */
  #operand({ kind, enumNames }: PlainShape, given: unknown, name: string): Value {
    if (typeof given === 'number' || typeof given === 'boolean') return given;
    const text = limited(String(given), name);
    if (kind === 'enum') return enumNames?.get(text) ?? text;
    if (kind === 'id') return this.#options.internalId(text, name);
    if (kind === 'dateTime') return comparableMoment(text) ?? text;
    if (kind !== 'amount') return text;
    const amount = parseDecimal(text);
    if (amount === undefined)
      throw badInput(`\`${name}\` is compared with a decimal number, such as "12.50".`);
    return amount;
  }

  #countCondition(): void {
    this.#count += 1;
    if (this.#count > MAX_CONDITIONS) throw badInput(`\`where\` takes at most ${MAX_CONDITIONS} conditions.`);
  }
}

const COMPARISONS: { readonly [operator: string]: (order: number) => boolean } = {
  eq: (order) => order === 0,
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
};

function all<Subject>(conditions: readonly Condition<Subject>[]): Condition<Subject> {
  return {
    holds: (subject) => conditions.every(({ holds }) => holds(subject)),
    reads: mergeAll(conditions.map(({ reads }) => reads)),
  };
}

function any<Subject>(conditions: readonly Condition<Subject>[]): Condition<Subject> {
  return { ...all(conditions), holds: (subject) => conditions.some(({ holds }) => holds(subject)) };
}

function negated<Subject>({ holds, reads }: Condition<Subject>): Condition<Subject> {
  return { holds: (subject) => !holds(subject), reads };
}

function includesSorted(sorted: readonly Value[], value: Value, compare: (a: Value, b: Value) => number) {
  let start = 0;
  let end = sorted.length;
  while (start < end) {
    const middle = (start + end) >> 1;
    const candidate = sorted[middle];
    const order = candidate === undefined ? 0 : compare(candidate, value);
    if (order === 0) return true;
    if (order < 0) start = middle + 1;
    else end = middle;
  }
  return false;
}

/** Of an object the service needs a member to ask for. */
function withMember(reads: Fields, fields: RecordFields): Fields {
  const [first] = fields.values();
  return Object.keys(reads).length > 0 || first === undefined ? reads : { [first.restName]: LEAF };
}

function entriesOf(input: WhereInput): [string, unknown][] {
  return Object.entries(input).filter(([, value]) => value !== null && value !== undefined);
}

function asInput(value: unknown): WhereInput {
  return isObject(value) ? value : {};
}

function isMissing(value: unknown): boolean {
  return value === null || value === undefined;
}

function limited(text: string, name: string): string {
  if (text.length > MAX_TEXT_LENGTH)
    throw badInput(`A text that \`${name}\` is compared with has at most ${MAX_TEXT_LENGTH} characters.`);
  return text;
}
