import {
  type GraphQLOutputType,
  getNullableType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { sourceReaderOf } from './contract.ts';
import type { ReaderOf } from './object.ts';
import { type Convert, type FastPath, matches, typeCheckFor } from './object-literal.ts';
import type { FieldPlan } from './plan.ts';

/** Most fields of a response are values of REST records under another name, so they skip the general path. */
export function fastPathOf(plan: FieldPlan, readerOf: ReaderOf): FastPath | undefined {
  const source = sourceReaderOf(plan.field);
  if (source === undefined) return undefined;
  const type = getNullableType(plan.field.type);
  if (isLeafType(type)) {
    const typeCheck = typeCheckFor(type);
    return typeCheck && { source, typeCheck };
  }
  // Lists that are computed may hold thousands of rows, which are completed in time slices.
  const convert =
    isListType(type) && 'property' in source
      ? listConverter(plan, type.ofType, readerOf)
      : converterFor(plan, type, readerOf);
  return convert && { source, convert };
}

/** For an object or a leaf; undefined if it always needs the general path. */
export function converterFor(
  plan: FieldPlan,
  type: GraphQLOutputType,
  readerOf: ReaderOf,
): Convert | undefined {
  if (isObjectType(type)) return readerOf(plan.objectPlan(type)).convert;
  const typeCheck = isLeafType(type) ? typeCheckFor(type) : undefined;
  return (
    typeCheck &&
    ((run, value) => {
      if (!matches(typeCheck, value)) return undefined;
      if (typeof value === 'string') run.budget.addText(value.length);
      return value;
    })
  );
}

/** Longer lists take the general path, which may pause. */
const MAX_FAST_ITEMS = 100;

/** For a list inside a record. */
function listConverter(
  plan: FieldPlan,
  itemType: GraphQLOutputType,
  readerOf: ReaderOf,
): Convert | undefined {
  const convertItem = converterFor(plan, getNullableType(itemType), readerOf);
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
    run.budget.spendList(list.length);
    return results;
  };
}
