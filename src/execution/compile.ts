import { isPromise as isThenable } from '@graphql-tools/utils';
import {
  defaultTypeResolver,
  type GraphQLAbstractType,
  type GraphQLOutputType,
  getNullableType,
  isAbstractType,
  isListType,
  isNonNullType,
  isObjectType,
  type ResponsePath,
} from 'graphql';
import { weakMemoize } from '../memoize.ts';
import { asError, InvalidValue } from '../rest/errors.ts';
import { isObject } from '../rest/json.ts';
import { type Batch, batchOf } from './contract.ts';
import { compileLiteral, isInLiteral, type ObjectLiteral, serializerOf, sizeOf } from './literal.ts';
import type { FieldPlan, ObjectPlan } from './plan.ts';
import {
  type BatchedRow,
  infoOf,
  isPromise,
  type Path,
  type ResultObject,
  type Run,
  type Source,
  setLater,
} from './run.ts';

/** Completes a value, as in the GraphQL specification. */
type Complete = (run: Run, value: unknown, path: ResponsePath) => unknown;

/** Returns a promise only if a non-null field is asynchronous. */
type ReadObject = (run: Run, source: Source, path: Path) => ResultObject | Promise<ResultObject>;

/** Sets the field of an object, at once or later; returns a promise that the object has to wait for. */
type SetField = (run: Run, source: Source, object: ResultObject, parent: Path) => Promise<void> | undefined;

/** Code is generated for a selection once it was applied to this many objects. */
const JIT_THRESHOLD = 20;

/** The reader of a selection: the same one each time, since it counts the objects that it reads. */
export const compileObject = weakMemoize((plan: ObjectPlan): ReadObject => {
  const fields = plan.fields.map(compileField);
  const otherFields = plan.fields.filter((field) => !isInLiteral(field)).map(compileField);
  const { values, bytes } = sizeOf(plan.fields);
  let literal: ObjectLiteral | undefined;
  let count = 0;
  return (run, source, path) => {
    const object = literal && createBy(literal, run, source);
    if (object) return otherFields.length > 0 ? setFields(object, otherFields, run, source, path) : object;
    run.size.add(values, bytes);
    count += 1;
    if (count === JIT_THRESHOLD && otherFields.length < fields.length) literal = compileLiteral(plan);
    return setFields({}, fields, run, source, path);
  };
});

/** A computation may throw: the general path will report where. */
function createBy(literal: ObjectLiteral, run: Run, source: Source): ResultObject | undefined {
  try {
    return literal(source, run);
  } catch {
    return undefined;
  }
}

function setFields(
  object: ResultObject,
  fields: readonly SetField[],
  run: Run,
  source: Source,
  path: Path,
): ResultObject | Promise<ResultObject> {
  let pending: Promise<void>[] | undefined;
  for (const set of fields) {
    const later = set(run, source, object, path);
    if (later) pending = [...(pending ?? []), later];
  }
  return pending ? Promise.all(pending).then(() => object) : object;
}

export function compileField(plan: FieldPlan): SetField {
  const { key, field } = plan;
  const settle = settler(plan, field.type);
  const batch = batchOf(field.resolve);
  if (batch) return compileBatch(plan, batch, settle);
  const isNullable = !isNonNullType(field.type);
  const resolve = resolverOf(plan);
  return (run, source, object, parent) => {
    const path = { prev: parent, key, typename: undefined };
    let value: unknown;
    try {
      value = resolve(run, source, path);
    } catch (error) {
      value = asError(error);
    }
    const result = settle(run, value, path);
    if (isPromise(result)) {
      const later = setLater(object, key, result);
      if (!isNullable) return later;
      run.defer(later);
    } else object[key] = result;
    return undefined;
  };
}

function resolverOf(plan: FieldPlan): (run: Run, source: Source, path: ResponsePath) => unknown {
  const { resolve, name } = plan.field;
  if (resolve === undefined) return (_run, source) => source[name];
  return (run, source, path) => {
    const info = infoOf(run, plan, path);
    const value: unknown = resolve(source, run.planned.argumentsOf(plan), run.context, info);
    // A plugin may have wrapped the resolver by a promise of its own kind.
    return isThenable(value) ? Promise.resolve(value) : value;
  };
}

/**
 * Adds a row to the batch of a field in one operation. All rows at hand are resolved by one call, in a microtask, so that
 * it shares the lookups of other fields in the same tick.
 */
