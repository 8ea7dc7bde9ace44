import {
  type GraphQLAbstractType,
  type GraphQLLeafType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { weakMemoize } from '../memoize.ts';
import { isObject } from '../rest/json.ts';
import { isExposed, requireNative } from './contract.ts';
import { FieldFailure, InvalidValue, type Path } from './field-errors.ts';
import { converterFor, type ReaderOf } from './object.ts';
import { matches, typeCheckFor } from './object-literal.ts';
import type { FieldPlan } from './plan.ts';
import { awaitMembers, ignoreRejections, isPromise, ResolveInfo, type Run, type Source } from './run.ts';

/** The length of `null` and a comma. */
const NULL_BYTES = 5;

/** Completes a resolved value, as in the GraphQL specification; throws if the value does not match its type. */
export type Complete = (run: Run, value: unknown, path: Path) => unknown;

export function compileValue(plan: FieldPlan, type: GraphQLOutputType, readerOf: ReaderOf): Complete {
  if (isNonNullType(type)) {
    const complete = compileValue(plan, type.ofType, readerOf);
    return (run, value, path) => {
      const result = complete(run, value, path);
      // Only objects and lists are completed asynchronously, and those never become null.
      return isPromise(result) ? result : requireNonNull(result);
    };
  }
  const complete = withNativeCheck(compileNonNullValue(plan, type, readerOf));
  return (run, value, path) => {
    if (value === null || value === undefined) return null;
    if (value instanceof Error) throw value;
    return complete(run, value, path);
  };
}

/** Outside production, the values that resolvers return are checked by `requireNative`. */
const CHECKS_RESOLVERS = process.env.NODE_ENV !== 'production';

function withNativeCheck(complete: Complete): Complete {
  if (!CHECKS_RESOLVERS) return complete;
  return (run, value, path) => {
    requireNative(value);
    return complete(run, value, path);
  };
}

function compileNonNullValue(plan: FieldPlan, type: GraphQLOutputType, readerOf: ReaderOf): Complete {
  if (isListType(type)) return compileList(plan, type.ofType, readerOf);
  if (isAbstractType(type)) return compileAbstract(plan, type, readerOf);
  if (isObjectType(type)) {
    const { read } = readerOf(plan.objectPlan(type));
    return (run, value, path) => read(run, asSource(value), path);
  }
  if (!isLeafType(type)) throw new Error(`A field cannot be of type ${type}`);
  const serialize = compileLeaf(type);
  const isNew = !isExposed(plan.field);
  return (run, value) => {
    const result = serialize(value);
    if (typeof result !== 'string') return result;
    if (isNew) run.budget.addNewText(result.length);
    else run.budget.addText(result.length);
    return result;
  };
}

/** One for all: each would take the time of a stack trace, and there may be a million. */
const NOT_OF_SCALAR = new InvalidValue('not a value of this scalar');

/** One serializer per scalar of the schema, not per selected field. */
const compileLeaf = weakMemoize((type: GraphQLLeafType): ((value: unknown) => unknown) => {
  const typeCheck = typeCheckFor(type);
  if (typeCheck !== undefined)
    return (value) => {
      if (matches(typeCheck, value)) return value;
      throw NOT_OF_SCALAR;
    };
  return (value) => {
    try {
      return type.serialize(value);
    } catch (cause) {
      throw new InvalidValue('not a value of this scalar', { cause });
    }
  };
});

function compileList(plan: FieldPlan, itemType: GraphQLOutputType, readerOf: ReaderOf): Complete {
  const complete = compileValue(plan, itemType, readerOf);
  const convert = converterFor(plan, getNullableType(itemType), readerOf);
  const isNullable = !isNonNullType(itemType);
  const handleItemError = (run: Run, error: unknown, path: Path) => {
    const failure = FieldFailure.of(plan, error, path);
    if (!isNullable) throw failure;
    run.budget.spend(NULL_BYTES);
    return run.recordFailure(failure, path);
  };
  const completeItem = (run: Run, item: unknown, path: Path) => {
    try {
      // Not thrown and caught, since there may be thousands.
      if (item instanceof Error) return handleItemError(run, item, path);
      return isPromise(item)
        ? item.then((settled) => complete(run, settled, path))
        : complete(run, item, path);
    } catch (error) {
      return handleItemError(run, error, path);
    }
  };
  const mayPause = !isLeafType(getNamedType(itemType));

  /** Completes the items from `start` on; after a full time slice, continues in another turn of the event loop. */
  const completeItems = (
    run: Run,
    list: readonly unknown[],
    path: Path,
    results: unknown[],
    pending: number[],
    start: number,
  ): unknown => {
    try {
      for (let index = start; index < list.length; index += 1) {
        if (mayPause && run.budget.isSliceOver()) {
          ignoreUnawaited(list, results, start);
          return run.budget.pause(() => completeItems(run, list, path, results, pending, index));
        }
        const item = list[index];
        const result =
          convert?.(run, item) ?? completeItem(run, item, { prev: path, key: index, typename: undefined });
        results[index] = result;
        if (isPromise(result)) pending.push(index);
      }
    } catch (error) {
      ignoreUnawaited(list, results, start);
      throw error;
    }
    if (pending.length === 0) return results;
    return awaitMembers(results, pending, (error, key) =>
      handleItemError(run, error, { prev: path, key, typename: undefined }),
    );
  };

  return (run, list, path) => {
    if (!Array.isArray(list)) throw new InvalidValue('not a list');
    run.budget.spendList(list.length);
    // With room for its items: a list that grows by `push` takes room for seventeen.
    return completeItems(run, list, path, new Array(list.length), [], 0);
  };
}

/** Nothing awaits these until the next slice, if ever, and an unhandled rejection would end the process. */
function ignoreUnawaited(list: readonly unknown[], results: readonly unknown[], start: number): void {
  ignoreRejections(results.slice(start));
  // Items that are not completed yet may reject, too; once is enough, since a long list is paused many times.
  if (start === 0) ignoreRejections(list);
}

function compileAbstract(plan: FieldPlan, type: GraphQLAbstractType, readerOf: ReaderOf): Complete {
  const { schema } = plan.operation;
  return (run, value, path) => {
    const name = type.resolveType?.(value, run.context, new ResolveInfo(run, plan, path), type);
    const runtimeType = typeof name === 'string' ? schema.getType(name) : undefined;
    if (!isObjectType(runtimeType) || !schema.isSubType(type, runtimeType))
      throw new Error(`${type.name} cannot tell the type of a record`);
    return readerOf(plan.objectPlan(runtimeType)).read(run, asSource(value), path);
  };
}

function asSource(value: unknown): Source {
  if (isObject(value)) return value;
  throw new InvalidValue('not an object');
}

function requireNonNull(result: unknown): unknown {
  if (result === null) throw new InvalidValue('null where the schema promises a value');
  return result;
}
