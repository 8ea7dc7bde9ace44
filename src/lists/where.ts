import { badInput } from '../rest/errors.ts';
import { type Fields, LEAF, mergeAll } from '../rest/fields.ts';
import { isAbsent, isObject } from '../rest/json.ts';
import {
  itemsOf,
  type ListShape,
  MAX_TEXT_BYTES,
  type PlainShape,
  type RecordField,
  type RecordFields,
  readValue,
  type Shape,
  type Value,
} from './record-fields.ts';
import { LetterCount } from './text-rules.ts';
import { type Preparation, type TestOptions, valueTest } from './value-test.ts';

export type WhereInput = { readonly [name: string]: unknown };

/** A condition on a value, and the REST fields that it reads. */
interface Condition {
  readonly holds: (value: unknown) => boolean;
  readonly reads: Fields;
}

/** Each takes its time for every row. */
const MAX_CONDITIONS = 200;

/** A condition on whole records. */
export interface RecordCondition extends Condition {
  /** Each has to be called before the first record is tested, until nothing is left of it. */
  readonly preparations: readonly Preparation[];
  readonly count: number;
}

/** How many characters of one record are compared, in all its fields together: they are folded in one go. */
const MAX_RECORD_LENGTH = 100_000;

/**
 * Compiles the input of `where`. Members of one input object have to hold together; one that is null says nothing. Its
 * texts are folded when there are records, in time slices: whoever asks may have no right to see any.
 */
export function compileWhere(
  where: WhereInput,
  fieldsOfRecord: RecordFields,
  given: Omit<TestOptions, 'later'>,
): RecordCondition {
  const preparations: Preparation[] = [];
  const options = { ...given, later: (preparation: Preparation) => void preparations.push(preparation) };
  /** What has been read of the record, by the field. */
  const known = new Map<PlainShape, Map<unknown, Value | null>>();
  let roomLeft = MAX_RECORD_LENGTH;
  let letters = new LetterCount();
  let count = 0;

  function countCondition(): void {
    count += 1;
    if (count > MAX_CONDITIONS) throw badInput(`\`where\` takes at most ${MAX_CONDITIONS} conditions.`);
  }

  /** On a record, or on an object in one. A missing object has members that are null. */
  function onObject(input: WhereInput, fields: RecordFields): Condition {
    return all(
      entriesOf(input).map(([name, value]): Condition => {
        countCondition();
        if (name === 'and') return all(onObjects(value, fields));
        if (name === 'or') return any(onObjects(value, fields));
        if (name === 'not') return negated(onObject(asInput(value), fields));
        const field = fields.get(name);
        if (field) return onField(field, asInput(value));
        if (name === 'isNull') return { holds: (object) => isAbsent(object) === value, reads: {} };
        throw badInput(`\`where\` has no \`${name}\` here.`);
      }),
    );
  }

  function onObjects(inputs: unknown, fields: RecordFields): Condition[] {
    return (Array.isArray(inputs) ? inputs : []).map((input) => {
      countCondition();
      return onObject(asInput(input), fields);
    });
  }

  function onField({ name, restName, shape }: RecordField, input: WhereInput): Condition {
    const { holds, reads } = onShape(shape, input, name);
    return {
      holds: (object) => holds(isObject(object) ? object[restName] : undefined),
      reads: { [restName]: reads },
    };
  }

  function onShape(shape: Shape, input: WhereInput, name: string): Condition {
    if (shape.kind === 'list') return onList(shape, input, name);
    if (shape.kind !== 'object') return onPlain(shape, input, name);
    const { holds, reads } = onObject(input, shape.fields);
    return { holds, reads: withMember(reads, shape.fields) };
  }

  /** A missing list is an empty one. */
  function onList(shape: ListShape, input: WhereInput, name: string): Condition {
    const { item } = shape;
    const items = (list: unknown) => itemsOf(shape, list, name, options);
    const conditions = entriesOf(input).map(([quantifier, value]): Condition => {
      if (quantifier === 'isEmpty')
        return { holds: (list) => (items(list).length === 0) === value, reads: LEAF };
      const { holds, reads } = onShape(item, asInput(value), name);
      if (quantifier === 'some') return { holds: (list) => items(list).some(holds), reads };
      if (quantifier === 'every') return { holds: (list) => items(list).every(holds), reads };
      return { holds: (list) => !items(list).some(holds), reads };
    });
    const { holds, reads } = all(conditions);
    return { holds, reads: item.kind === 'object' ? withMember(reads, item.fields) : LEAF };
  }

  function onPlain(shape: PlainShape, input: WhereInput, name: string): Condition {
    // All conditions on a field share it, so that a value is read and folded once, also where it stands in a list.
    const values = known.get(shape) ?? new Map<unknown, Value | null>();
    known.set(shape, values);
    const tests = entriesOf(input).map(([operator, value]) => {
      countCondition();
      return valueTest(shape, operator, value, name, options);
    });
    const holds = (raw: unknown) => {
      let value = values.get(raw);
      if (value === undefined) {
        value = shape.kind === 'text' ? readText(shape, raw, name) : readValue(shape, raw, name, options);
        values.set(raw, value);
      }
      const compared = value;
      return tests.every((test) => test(compared));
    };
    return { holds, reads: LEAF };
  }

  /** Folded. What the record has no room for is not even decoded. */
  function readText(shape: PlainShape, raw: unknown, name: string): string | null {
    roomLeft -= typeof raw === 'string' ? raw.length : 0;
    if (roomLeft >= 0) {
      const text = readValue(shape, raw, name, options, letters);
      if (text === null) return null;
      const folded = options.rules.fold(String(text));
      // Some letters become twenty.
      if (folded.length <= MAX_TEXT_BYTES) return folded;
    }
    options.onUnreadable(name);
    return null;
  }

  const { holds, reads } = onObject(where, fieldsOfRecord);
  return {
    holds: (record) => {
      for (const values of known.values()) values.clear();
      roomLeft = MAX_RECORD_LENGTH;
      letters = new LetterCount();
      return holds(record);
    },
    reads,
    preparations,
    count,
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
function withMember(reads: Fields, fields: RecordFields): Fields {
  const [first] = fields.values();
  return Object.keys(reads).length > 0 || first === undefined ? reads : { [first.restName]: LEAF };
}

function entriesOf(input: WhereInput): [string, unknown][] {
  return Object.entries(input).filter(([, value]) => !isAbsent(value));
}

function asInput(value: unknown): WhereInput {
  return isObject(value) ? value : {};
}
