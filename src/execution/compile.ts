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
import { exposedProperty, requireNative } from './contract.ts';
import { objectReader, type ReadObject } from './object.ts';
import { type CompiledField, passes, passingOf, type Source } from './object-literal.ts';
import type { FieldPlan, ObjectPlan } from './plan.ts';
import {
  awaitMembers,
  fail,
  Info,
  InvalidValue,
  ignoreRejections,
  isPromise,
  located,
  type Path,
  type Run,
} from './run.ts';

/** What an item takes that is no more than `null`. */
const NULL_BYTES = 5;

/** Turns a value into its part of the answer; throws where the value is not what the schema says. */
type Complete = (run: Run, value: unknown, path: Path) => unknown;

export const compileObject = weakMemoize((plan: ObjectPlan): ReadObject => objectReader(compileFields(plan)));

export function compileFields(plan: ObjectPlan): readonly CompiledField[] {
  return plan.fields.map(compileField);
}

function compileField(plan: FieldPlan): CompiledField {
  const { key, field, parentType } = plan;
  const mayBeNull = !isNonNullType(field.type);
  if (field.name === '__typename') return { key, isPlain: true, mayBeNull, read: () => parentType.name };
  const property = exposedProperty(field);
  const type = getNullableType(field.type);
  if (property === undefined || !isLeafType(type))
    return { key, isPlain: false, mayBeNull, read: fieldReader(plan) };
  const passing = passingOf(type);
  return {
    key,
    isPlain: true,
    mayBeNull,
    read: leafReader(plan, property, type),
    ...(passing && { shortcut: { property, passing } }),
  };
}

/** Most of an answer is scalars of REST records under other names: those are read without any ado. */
function leafReader(plan: FieldPlan, property: string, type: GraphQLLeafType): CompiledField['read'] {
  const mayBeNull = !isNonNullType(plan.field.type);
  const serialize = compileLeaf(type);
  return (run, source, path) => {
    const value = source[property];
    try {
      if (value !== null && value !== undefined) return serialize(value);
      return mayBeNull ? null : present(null);
    } catch (error) {
      return fail(run, plan, error, path);
    }
  };
}

function fieldReader(plan: FieldPlan): CompiledField['read'] {
  const complete = compileValue(plan, plan.field.type);
  const resolve = compileResolver(plan);
  const finish = (run: Run, value: unknown, here: Path, path: Path) => {
    try {
      const answer = complete(run, value, here);
      return isPromise(answer) ? answer.catch((error) => fail(run, plan, error, path)) : answer;
    } catch (error) {
      return fail(run, plan, error, path);
    }
  };
  return (run, source, path) => {
    const here = { prev: path, key: plan.key, typename: undefined };
    let value: unknown;
    try {
      value = resolve(run, source, here);
    } catch (error) {
      return fail(run, plan, error, path);
    }
    if (!isPromise(value)) return finish(run, value, here, path);
    return value.then(
      (settled) => finish(run, settled, here, path),
      (error) => fail(run, plan, error, path),
    );
  };
}

function compileResolver(plan: FieldPlan): CompiledField['read'] {
  const { resolve } = plan.field;
  const property = exposedProperty(plan.field);
  if (property !== undefined) return (_run, source) => source[property];
  if (resolve === undefined) return (_run, source) => source[plan.field.name];
  return (run, source, path) =>
    resolve(source, plan.argumentsWith(run.planned.variables), run.context, new Info(run, plan, path));
}

function compileValue(plan: FieldPlan, type: GraphQLOutputType): Complete {
  if (isNonNullType(type)) {
    const complete = compileValue(plan, type.ofType);
    return (run, value, path) => {
      const answer = complete(run, value, path);
      // What has to be waited for is an object or a list, so it will not be null.
      return isPromise(answer) ? answer : present(answer);
    };
  }
  const complete = checked(compilePresent(plan, type));
  return (run, value, path) => {
    if (value === null || value === undefined) return null;
    if (value instanceof Error) throw value;
    return complete(run, value, path);
  };
}

