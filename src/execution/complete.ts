import {
  defaultTypeResolver,
  type GraphQLAbstractType,
  type GraphQLLeafType,
  type GraphQLOutputType,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { InvalidValue } from '../rest/errors.ts';
import { isObject } from '../rest/json.ts';
import type { Path } from './field-errors.ts';
import { checkOf } from './literal.ts';
import type { FieldPlan, ObjectPlan } from './plan.ts';
import { fail, infoOf, type ResultObject, type Run, type Source } from './run.ts';

/** Completes a resolved value, as in the GraphQL specification; throws if the value does not match its type. */
export type Complete = (run: Run, value: unknown, path: Path) => unknown;

/** Returns a promise only if a non-null field is asynchronous. */
export type ReadObject = (run: Run, source: Source, path: Path) => ResultObject | Promise<ResultObject>;
type ReaderOf = (plan: ObjectPlan) => ReadObject;

export function compileValue(plan: FieldPlan, type: GraphQLOutputType, readerOf: ReaderOf): Complete {
  if (isNonNullType(type)) {
    const complete = compileValue(plan, type.ofType, readerOf);
    return (run, value, path) => {
      const result = complete(run, value, path);
      // Only objects and lists are completed asynchronously, and those never become null.
      if (result === null) throw new InvalidValue('null where the schema promises a value');
      return result;
    };
  }
  const complete = compileNonNullValue(plan, type, readerOf);
  return (run, value, path) => {
    if (value === null || value === undefined) return null;
    if (value instanceof Error) throw value;
    return complete(run, value, path);
  };
}

function compileNonNullValue(plan: FieldPlan, type: GraphQLOutputType, readerOf: ReaderOf): Complete {
  if (isListType(type)) return compileList(plan, type.ofType, readerOf);
  if (isAbstractType(type)) return compileAbstract(plan, type, readerOf);
  if (isObjectType(type)) {
    const read = readerOf(plan.objectPlan(type));
    return (run, value, path) => read(run, asSource(value), path);
  }
  if (!isLeafType(type)) throw new Error(`A field cannot be of type ${type}`);
  return (run, value) => {
    const result = serialize(type, value);
    if (typeof result === 'string') run.size.add(0, result.length);
    return result;
  };
}

/** One for all: there may be a million. */
const NOT_OF_SCALAR = new InvalidValue('not a value of this scalar');

function serialize(type: GraphQLLeafType, value: unknown): unknown {
  const check = checkOf(type);
  if (check === 'int' ? typeof value === 'number' && value === (value | 0) : typeof value === check)
    return value;
  if (check) throw NOT_OF_SCALAR;
  let result: unknown;
  try {
    result = type.serialize(value);
  } catch (cause) {
    throw new InvalidValue('not a value of this scalar', cause);
  }
  if (result === null || result === undefined) throw NOT_OF_SCALAR;
  return result;
}

function compileList(plan: FieldPlan, itemType: GraphQLOutputType, readerOf: ReaderOf): Complete {
  const complete = compileValue(plan, itemType, readerOf);
  const isNullable = !isNonNullType(itemType);
  const completeItem = (run: Run, item: unknown, path: Path): unknown => {
    // Not thrown and caught, since there may be thousands.
    if (item instanceof Error) return fail(run, plan, isNullable, item, path);
    try {
      const result = isPromise(item) ? item : complete(run, item, path);
      return isPromise(result) ? completeLater(run, item, result, path) : result;
    } catch (error) {
      return fail(run, plan, isNullable, error, path);
    }
  };
  // Apart, since V8 would make what a closure needs for each item.
  const completeLater = (run: Run, item: unknown, result: Promise<unknown>, path: Path) =>
    (result === item ? result.then((settled) => complete(run, settled, path)) : result).catch((error) =>
      fail(run, plan, isNullable, error, path),
    );
  return (run, value, path) => {
    const list = asList(value);
    run.size.add(list.length, list.length);
    // With room for its items: a list that grows by `push` takes room for seventeen.
    const results = new Array<unknown>(list.length);
    let pending: Promise<void>[] | undefined;
    try {
      for (let index = 0; index < list.length && run.size.error === undefined; index += 1) {
        const result = completeItem(run, list[index], { prev: path, key: index, typename: undefined });
        if (!isPromise(result)) results[index] = result;
        else {
          pending ??= [];
          pending.push(setLater(results, index, result));
        }
      }
    } catch (error) {
      for (const item of list) if (isPromise(item)) item.catch(() => {});
      throw error;
    }
    return pending ? Promise.all(pending).then(() => results) : results;
  };
}

function compileAbstract(plan: FieldPlan, type: GraphQLAbstractType, readerOf: ReaderOf): Complete {
  const { schema } = plan.operation;
  const resolveType = type.resolveType ?? defaultTypeResolver;
  return (run, value, path) => {
    const read = (name: unknown) => {
      const runtimeType = typeof name === 'string' ? schema.getType(name) : undefined;
      if (!isObjectType(runtimeType) || !schema.isSubType(type, runtimeType))
        throw new Error(`${type.name} cannot tell the type of a record`);
      return readerOf(plan.objectPlan(runtimeType))(run, asSource(value), path);
    };
    const name = resolveType(value, run.context, infoOf(run, plan, path), type);
    return isThenable(name) ? Promise.resolve(name).then(read) : read(name);
  };
}

function asSource(value: unknown): Source {
  if (isObject(value)) return value;
  throw new InvalidValue('not an object');
}

function asList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (isIterable(value)) return [...value];
  throw new InvalidValue('not a list');
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

/** Its rejection is handled, whether or not anybody still awaits it: another would end the process. */
export function setLater<Key extends string | number>(
  container: { [key in Key]: unknown },
  key: Key,
  value: Promise<unknown>,
): Promise<void> {
  const set = value.then((settled) => {
    container[key] = settled;
  });
  set.catch(() => {});
  return set;
}

export function isPromise(value: unknown): value is Promise<unknown> {
  return value instanceof Promise;
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
