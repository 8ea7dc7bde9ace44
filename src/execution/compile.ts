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
import { isObject } from '../rest/json.ts';
import { weakMemoize } from '../weak-memoize.ts';
import { addToBatch, type BatchedRow } from './batch.ts';
import { ownBatchResolver, requireNative, sourceReaderOf } from './contract.ts';
import type { ExecutionHints } from './hints.ts';
import { createObjectReader, type ObjectReader } from './object.ts';
import {
  type CompiledField,
  type Convert,
  type FastPath,
  matches,
  type Source,
  typeCheckFor,
} from './object-literal.ts';
import type { FieldPlan, ObjectPlan } from './plan.ts';
import {
  awaitMembers,
  handleFieldError,
  InvalidValue,
  ignoreRejections,
  isPromise,
  locateError,
  type Path,
  ResolveInfo,
  type Run,
} from './run.ts';

/** The length of `null` and a comma. */
const NULL_BYTES = 5;

/** Completes a resolved value, as in the GraphQL specification; throws if the value does not match its type. */
type Complete = (run: Run, value: unknown, path: Path) => unknown;

export const compileObject = weakMemoize(
  (plan: ObjectPlan): ObjectReader => createObjectReader(compileFields(plan)),
);

export function compileFields(plan: ObjectPlan): readonly CompiledField[] {
  return plan.fields.map(compileField);
}

function compileField(plan: FieldPlan): CompiledField {
  const { key, field, parentType } = plan;
  const isNullable = !isNonNullType(field.type);
  if (field.name === '__typename') {
    const constant = parentType.name;
    return { key, isNullable, read: () => constant, fastPath: { constant } };
  }
  const read = fieldReader(plan);
  const resolveBatch = ownBatchResolver(field);
  if (resolveBatch) return { key, isNullable, read, enqueue: batchReader(plan, resolveBatch) };
  const fastPath = fastPathOf(plan);
  return { key, isNullable, read, ...(fastPath && { fastPath }) };
}

function batchReader(
  plan: FieldPlan,
  resolveBatch: NonNullable<ExecutionHints['resolveBatch']>,
): NonNullable<CompiledField['enqueue']> {
  const { key, field, isLocal } = plan;
  const complete = compileValue(plan, field.type);
  const convert = converter(plan, getNullableType(field.type));

  const setField = (run: Run, { object, path }: BatchedRow, value: unknown) => {
    const converted = convert?.(run, value);
    object[key] = converted ?? completeField(plan, complete, run, value, path);
    const { [key]: result } = object;
    if (isPromise(result)) run.defer(object, key, result);
  };
  const resolveRows = async (run: Run, rows: readonly BatchedRow[]) => {
    const sources = rows.map(({ source }) => source);
    const info = new ResolveInfo(run, plan, { prev: rows[0]?.path, key, typename: undefined });
    const failed = (error: unknown) => sources.map(() => asError(error));
    const values = await resolveBatch(sources, run.context, info).catch(failed);
    for (const [index, row] of rows.entries()) {
      // Nested lookups must start in the same tick, so that they share a batch.
      if (isLocal && run.budget.isSliceOver()) await run.budget.nextSlice();
      setField(run, row, values[index]);
    }
  };
  // A rejection means that the operation was stopped, and its budget knows why.
  const resolve = (run: Run, rows: readonly BatchedRow[]) => resolveRows(run, rows).catch(() => {});
  return (run, row) => addToBatch(run, plan, row, resolve);
}

/** Most fields of a response are values of REST records under another name, so they skip the general path. */
function fastPathOf(plan: FieldPlan): FastPath | undefined {
  const source = sourceReaderOf(plan.field);
  if (source === undefined) return undefined;
  const type = getNullableType(plan.field.type);
  if (isLeafType(type)) {
    const typeCheck = typeCheckFor(type);
    return typeCheck && { source, typeCheck };
  }
  // Lists that are computed may hold thousands of rows, which are completed in time slices.
  const convert =
    isListType(type) && 'property' in source ? listConverter(plan, type.ofType) : converter(plan, type);
  return convert && { source, convert };
}

function converter(plan: FieldPlan, type: GraphQLOutputType): Convert | undefined {
  if (isObjectType(type)) return compileObject(plan.objectPlan(type)).convert;
  const typeCheck = isLeafType(type) ? typeCheckFor(type) : undefined;
  return typeCheck && ((_run, value) => (matches(typeCheck, value) ? value : undefined));
}

/** Longer lists take the general path, which may pause. */
const MAX_FAST_ITEMS = 100;

/** For a list inside a record. */
function listConverter(plan: FieldPlan, itemType: GraphQLOutputType): Convert | undefined {
  const convertItem = converter(plan, getNullableType(itemType));
  if (convertItem === undefined) return undefined;
  const isNullable = !isNonNullType(itemType);
  return (run, list) => {
    if (!Array.isArray(list) || list.length > MAX_FAST_ITEMS) return undefined;
    const results: unknown[] = [];
    for (const item of list) {
      const isNull = isNullable && (item === null || item === undefined);
      const result = isNull ? null : convertItem(run, item);
      if (result === undefined) return undefined;
      results.push(result);
    }
    run.budget.spend(2 * list.length);
    return results;
  };
}

/** Completes the value of a field; `path` is that of its object. */
function completeField(plan: FieldPlan, complete: Complete, run: Run, value: unknown, path: Path): unknown {
  try {
    const result = complete(run, value, { prev: path, key: plan.key, typename: undefined });
    return isPromise(result) ? result.catch((error) => handleFieldError(run, plan, error, path)) : result;
  } catch (error) {
    return handleFieldError(run, plan, error, path);
  }
}