/** Outside production a resolver is held to what this execution takes; there, nothing is spent on that. */
const IS_CHECKED = process.env.NODE_ENV !== 'production';

function checked(complete: Complete): Complete {
  if (!IS_CHECKED) return complete;
  return (run, value, path) => {
    requireNative(value);
    return complete(run, value, path);
  };
}

function compilePresent(plan: FieldPlan, type: GraphQLOutputType): Complete {
  if (isListType(type)) return compileList(plan, type.ofType);
  if (isAbstractType(type)) return compileAbstract(plan, type);
  if (isObjectType(type)) {
    const read = compileObject(plan.objectPlan(type));
    return (run, value, path) => read(run, asSource(value), path);
  }
  if (!isLeafType(type)) throw new Error(`A field cannot be of type ${type}`);
  const serialize = compileLeaf(type);
  return (_run, value) => serialize(value);
}

type Serialize = (value: unknown) => unknown;

/** One for each scalar of the schema, not one for each field of a selection. */
const compileLeaf = weakMemoize(serializerOf);

function serializerOf(type: GraphQLLeafType): Serialize {
  const passing = passingOf(type);
  if (passing !== undefined)
    return (value) => {
      if (passes(passing, value)) return value;
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
  const mayBeNull = !isNonNullType(itemType);
  const failed = (run: Run, error: unknown, path: Path) => {
    if (!mayBeNull) throw run.isSilent ? error : located(plan, error, path);
    run.budget.spend(NULL_BYTES);
    return run.recordError(() => located(plan, error, path));
  };
  const readItem = (run: Run, item: unknown, path: Path) => {
    try {
      // Not thrown and caught again: there may be thousands.
      if (item instanceof Error) return failed(run, item, path);
      return isPromise(item)
        ? item.then((settled) => complete(run, settled, path))
        : complete(run, item, path);
    } catch (error) {
      return failed(run, error, path);
    }
  };
  // Records that are looked up for items of one list are looked up together, so those are all read in one go.
  const mayPause = plan.isLocal && !isLeafType(getNamedType(itemType));

  /** Reads the items from one on; where that takes long, the rest is read in another turn of the event loop. */
  const readFrom = (
    run: Run,
    list: readonly unknown[],
    path: Path,
    answers: unknown[],
    pending: number[],
  ): unknown => {
    try {
      for (let index = answers.length; index < list.length; index += 1) {
        if (mayPause && run.budget.isSliceOver()) {
          // Until it goes on nobody waits for these, and one that fails meanwhile would end the process.
          ignoreRejections(answers);
          ignoreRejections(list);
          return run.budget.nextSlice().then(() => readFrom(run, list, path, answers, pending));
        }
        const answer = readItem(run, list[index], { prev: path, key: index, typename: undefined });
        answers.push(answer);
        if (isPromise(answer)) pending.push(index);
      }
    } catch (error) {
      ignoreRejections(answers);
      // Those that were not yet read may still fail.
      ignoreRejections(list);
      throw error;
    }
    if (pending.length === 0) return answers;
    return awaitMembers(answers, pending, (error, key) =>
      failed(run, error, { prev: path, key, typename: undefined }),
    );
  };

  return (run, list, path) => {
    if (!Array.isArray(list)) throw new InvalidValue('not a list');
    run.budget.spend(2 * list.length);
    return readFrom(run, list, path, [], []);
  };
}

function compileAbstract(plan: FieldPlan, type: GraphQLAbstractType): Complete {
  const { schema } = plan.operation;
  return (run, value, path) => {
    const name = type.resolveType?.(value, run.context, new Info(run, plan, path), type);
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

function present(answer: unknown): unknown {
  if (answer === null) throw new InvalidValue('null where the schema promises a value');
  return answer;
}
