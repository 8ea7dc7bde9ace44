import {
  type CompiledField,
  compileObjectLiteral,
  type ObjectLiteral,
  type ResultObject,
  type Source,
} from './object-literal.ts';
import { awaitMembers, ignoreRejections, isPromise, type Path, type Run } from './run.ts';

/** Resolves the selection on one object; a promise only if a non-null field is asynchronous. */
export type ReadObject = (run: Run, source: Source, path: Path) => ResultObject | Promise<ResultObject>;

/** Code is generated for a selection once it was applied to this many objects. */
const JIT_THRESHOLD = 20;

export function objectReader(fields: readonly CompiledField[]): ReadObject {
  const bytes = minBytes(fields);
  const asyncFields = fields.filter(({ isSync }) => !isSync);
  let createLiteral: ObjectLiteral | undefined;
  let count = 0;
  return (run, source, path) => {
    run.budget.spend(bytes);
    if (createLiteral) return setFields(createLiteral(run, source, path), asyncFields, run, source, path);
    count += 1;
    if (count === JIT_THRESHOLD) createLiteral = compileObjectLiteral(fields);
    return setFields({}, fields, run, source, path);
  };
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
    for (const { key, read, isNullable } of fields) {
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
