import { getNullableType, isListType } from 'graphql';
import { isSliceOver } from '../limits/time-slice.ts';
import { isObject } from '../rest/json.ts';
import { weakMemoize } from '../weak-memoize.ts';
import type { Budget } from './budget.ts';
import type { FieldPlan, ObjectPlan } from './plan.ts';

/** Pieces are put together up to this length. */
const PIECE_BYTES = 64_000;

/** Beyond this, values alone make an answer large: long ones, or the same one under many names. */
const LARGE_VALUES_BYTES = 2_000_000;

/** Whether an answer, made of so many bytes of REST answers, is to be written in pieces. */
export function isLarge(root: ObjectPlan, budget: Budget, restBytes: number): boolean {
  return budget.isLarge || (restBytes > 0 && restBytes * repeatsIn(root) > LARGE_VALUES_BYTES);
}

/** How often the same property of a record is shown, at most. */
const repeatsIn = weakMemoize((plan: ObjectPlan): number => {
  const counts = new Map<string, number>();
  let most = 1;
  for (const field of plan.fields) {
    const count = (counts.get(field.field.name) ?? 0) + 1;
    counts.set(field.field.name, count);
    most = Math.max(most, count);
  }
  const inside = plan.fields.flatMap((field) => field.objectPlans()).map(repeatsIn);
  return most * Math.max(1, ...inside);
});

/**
 * The JSON of a large answer in pieces, with turns of the event loop between them: `JSON.stringify` of 16 MB takes a
 * tenth of a second, in which nobody else would be served.
 */
export async function stringifyLarge(
  data: { readonly [key: string]: unknown },
  root: ObjectPlan,
  budget: Budget,
): Promise<string[]> {
  const pieces: string[] = [];
  let piece = '';
  let length = 0;
  for (const text of writeObject(data, [root])) {
    piece += text;
    length += text.length;
    budget.checkWritten(length);
    if (piece.length >= PIECE_BYTES) {
      pieces.push(piece);
      piece = '';
      if (isSliceOver()) await budget.nextSlice();
    }
  }
  pieces.push(piece);
  return pieces;
}

function* writeObject(
  object: { readonly [key: string]: unknown },
  plans: readonly ObjectPlan[],
): Generator<string> {
  let before = '{';
  for (const key in object) {
    yield `${before}${JSON.stringify(key)}:`;
    before = ',';
    yield* writeField(object[key], fieldOf(plans, key));
  }
  yield before === '{' ? '{}' : '}';
}

function* writeField(value: unknown, plan: FieldPlan | undefined): Generator<string> {
  if (plan === undefined || !mayBeLarge(plan)) yield JSON.stringify(value);
  else yield* writeValue(value, plan);
}

function* writeValue(value: unknown, plan: FieldPlan): Generator<string> {
  if (Array.isArray(value)) yield* writeList(value, plan);
  else if (isObject(value)) yield* writeObject(value, plan.objectPlans());
  else yield JSON.stringify(value);
}

function* writeList(list: readonly unknown[], plan: FieldPlan): Generator<string> {
  const isNested = holdsLists(plan);
  let before = '[';
  // As many items at a time as make about a piece, however long each of them is.
  let count = 1;
  for (let index = 0; index < list.length; ) {
    yield before;
    before = ',';
    if (isNested) {
      yield* writeValue(list[index], plan);
      index += 1;
    } else {
      const text = JSON.stringify(list.slice(index, index + count));
      yield text.slice(1, -1);
      index += count;
      if (text.length < PIECE_BYTES / 2) count *= 2;
      else if (text.length > PIECE_BYTES && count > 1) count /= 2;
    }
  }
  yield before === '[' ? '[]' : ']';
}

/** Types that share a key have fields of one shape there, so that any of them will do. */
function fieldOf(plans: readonly ObjectPlan[], key: string): FieldPlan | undefined {
  for (const { fields } of plans) {
    const field = fields.find((plan) => plan.key === key);
    if (field) return field;
  }
  return undefined;
}

/** Whether it is, or holds, a list that is no part of a single record. */
const mayBeLarge = weakMemoize((plan: FieldPlan): boolean => {
  const isRows =
    isListType(getNullableType(plan.field.type)) && plan.field.extensions.pothosExposedField === undefined;
  return (isRows && plan.objectPlans().length > 0) || holdsLists(plan);
});

function holdsLists(plan: FieldPlan): boolean {
  return plan.objectPlans().some(({ fields }) => fields.some((field) => mayBeLarge(field)));
}
