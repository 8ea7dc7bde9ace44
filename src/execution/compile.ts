import { getNullableType, isNonNullType } from 'graphql';
import { weakMemoize } from '../memoize.ts';
import { asError } from '../rest/errors.ts';
import { type Complete, compileValue } from './complete.ts';
import { type ExecutionHints, ownBatchResolver, sourceReaderOf } from './contract.ts';
import type { Path } from './field-errors.ts';
import { converterFor, createObjectReader, fastPathOf, type ObjectReader } from './object.ts';
import type { CompiledField } from './object-literal.ts';
import type { FieldPlan, ObjectPlan } from './plan.ts';
import { type BatchedRow, handleFieldError, isPromise, ResolveInfo, type Run } from './run.ts';

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

/** What a row takes that waits for its batch. */
const ROW_BYTES = 80;

/**
 * Adds a row to the batch of a field in one operation. The batch is resolved when the rows at hand are completed, and
 * those of lists that pause: in a microtask, so that it shares the lookups of other fields in the same tick.
 */
function batchReader(plan: FieldPlan, resolveBatch: ResolveBatch): NonNullable<CompiledField['enqueue']> {
  const resolve = batchResolver(plan, resolveBatch);
  return (run, row) => {
    run.budget.addMemory(ROW_BYTES);
    run.openBatches ??= new Map();
    const { openBatches } = run;
    const batch = openBatches.get(plan);
    if (batch) {
      batch.push(row);
      return;
    }
    const rows = [row];
    openBatches.set(plan, rows);
    const dispatch = (): Promise<void> => {
      const resumed = run.budget.pauses.whenOver();
      if (resumed) return resumed.then(dispatch);
      if (run.budget.isSliceOver()) return run.budget.pause(dispatch).catch(() => {});
      openBatches.delete(plan);
      // Of an operation that was stopped, nobody wants the rows any more. A rejection means that it was stopped, and its
      // budget knows why.
      return run.budget.stopError === undefined ? resolve(run, rows).catch(() => {}) : RESOLVED;
    };
    run.track(RESOLVED.then(dispatch));
  };
}

type ResolveBatch = NonNullable<ExecutionHints['resolveBatch']>;

const RESOLVED = Promise.resolve();

/** Resolves the rows of a batch by one call, and completes the value of each. */
function batchResolver(plan: FieldPlan, resolveBatch: ResolveBatch) {
  const { key, field } = plan;
  const complete = compileValue(plan, field.type, compileObject);
  const convert = converterFor(plan, getNullableType(field.type), compileObject);
  const setField = (run: Run, { object, path }: BatchedRow, value: unknown) => {
    const result = convert?.(run, value) ?? completeField(plan, complete, run, value, path);
    if (isPromise(result)) run.defer(object, key, result);
    else object[key] = result;
  };
  return async (run: Run, rows: readonly BatchedRow[]): Promise<void> => {
    const sources = rows.map(({ source }) => source);
    const info = new ResolveInfo(run, plan, { prev: rows[0]?.path, key, typename: undefined });
    const failed = (error: unknown) => sources.map(() => asError(error));
    const values = await resolveBatch(sources, run.context, info).catch(failed);
    let next = 0;
    const setFields = (): Promise<void> | undefined => {
      for (let row = rows[next]; row !== undefined; row = rows[next]) {
        if (run.budget.isSliceOver()) return run.budget.pause(setFields);
        setField(run, row, values[next]);
        next += 1;
      }
      return undefined;
    };
    await setFields();
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
