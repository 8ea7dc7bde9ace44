import { badInput } from '../rest/errors.ts';
import { type Fields, LEAF, mergeAll } from '../rest/fields.ts';
import { isObject } from '../rest/json.ts';
import { FieldReader, MAX_RECORD_LENGTH, type TextRoom } from './field-reader.ts';
import {
  itemsOf,
  type ListShape,
  type PlainShape,
  type RecordField,
  type RecordFields,
  type Shape,
} from './record-fields.ts';
import { type Preparation, type TestOptions, valueTest } from './value-test.ts';

export type WhereInput = { readonly [name: string]: unknown };

/** A condition on records, and the REST fields that it reads. */
interface Condition<Subject> {
  readonly holds: (subject: Subject) => boolean;
  readonly reads: Fields;
}

/** Each takes its time for every row. */
const MAX_CONDITIONS = 200;

/**
 * Compiles the input of `where`. Members of one input object have to hold together; one that is null says nothing. Its
 * texts are folded when there are records, in time slices: whoever asks may have no right to see any.
 */
export function compileWhere(
  input: WhereInput,
  fields: RecordFields,
  options: Omit<TestOptions, 'later'>,
): RecordCondition {
  return new WhereCompiler(options).record(input, fields);
}

/** A condition on whole records. */
export interface RecordCondition extends Condition<object> {
  /** Each has to be called before the first record is tested, until nothing is left of it. */
  readonly preparations: readonly Preparation[];
}

class WhereCompiler {
  readonly #options: TestOptions;
  readonly #readers = new Map<PlainShape, FieldReader>();
  readonly #room: TextRoom = { left: MAX_RECORD_LENGTH };
  readonly #preparations: Preparation[] = [];
  #count = 0;

  constructor(options: Omit<TestOptions, 'later'>) {
    this.#options = { ...options, later: (preparation) => void this.#preparations.push(preparation) };
  }

  record(input: WhereInput, fields: RecordFields): RecordCondition {
    const { holds, reads } = this.#object(input, fields);
    const readers = [...this.#readers.values()];
    return {
      holds: (record) => {
        for (const reader of readers) reader.forget();
        this.#room.left = MAX_RECORD_LENGTH;
        return holds(record);
      },
      reads,
      preparations: this.#preparations,
    };
  }

  /** On a record, or on an object in one. A missing object has members that are null. */
  #object(input: WhereInput, fields: RecordFields): Condition<unknown> {
    return all(
      entriesOf(input).map(([name, value]): Condition<unknown> => {
        this.#countCondition();
        if (name === 'and') return all(this.#objects(value, fields));
        if (name === 'or') return any(this.#objects(value, fields));
        if (name === 'not') return negated(this.#object(asInput(value), fields));
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
      return this.#object(asInput(input), fields);
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
    const { holds, reads } = this.#object(input, shape.fields);
    return { holds, reads: withMember(reads, shape.fields) };
  }

  /** A missing list is an empty one. */
  #list(shape: ListShape, input: WhereInput, name: string): Condition<unknown> {
    const { item } = shape;
    const items = (list: unknown) => itemsOf(shape, list, name, this.#options);
    const conditions = entriesOf(input).map(([quantifier, value]): Condition<unknown> => {
      if (quantifier === 'isEmpty')
        return { holds: (list) => (items(list).length === 0) === value, reads: LEAF };
      const { holds, reads } = this.#shape(item, asInput(value), name);
      if (quantifier === 'some') return { holds: (list) => items(list).some(holds), reads };
      if (quantifier === 'every') return { holds: (list) => items(list).every(holds), reads };
      return { holds: (list) => !items(list).some(holds), reads };
    });
    const { holds, reads } = all(conditions);
    return { holds, reads: item.kind === 'object' ? withMember(reads, item.fields) : LEAF };
  }

  #plain(shape: PlainShape, input: WhereInput, name: string): Condition<unknown> {
    const reader = this.#readers.get(shape) ?? new FieldReader(shape, name, this.#options, this.#room);
    this.#readers.set(shape, reader);
    const tests = entriesOf(input).map(([operator, value]) => {
      this.#countCondition();
      return valueTest(shape, operator, value, name, this.#options);
    });
    const holds = (raw: unknown) => {
      const value = reader.read(raw);
      return tests.every((test) => test(value));
    };
    return { holds, reads: LEAF };
  }

  #countCondition(): void {
    this.#count += 1;
    if (this.#count > MAX_CONDITIONS) throw badInput(`\`where\` takes at most ${MAX_CONDITIONS} conditions.`);
  }
}

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
