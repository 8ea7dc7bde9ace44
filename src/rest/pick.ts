import { getOrCreate, lruMap, weakMemoize } from '../memoize.ts';
import { type Fields, fieldsParameter, isLeaf, LEAF } from './fields.ts';
import { CONTAINER_BYTES, ITEM_BYTES, isObject, MEMBER_BYTES } from './json.ts';

/** What has been picked so far takes in memory. */
export interface PickedSize {
  bytes: number;
}

type Pick = (value: unknown, size: PickedSize) => unknown;

const picks = lruMap<Pick>(500);

/**
 * Copies of a parsed record the fields that were asked for, and counts what the copy takes. Nothing else that a service
 * sends is kept: members with ever other names take many times the memory of their text. Remembered by the text of the
 * fields, since some trees are made anew for each call.
 */
export const pickOf = weakMemoize(
  (fields: Fields): Pick => getOrCreate<string, Pick>(picks, fieldsParameter(fields), () => compile(fields)),
);

/** As one literal, which takes a tenth of the time of a loop. All names in the code are of the schema. */
function compile(fields: Fields): Pick {
  if (isLeaf(fields)) return pickScalars;
  const names = Object.keys(fields);
  const members = names.map((name, index) => {
    const key = JSON.stringify(name);
    const pick = isLeaf(fields[name] ?? LEAF) ? 'pickScalars' : `nested[${index}]`;
    return `${key}: ${pick}(record[${key}], size)`;
  });
  const factory = new Function(
    'pickScalars',
    'nested',
    `return (record, size) => ({ ${members.join(', ')} });`,
  );
  const literal: Pick = factory(
    pickScalars,
    names.map((name) => compile(fields[name] ?? LEAF)),
  );
  const pickObject: Pick = (value, size) => {
    if (!isObject(value)) return pickScalar(value, size);
    size.bytes += CONTAINER_BYTES + names.length * MEMBER_BYTES;
    return literal(value, size);
  };
  return (value, size) =>
    Array.isArray(value) ? pickItems(value, size, pickObject) : pickObject(value, size);
}

function pickScalars(value: unknown, size: PickedSize): unknown {
  return Array.isArray(value) ? pickItems(value, size, pickScalar) : pickScalar(value, size);
}

/** No field is a list of lists, and no scalar an object: what is in one is never shown. */
function pickScalar(value: unknown, size: PickedSize): unknown {
  if (typeof value === 'string') size.bytes += value.length;
  if (typeof value !== 'object' || value === null) return value;
  size.bytes += CONTAINER_BYTES;
  return Array.isArray(value) ? [] : {};
}

function pickItems(items: readonly unknown[], size: PickedSize, pick: Pick): unknown[] {
  const { length } = items;
  size.bytes += CONTAINER_BYTES + length * ITEM_BYTES;
  // Records have many short lists, and a function for each would take more than its items.
  const picked = new Array<unknown>(length);
  for (let index = 0; index < length; index += 1) picked[index] = pick(items[index], size);
  return picked;
}
