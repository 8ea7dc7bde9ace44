import { getNullableType, isListType } from 'graphql';
import { isSliceOver } from '../limits/time-slice.ts';
import { isObject } from '../rest/json.ts';
import { weakMemoize } from '../weak-memoize.ts';
import type { Budget } from './budget.ts';
import type { FieldPlan, ObjectPlan } from './plan.ts';

/** Text is joined into chunks of at least this length. */
const CHUNK_BYTES = 64_000;

/** So many items at most are written in one call: of those that follow on short ones, each may be long. */
const MAX_ITEMS = 256;

/**
 * Serializes a large response in chunks, yielding to the event loop in between: `JSON.stringify` of 16 MB takes a
 * tenth of a second, which would delay all other requests.
 */
export async function stringifyLarge(
  data: { readonly [key: string]: unknown },
  root: ObjectPlan,
  budget: Budget,
  { encode, hold }: { encode(text: string): Buffer<ArrayBuffer>; hold(bytes: number): void },
): Promise<Buffer<ArrayBuffer>[]> {
  const chunks: Buffer<ArrayBuffer>[] = [];
  let chunk = '';
  let length = 0;
  for (const text of writeObject(data, [root])) {
    chunk += text;
    // At least one byte for each character.
    budget.checkJsonLength(length + chunk.length);
    if (chunk.length >= CHUNK_BYTES) {
      const bytes = encode(chunk);
      chunks.push(bytes);
      hold(bytes.length);
      length += bytes.length;
      chunk = '';
      if (isSliceOver()) await budget.nextSlice();
    }
  }
  const last = encode(chunk);
  budget.checkJsonLength(length + last.length);
  return [...chunks, last];
}

function* writeObject(
  object: { readonly [key: string]: unknown },
  plans: readonly ObjectPlan[],
): Generator<string> {
  let separator = '{';
  for (const key in object) {
    yield `${separator}${JSON.stringify(key)}:`;
    separator = ',';
    yield* writeField(object[key], fieldOf(plans, key));
  }
  yield separator === '{' ? '{}' : '}';
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
  const isNested = containsLists(plan);
  let separator = '[';
  // The number of items per call is adapted, so that their text is about one chunk whatever their length.
  let count = 1;
  for (let index = 0; index < list.length; ) {
    yield separator;
    separator = ',';
    if (isNested) {
      yield* writeValue(list[index], plan);
      index += 1;
    } else {
      const text = JSON.stringify(list.slice(index, index + count));
      yield text.slice(1, -1);
      index += count;
      if (text.length < CHUNK_BYTES / 2) count = Math.min(2 * count, MAX_ITEMS);
      else if (text.length > CHUNK_BYTES && count > 1) count /= 2;
    }
  }
  yield separator === '[' ? '[]' : ']';
}

/** Validation ensures that fields with the same key have the same shape in all types, so any will do. */
function fieldOf(plans: readonly ObjectPlan[], key: string): FieldPlan | undefined {
  for (const { fields } of plans) {
    const field = fields.find((plan) => plan.key === key);
    if (field) return field;
  }
  return undefined;
}

/** Whether it is, or contains, a list of rows rather than a list inside one record. */
const mayBeLarge = weakMemoize((plan: FieldPlan): boolean => {
  const isRows =
    isListType(getNullableType(plan.field.type)) && plan.field.extensions.pothosExposedField === undefined;
  return (isRows && plan.objectPlans().length > 0) || containsLists(plan);
});

function containsLists(plan: FieldPlan): boolean {
  return plan.objectPlans().some(({ fields }) => fields.some((field) => mayBeLarge(field)));
}
