import { getNullableType, isNonNullType } from 'graphql';
import { weakMemoize } from '../weak-memoize.ts';
import { addToBatch, resolveRows } from './batch.ts';
import { type Complete, compileValue } from './complete.ts';
import { ownBatchResolver, sourceReaderOf } from './contract.ts';
import { converterFor, fastPathOf } from './fast-path.ts';
import type { Path } from './field-errors.ts';
import type { ExecutionHints } from './hints.ts';
import { createObjectReader, type ObjectReader } from './object.ts';
import type { CompiledField } from './object-literal.ts';
import type { FieldPlan, ObjectPlan } from './plan.ts';
import { handleFieldError, isPromise, ResolveInfo, type Run } from './run.ts';

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
    return { key, plan, isNullable, read: () => constant, fastPath: { constant } };
  }
  const read = fieldReader(plan);
  const resolveBatch = ownBatchResolver(field);
  if (resolveBatch) return { key, plan, isNullable, read, enqueue: batchReader(plan, resolveBatch) };
  const fastPath = fastPathOf(plan, compileObject);
  return { key, plan, isNullable, read, ...(fastPath && { fastPath }) };
}

function fieldReader(plan: FieldPlan): CompiledField['read'] {
  const complete = compileValue(plan, plan.field.type, compileObject);
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
      run.planned.argumentsOf(plan),
      run.context,
      new ResolveInfo(run, plan, { prev: path, key: plan.key, typename: undefined }),
    );
}

function batchReader(
  plan: FieldPlan,
  resolveBatch: NonNullable<ExecutionHints['resolveBatch']>,
): NonNullable<CompiledField['enqueue']> {
  const { key, field } = plan;
  const complete = compileValue(plan, field.type, compileObject);
  const convert = converterFor(plan, getNullableType(field.type), compileObject);
  const resolve = resolveRows(plan, resolveBatch, (run, { object, path }, value) => {
    const result = convert?.(run, value) ?? completeField(plan, complete, run, value, path);
    if (isPromise(result)) run.defer(object, key, result);
    else object[key] = result;
  });
  return (run, row) => addToBatch(run, plan, row, resolve);
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
