import {
  defaultTypeResolver,
  type GraphQLAbstractType,
  type GraphQLOutputType,
  getNullableType,
  isAbstractType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { getOrCreate } from '../memoize.ts';
import { asError, InvalidValue } from '../rest/errors.ts';
import { isObject } from '../rest/json.ts';
import {
  addPath,
  buildResolveInfo,
  type ExecutionContext,
  type ResultPath,
  type Source,
  setResult,
} from './execution-context.ts';
import { compileObjectFactory, serialize } from './object-factory.ts';
import type { BatchResolver, FieldPlan, ObjectPlan, ResultObject } from './plan.ts';

/** After this many objects, code is generated for their selection. */
const JIT_THRESHOLD = 20;

/** Writes the selected fields of a source to a path or, without one, as the data of the result. */
export function executeFields(
  exeContext: ExecutionContext,
  plan: ObjectPlan,
  source: Source,
  path: ResultPath | undefined,
): void {
  const { fields, fieldsToResolve } = plan;
  const created = plan.factory?.(source, exeContext);
  const object = created ?? {};
  // Set before the fields, since one of them may replace it by null.
  if (path) setResult(path, object);
  else exeContext.data = object;
  if (!created) {
    // If the factory gave up on this object, writing it took three times as long as usual.
    exeContext.size.add(plan.factory ? 3 * plan.valueCost : plan.valueCost, plan.jsonBytes);
    plan.executionCount += 1;
    if (plan.executionCount === JIT_THRESHOLD && fieldsToResolve.length < fields.length)
      plan.factory = compileObjectFactory(plan);
  }
  for (const field of created ? fieldsToResolve : fields) {
    if (exeContext.isNulled(path)) return;
    executeField(exeContext, field, source, object, path);
  }
}

/** Writes a field of an object, at once or later, and returns its path. */
export function executeField(
  exeContext: ExecutionContext,
  plan: FieldPlan,
  source: Source,
  container: ResultObject,
  prev: ResultPath | undefined,
): ResultPath {
  const { batchResolver, derivedResolver, field } = plan;
  const { resolve, name } = field;
  const path = addPath(plan, container, prev);
  if (batchResolver) return addToBatch(exeContext, batchResolver, source, path);
  let value: unknown;
  try {
    if (derivedResolver) value = derivedResolver.resolve(source);
    else if (!resolve) value = source[name];
    else {
      const args = exeContext.planned.getArguments(plan);
      value = resolve(source, args, exeContext.contextValue, buildResolveInfo(exeContext, path));
    }
  } catch (error) {
    value = asError(error);
  }
  completeValue(exeContext, value, path);
  return path;
}

/** Collects rows, so that one call resolves their field. */
function addToBatch(
  exeContext: ExecutionContext,
  batchResolver: BatchResolver,
  source: Source,
  path: ResultPath,
): ResultPath {
  const { plan } = path;
  setResult(path, null);
  const { sources, paths } = getOrCreate(exeContext.batches, plan, () => ({ sources: [], paths: [] }));
  sources.push(source);
  if (paths.push(path) > 1) return path;
  // Resolve in a microtask, to share the lookups of other fields in the same tick.
  const resolved = Promise.resolve().then(() => {
    exeContext.batches.delete(plan);
    return batchResolver.resolve(sources, exeContext.contextValue, buildResolveInfo(exeContext, path));
  });
  const objectPlan = getObjectPlan(plan, path.type);
  exeContext.completePromise(resolved, path, (_exeContext, values) => {
    for (const [index, each] of paths.entries()) {
      if (exeContext.size.error) return;
      const value = values instanceof Error ? values : values[index];
      const object = createPlainObject(exeContext, objectPlan, value);
      if (object) setResult(each, object);
      else completeValue(exeContext, value, each);
    }
  });
  return path;
}

/** Completes a value, as in CompleteValue of the GraphQL specification, and writes it. */
function completeValue(exeContext: ExecutionContext, value: unknown, path: ResultPath): void {
  if (value === null || value === undefined) {
    if (isNonNullType(path.type)) exeContext.handleFieldError(NO_VALUE, path);
    else setResult(path, null);
  } else if (value instanceof Error) exeContext.handleFieldError(value, path);
  else if (isThenable(value)) {
    setResult(path, null);
    exeContext.completePromise(value, path, completeValue);
  } else {
    try {
      completeNonNullValue(exeContext, value, path);
    } catch (error) {
      exeContext.handleFieldError(error, path);
    }
  }
}

const NO_VALUE = new InvalidValue('null where the schema promises a value');

function completeNonNullValue(exeContext: ExecutionContext, value: unknown, path: ResultPath): void {
  const type = getNullableType(path.type);
  if (isObjectType(type) || isAbstractType(type)) {
    const plan = isObjectType(type)
      ? path.plan.objectPlans[0]
      : getRuntimePlan(exeContext, type, value, path);
    if (plan === undefined || !isObject(value)) throw new InvalidValue('not an object');
    executeFields(exeContext, plan, value, path);
  } else if (isListType(type)) completeListValue(exeContext, type.ofType, asList(value), path);
  else {
    const result = serialize(type, value);
    if (typeof result === 'string') exeContext.size.add(0, result.length);
    setResult(path, result);
  }
}

function completeListValue(
  exeContext: ExecutionContext,
  type: GraphQLOutputType,
  list: readonly unknown[],
  prev: ResultPath,
): void {
  const { plan } = prev;
  exeContext.size.add(list.length, list.length);
  // Allocate the exact length: the first `push` would reserve memory for seventeen items.
  const container = new Array<unknown>(list.length);
  setResult(prev, container);
  const objectPlan = getObjectPlan(plan, type);
  for (let key = 0; key < list.length && exeContext.size.error === undefined; key += 1) {
    const item = list[key];
    const created = createPlainObject(exeContext, objectPlan, item);
    if (created) container[key] = created;
    else
      completeValue(exeContext, item, {
        prev,
        key,
        typename: undefined,
        plan,
        type,
        container,
        isNulled: false,
      });
  }
}

/** Returns the plan of an object type, or undefined for other types. */
function getObjectPlan({ objectPlans }: FieldPlan, type: GraphQLOutputType): ObjectPlan | undefined {
  return isObjectType(getNullableType(type)) ? objectPlans[0] : undefined;
}

/** Creates an object with plain fields alone, which needs no path. Returns undefined for others, or if a field fails. */
function createPlainObject(
  exeContext: ExecutionContext,
  plan: ObjectPlan | undefined,
  value: unknown,
): ResultObject | undefined {
  const isPlain = plan?.fieldsToResolve.length === 0 && !(value instanceof Error) && !isThenable(value);
  return isPlain && isObject(value) ? plan.factory?.(value, exeContext) : undefined;
}

function getRuntimePlan(
  exeContext: ExecutionContext,
  type: GraphQLAbstractType,
  value: unknown,
  path: ResultPath,
): ObjectPlan {
  const resolveType = type.resolveType ?? defaultTypeResolver;
  const name = resolveType(value, exeContext.contextValue, buildResolveInfo(exeContext, path), type);
  const plan = path.plan.objectPlans.find((each) => each.type.name === name);
  if (plan) return plan;
  throw new Error(`${type.name} cannot tell the type of a record`);
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return isObject(value) && typeof value.then === 'function';
}

function asList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (isObject(value) && Symbol.iterator in value) return Array.from(Object(value));
  throw new InvalidValue('not a list');
}