function fieldReader(plan: FieldPlan): CompiledField['read'] {
  const complete = compileValue(plan, plan.field.type);
  const resolve = compileResolver(plan);
  return (run, source, path) => {
    let value: unknown;
    try {
      value = resolve(run, source, path);
    } catch (error) {
      return handleFieldError(run, plan, error, path);
    }
    if (!isPromise(value)) return completeField(plan, complete, run, value, path);
    return value.then(
      (settled) => completeField(plan, complete, run, settled, path),
      (error) => handleFieldError(run, plan, error, path),
    );
  };
}

function compileResolver(plan: FieldPlan): CompiledField['read'] {
  const { resolve } = plan.field;
  const reader = sourceReaderOf(plan.field);
  if (reader && 'property' in reader) return (_run, source) => source[reader.property];
  if (resolve === undefined) return (_run, source) => source[plan.field.name];
  return (run, source, path) =>
    resolve(
      source,
      plan.argumentsWith(run.planned.variables),
      run.context,
      new ResolveInfo(run, plan, { prev: path, key: plan.key, typename: undefined }),
    );
}

function compileValue(plan: FieldPlan, type: GraphQLOutputType): Complete {
  if (isNonNullType(type)) {
    const complete = compileValue(plan, type.ofType);
    return (run, value, path) => {
      const result = complete(run, value, path);
      // Only objects and lists are completed asynchronously, and those never become null.
      return isPromise(result) ? result : requireNonNull(result);
    };
  }
  const complete = withNativeCheck(compileNonNullValue(plan, type));
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

function compileNonNullValue(plan: FieldPlan, type: GraphQLOutputType): Complete {
  if (isListType(type)) return compileList(plan, type.ofType);
  if (isAbstractType(type)) return compileAbstract(plan, type);
  if (isObjectType(type)) {
    const { read } = compileObject(plan.objectPlan(type));
    return (run, value, path) => read(run, asSource(value), path);
  }
  if (!isLeafType(type)) throw new Error(`A field cannot be of type ${type}`);
  const serialize = compileLeaf(type);
  return (_run, value) => serialize(value);
}

type Serialize = (value: unknown) => unknown;

/** One serializer per scalar of the schema, not per selected field. */
const compileLeaf = weakMemoize(serializerOf);

function serializerOf(type: GraphQLLeafType): Serialize {
  const typeCheck = typeCheckFor(type);
  if (typeCheck !== undefined)
    return (value) => {
      if (matches(typeCheck, value)) return value;
      throw new InvalidValue('not a value of this scalar');
    };
  return (value) => {
    try {
      return type.serialize(value);
    } catch (cause) {
      throw new InvalidValue('not a value of this scalar', { cause });
    }
  };
}

function compileList(plan: FieldPlan, itemType: GraphQLOutputType): Complete {
  const complete = compileValue(plan, itemType);
  const convert = converter(plan, getNullableType(itemType));
  const isNullable = !isNonNullType(itemType);
  const handleItemError = (run: Run, error: unknown, path: Path) => {
    if (!isNullable) throw run.ignoresErrors ? error : locateError(plan, error, path);
    run.budget.spend(NULL_BYTES);
    return run.recordError(() => locateError(plan, error, path));
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
  // Items that look up records must be completed in the same tick, so that their lookups share a batch.
  const mayPause = plan.isLocal && !isLeafType(getNamedType(itemType));

  /** Completes the remaining items; after a full time slice, continues in another turn of the event loop. */
  const completeItems = (
    run: Run,
    list: readonly unknown[],
    path: Path,
    results: unknown[],
    pending: number[],
  ): unknown => {
    try {
      for (let index = results.length; index < list.length; index += 1) {
        if (mayPause && run.budget.isSliceOver()) {
          // Nothing awaits these until the next slice, and an unhandled rejection would end the process.
          ignoreRejections(results);
          ignoreRejections(list);
          return run.budget.nextSlice().then(() => completeItems(run, list, path, results, pending));
        }
        const item = list[index];
        const result =
          convert?.(run, item) ?? completeItem(run, item, { prev: path, key: index, typename: undefined });
        results.push(result);
        if (isPromise(result)) pending.push(index);
      }
    } catch (error) {
      ignoreRejections(results);
      // Items that were not completed yet may still reject.
      ignoreRejections(list);
      throw error;
    }
    if (pending.length === 0) return results;
    return awaitMembers(results, pending, (error, key) =>
      handleItemError(run, error, { prev: path, key, typename: undefined }),
    );
  };

  return (run, list, path) => {
    if (!Array.isArray(list)) throw new InvalidValue('not a list');
    run.budget.spend(2 * list.length);
    return completeItems(run, list, path, [], []);
  };
}

function compileAbstract(plan: FieldPlan, type: GraphQLAbstractType): Complete {
  const { schema } = plan.operation;
  return (run, value, path) => {
    const name = type.resolveType?.(value, run.context, new ResolveInfo(run, plan, path), type);
    const runtimeType = typeof name === 'string' ? schema.getType(name) : undefined;
    if (!isObjectType(runtimeType) || !schema.isSubType(type, runtimeType))
      throw new Error(`${type.name} cannot tell the type of a record`);
    return compileObject(plan.objectPlan(runtimeType)).read(run, asSource(value), path);
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

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
