import {
  type CompiledField,
  compileObjectLiteral,
  type ObjectLiteral,
  type ResultObject,
  type Source,
} from './object-literal.ts';
import { awaitMembers, ignoreRejections, isPromise, type Path, type Run } from './run.ts';

/** The answer for one object: plain while nothing in it has to be waited for, else a promise. */
export type ReadObject = (run: Run, source: Source, path: Path) => ResultObject | Promise<ResultObject>;

/** After so many objects of one selection, code is made for it. */
const JIT_THRESHOLD = 20;

export function objectReader(fields: readonly CompiledField[]): ReadObject {
  const bytes = leastBytes(fields);
  const others = fields.filter(({ isPlain }) => !isPlain);
  let draft: ObjectLiteral | undefined;
  let count = 0;
  return (run, source, path) => {
    run.budget.spend(bytes);
    if (draft) return fillIn(draft(run, source, path), others, run, source, path);
    count += 1;
    if (count === JIT_THRESHOLD) draft = compileObjectLiteral(fields);
    return fillIn({}, fields, run, source, path);
  };
}

/** What an object takes in an answer before any value: `{"key":1,"key":1}`. */
function leastBytes(fields: readonly CompiledField[]): number {
  return fields.reduce((sum, { key }) => sum + key.length + 5, 2);
}

function fillIn(
  answer: ResultObject,
  fields: readonly CompiledField[],
  run: Run,
  source: Source,
  path: Path,
): ResultObject | Promise<ResultObject> {
  let pending: string[] | undefined;
  try {
    for (const { key, read, mayBeNull } of fields) {
      const value = read(run, source, path);
      answer[key] = value;
      if (!isPromise(value)) continue;
      if (mayBeNull) {
        run.defer(answer, key, value);
      } else {
        pending ??= [];
        pending.push(key);
      }
    }
  } catch (error) {
    ignoreRejections(Object.values(answer));
    throw error;
  }
  return pending ? awaitMembers(answer, pending) : answer;
}
