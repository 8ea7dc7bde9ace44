import { isNonNullType } from 'graphql';
import { weakMemoize } from '../memoize.ts';
import { asError } from '../rest/errors.ts';
import { type Complete, compileValue, isPromise, isThenable, type ReadObject, setLater } from './complete.ts';
import { type ExecutionHints, memberName, resolveBatchOf } from './contract.ts';
import type { Path } from './field-errors.ts';
import { compileLiteral, isInLiteral, type ObjectLiteral, sizeOf } from './literal.ts';
import type { FieldPlan, ObjectPlan } from './plan.ts';
import { type BatchedRow, failField, infoOf, type ResultObject, type Run, type Source } from './run.ts';

export interface CompiledField {
  readonly key: string;
  readonly plan: FieldPlan;
  readonly isNullable: boolean;
  /** Resolves and completes the field; may return a promise. */
  readonly read: (run: Run, source: Source, path: Path) => unknown;
  /** For a batched field, in place of `read`: adds the object to the batch, which sets the field later. */
  readonly enqueue?: (run: Run, row: BatchedRow) => void;
}

/** Code is generated for a selection once it was applied to this many objects. */
const JIT_THRESHOLD = 20;

/** The reader of a selection: the same one each time, since it counts the objects that it reads. */
export const compileObject = weakMemoize((plan: ObjectPlan): ReadObject => {
  const fields = compileFields(plan);
  const otherFields = fields.filter((field) => !isInLiteral(field.plan));
  const isWorthwhile = otherFields.length < fields.length;
  const { values, bytes } = sizeOf(fields);
  let literal: ObjectLiteral | undefined;
  let count = 0;
  return (run, source, path) => {
    run.size.add(values, bytes);
    const object = literal && createBy(literal, run, source);
    if (object) return otherFields.length > 0 ? setFields(object, otherFields, run, source, path) : object;
    count += 1;
    if (count === JIT_THRESHOLD && isWorthwhile) literal = compileLiteral(plan.fields);
    return setFields({}, fields, run, source, path);
  };
});

/** A computation may throw: the general path will report where. */
function createBy(literal: ObjectLiteral, run: Run, source: Source): ResultObject | undefined {
  try {
    return literal(run, source);
  } catch {
    return undefined;
  }
}

function setFields(
  object: ResultObject,
  fields: readonly CompiledField[],
  run: Run,
  source: Source,
  path: Path,
): ResultObject | Promise<ResultObject> {
  let pending: Promise<void>[] | undefined;
  for (const { key, read, isNullable, enqueue } of fields) {
    const value = enqueue ? null : read(run, source, path);
    if (!isPromise(value)) object[key] = value;
    else if (isNullable) run.defer(object, key, value);
    else {
      object[key] = null;
      pending ??= [];
      pending.push(setLater(object, key, value));
    }
    enqueue?.(run, { source, object, path });
  }
  return pending ? Promise.all(pending).then(() => object) : object;
}

export function compileFields(plan: ObjectPlan): readonly CompiledField[] {
  return plan.fields.map(compileField);
}

function compileField(plan: FieldPlan): CompiledField {
  const { key, field, parentType } = plan;
  const isNullable = !isNonNullType(field.type);
  if (field.name === '__typename') return { key, plan, isNullable, read: () => parentType.name };
  const complete = fieldCompleter(plan);
  const resolve = resolverOf(plan);
  const read: CompiledField['read'] = (run, source, path) => {
    let value: unknown;
    try {
      value = resolve(run, source, path);
    } catch (error) {
      return failField(run, plan, error, path);
    }
    return isPromise(value) ? readLater(run, value, path) : complete(run, value, path);
  };
  // Apart, since V8 would make what a closure needs for each row.
  const readLater = (run: Run, value: Promise<unknown>, path: Path) =>
    value.then(
      (settled) => complete(run, settled, path),
      (error) => failField(run, plan, error, path),
    );
  const resolveBatch = resolveBatchOf(field);
  return {
    key,
    plan,
    isNullable,
    read,
    ...(resolveBatch && { enqueue: batchReader(plan, complete, resolveBatch) }),
  };
}

function resolverOf(plan: FieldPlan): CompiledField['read'] {
  const { resolve, name } = plan.field;
  const member = memberName(plan.field);
  if (resolve === undefined || member !== undefined) return (_run, source) => source[member ?? name];
  return (run, source, path) => {
    const info = infoOf(run, plan, { prev: path, key: plan.key, typename: undefined });
    const value: unknown = resolve(source, run.planned.argumentsOf(plan), run.context, info);
    // A plugin may have wrapped the resolver by a promise of its own kind.
    return isThenable(value) ? Promise.resolve(value) : value;
  };
}

/** Completes the value of a field; `path` is that of its object. */
function fieldCompleter(plan: FieldPlan): Complete {
  const complete = compileValue(plan, plan.field.type, compileObject);
  return (run, value, path) => {
    // Not thrown and caught, since there may be thousands.
    if (value instanceof Error) return failField(run, plan, value, path);
    try {
      const result = complete(run, value, { prev: path, key: plan.key, typename: undefined });
      return isPromise(result) ? orFailure(run, plan, result, path) : result;
    } catch (error) {
      return failField(run, plan, error, path);
    }
  };
}

function orFailure(run: Run, plan: FieldPlan, result: Promise<unknown>, path: Path): Promise<unknown> {
  return result.catch((error) => failField(run, plan, error, path));
}

const RESOLVED = Promise.resolve();

/**
 * Adds a row to the batch of a field in one operation. All rows at hand are resolved by one call, in a microtask, so that
 * it shares the lookups of other fields in the same tick.
 */
function batchReader(
  plan: FieldPlan,
  complete: Complete,
  resolveBatch: NonNullable<ExecutionHints['resolveBatch']>,
): NonNullable<CompiledField['enqueue']> {
  const { key } = plan;
  const resolve = async (run: Run, rows: readonly BatchedRow[]) => {
    run.openBatches.delete(plan);
    const sources = rows.map(({ source }) => source);
    const info = infoOf(run, plan, { prev: rows[0]?.path, key, typename: undefined });
    const failed = (error: unknown) => sources.map(() => asError(error));
    const values = await resolveBatch(sources, run.context, info).catch(failed);
    for (const [index, { object, path }] of rows.entries()) {
      if (run.size.error) return;
      const result = complete(run, values[index], path);
      if (isPromise(result)) run.defer(object, key, result);
      else object[key] = result;
    }
  };
  return (run, row) => {
    const open = run.openBatches.get(plan);
    if (open) return void open.push(row);
    const rows = [row];
    run.openBatches.set(plan, rows);
    run.track(RESOLVED.then(() => resolve(run, rows)));
  };
}
