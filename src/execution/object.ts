import {
  type GraphQLOutputType,
  getNullableType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { sourceReaderOf } from './contract.ts';
import type { Path } from './field-errors.ts';
import {
  type CompiledField,
  type Convert,
  compileObjectLiteral,
  type FastPath,
  matches,
  type ObjectLiteral,
  typeCheckFor,
} from './object-literal.ts';
import type { FieldPlan, ObjectPlan } from './plan.ts';
import {
  awaitMembers,
  ignoreRejections,
  isPromise,
  type ResultObject,
  type Run,
  type Source,
} from './run.ts';

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

/** Most fields of a response are values of REST records under another name, so they skip the general path. */
export function fastPathOf(plan: FieldPlan, readerOf: ReaderOf): FastPath | undefined {
  const source = sourceReaderOf(plan.field);
  if (source === undefined) return undefined;
  const type = getNullableType(plan.field.type);
  if (isLeafType(type)) {
    const typeCheck = typeCheckFor(type);
    return typeCheck && { source, typeCheck };
  }
  // Lists that are computed may hold thousands of rows, which are completed in time slices.
  const convert =
    isListType(type) && 'property' in source
      ? listConverter(plan, type.ofType, readerOf)
      : converterFor(plan, type, readerOf);
  return convert && { source, convert };
}

/** For an object or a leaf; undefined if it always needs the general path. */
export function converterFor(
  plan: FieldPlan,
  type: GraphQLOutputType,
  readerOf: ReaderOf,
): Convert | undefined {
  if (isObjectType(type)) return readerOf(plan.objectPlan(type)).convert;
  const typeCheck = isLeafType(type) ? typeCheckFor(type) : undefined;
  return (
    typeCheck &&
    ((run, value) => {
      if (!matches(typeCheck, value)) return undefined;
      if (typeof value === 'string') run.budget.addText(value.length);
      return value;
    })
  );
}

/** Longer lists take the general path, which may pause. */
const MAX_FAST_ITEMS = 100;

function listConverter(
  plan: FieldPlan,
  itemType: GraphQLOutputType,
  readerOf: ReaderOf,
): Convert | undefined {
  const convertItem = converterFor(plan, getNullableType(itemType), readerOf);
  if (convertItem === undefined) return undefined;
  const isNullable = !isNonNullType(itemType);
  return (run, list) => {
    if (!Array.isArray(list) || list.length > MAX_FAST_ITEMS) return undefined;
    const results = new Array<unknown>(list.length);
    for (let index = 0; index < list.length; index += 1) {
      const item: unknown = list[index];
      const isNull = isNullable && (item === null || item === undefined);
      const result = isNull ? null : convertItem(run, item);
      if (result === undefined) return undefined;
      results[index] = result;
    }
    run.budget.spendList(list.length);
    return results;
  };
}