function compileBatch(plan: FieldPlan, batch: Batch, settle: Complete): SetField {
  const { key } = plan;
  async function resolve(run: Run, rows: readonly BatchedRow[], path: ResponsePath): Promise<void> {
    await undefined;
    run.batches.delete(plan);
    const sources = rows.map(({ source }) => source);
    const values = await batch
      .resolve(sources, run.context, infoOf(run, plan, path))
      .catch((error) => sources.map(() => asError(error)));
    for (const [index, row] of rows.entries()) {
      if (run.size.error) return;
      const result = settle(run, values[index], row.path);
      if (isPromise(result)) run.defer(setLater(row.object, key, result));
      else row.object[key] = result;
    }
  }
  return (run, source, object, parent) => {
    object[key] = null;
    const path = { prev: parent, key, typename: undefined };
    const rows = run.batches.get(plan) ?? [];
    if (rows.push({ source, object, path }) > 1) return undefined;
    run.batches.set(plan, rows);
    run.defer(resolve(run, rows, path));
    return undefined;
  };
}

/** Completes what was resolved for a field, or is an item of its list: what fails in it ends here, or goes further up. */
function settler(plan: FieldPlan, type: GraphQLOutputType): Complete {
  const isNullable = !isNonNullType(type);
  const complete = compileValue(plan, getNullableType(type));
  const settle: Complete = (run, value, path) => {
    if (value === null || value === undefined)
      return isNullable ? null : run.fail(plan, false, NO_VALUE, path);
    if (isPromise(value)) return settleLater(run, value, path);
    // Not thrown and caught, since there may be thousands.
    if (value instanceof Error) return run.fail(plan, isNullable, value, path);
    try {
      const result = complete(run, value, path);
      return isPromise(result) ? orFailure(run, result, path) : result;
    } catch (error) {
      return run.fail(plan, isNullable, error, path);
    }
  };
  // Apart, since V8 would make what a closure needs for each row.
  const settleLater = async (run: Run, value: Promise<unknown>, path: ResponsePath) => {
    const settled = await value.catch(asError);
    return settle(run, settled, path);
  };
  const orFailure = (run: Run, result: Promise<unknown>, path: ResponsePath) =>
    result.catch((error) => run.fail(plan, isNullable, error, path));
  return settle;
}

const NO_VALUE = new InvalidValue('null where the schema promises a value');

function compileValue(plan: FieldPlan, type: GraphQLOutputType): Complete {
  if (isListType(type)) return compileList(plan, type.ofType);
  if (isAbstractType(type)) return compileAbstract(plan, type);
  if (isObjectType(type)) {
    const read = compileObject(plan.objectPlan(type));
    return (run, value, path) => read(run, asSource(value), path);
  }
  const serialize = serializerOf(type);
  return (run, value) => {
    const result = serialize(value);
    if (typeof result === 'string') run.size.add(0, result.length);
    return result;
  };
}

function compileList(plan: FieldPlan, itemType: GraphQLOutputType): Complete {
  const settle = settler(plan, itemType);
  return (run, value, path) => {
    const list = asList(value);
    run.size.add(list.length, list.length);
    // With room for its items: a list that grows by `push` takes room for seventeen.
    const results = new Array<unknown>(list.length);
    const pending: Promise<void>[] = [];
    try {
      for (let index = 0; index < list.length && run.size.error === undefined; index += 1) {
        const result = settle(run, list[index], { prev: path, key: index, typename: undefined });
        if (isPromise(result)) pending.push(setLater(results, index, result));
        else results[index] = result;
      }
    } catch (error) {
      // Nobody awaits those behind it.
      for (const item of list) if (isPromise(item)) item.catch(() => {});
      throw error;
    }
    return pending.length > 0 ? Promise.all(pending).then(() => results) : results;
  };
}

function compileAbstract(plan: FieldPlan, type: GraphQLAbstractType): Complete {
  const { schema } = plan.operation;
  const resolveType = type.resolveType ?? defaultTypeResolver;
  return (run, value, path) => {
    const name = resolveType(value, run.context, infoOf(run, plan, path), type);
    const runtimeType = typeof name === 'string' ? schema.getType(name) : undefined;
    if (!isObjectType(runtimeType) || !schema.isSubType(type, runtimeType))
      throw new Error(`${type.name} cannot tell the type of a record`);
    return compileObject(plan.objectPlan(runtimeType))(run, asSource(value), path);
  };
}

function asSource(value: unknown): Source {
  if (isObject(value)) return value;
  throw new InvalidValue('not an object');
}

function asList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (isObject(value) && Symbol.iterator in value) return Array.from(Object(value));
  throw new InvalidValue('not a list');
}
