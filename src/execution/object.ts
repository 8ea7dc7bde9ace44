import type { Path } from './field-errors.ts';
import {
  type CompiledField,
  type Convert,
  compileObjectLiteral,
  type ObjectLiteral,
} from './object-literal.ts';
import type { ObjectPlan } from './plan.ts';
import {
  awaitMembers,
  ignoreRejections,
  isPromise,
  type ResultObject,
  type Run,
  type Source,
} from './run.ts';

/** Resolves a selection on objects. */
export interface ObjectReader {
  /** Returns a promise only if a non-null field is asynchronous. */
  readonly read: (run: Run, source: Source, path: Path) => ResultObject | Promise<ResultObject>;
  /** If every field has a fast path: reads an object that has no errors; returns undefined for any other value. */
  readonly convert?: Convert;
}

/** The reader of a selection: the same one each time, since it counts the objects that it reads. */
export type ReaderOf = (plan: ObjectPlan) => ObjectReader;

/** Code is generated for a selection once it was applied to this many objects. */
const JIT_THRESHOLD = 20;

export function createObjectReader(fields: readonly CompiledField[]): ObjectReader {
  const bytes = minBytes(fields);
  const otherFields = fields.filter(({ fastPath }) => fastPath === undefined);
  let literal: ObjectLiteral | undefined;
  let count = 0;

  const create = (run: Run, source: Source): ResultObject | undefined => {
    if (literal) return createSafely(literal, run, source);
    count += 1;
    if (count === JIT_THRESHOLD) literal = compileObjectLiteral(fields);
    return undefined;
  };
  const read: ObjectReader['read'] = (run, source, path) => {
    run.budget.spend(bytes);
    const object = create(run, source);
    return object
      ? setFields(object, otherFields, run, source, path)
      : setFields({}, fields, run, source, path);
  };
  if (otherFields.length > 0) return { read };
  return {
    read,
    convert(run, value) {
      if (!isPlainObject(value)) return undefined;
      const object = create(run, value);
      if (object) run.budget.spend(bytes);
      return object;
    },
  };
}

/** A computation may throw: the general path will report where. */
function createSafely(literal: ObjectLiteral, run: Run, source: Source): ResultObject | undefined {
  try {
    return literal(run, source);
  } catch {
    return undefined;
  }
}

/** Neither a promise, nor an Error in place of an invalid record, nor a list. */
function isPlainObject(value: unknown): value is Source {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** The least that an object takes as JSON: `{"key":1,"key":1}`. */
function minBytes(fields: readonly CompiledField[]): number {
  return fields.reduce((sum, { key }) => sum + key.length + 5, 2);
}

function setFields(
  object: ResultObject,
  fields: readonly CompiledField[],
  run: Run,
  source: Source,
  path: Path,
): ResultObject | Promise<ResultObject> {
  let pending: string[] | undefined;
  try {
    for (const { key, read, isNullable, enqueue } of fields) {
      if (enqueue) {
        object[key] = null;
        enqueue(run, { source, object, path });
        continue;
      }
      const value = read(run, source, path);
      object[key] = value;
      if (!isPromise(value)) continue;
      if (isNullable) {
        run.defer(object, key, value);
      } else {
        pending ??= [];
        pending.push(key);
      }
    }
  } catch (error) {
    ignoreRejections(Object.values(object));
    throw error;
  }
  return pending ? awaitMembers(object, pending) : object;
}
