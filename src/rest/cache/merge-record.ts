import { type Fields, isLeaf } from '../fields.ts';
import { isObject } from '../json.ts';

type Members = { readonly [name: string]: unknown };

/** A value, and the field mask it was read with. */
interface Read<Value> {
  readonly record: Value;
  readonly fields: Fields;
}

/**
 * Merges two reads of one record, the later one second. Values and masks are merged together and equally deep: a mask
 * with a member that the value has lost would turn the next cache hit into an error.
 */
export function mergeRecord(known: Read<object>, read: Read<object>): Read<Members> {
  return mergeMembers({ ...known, record: { ...known.record } }, { ...read, record: { ...read.record } });
}

function mergeMembers(known: Read<Members>, read: Read<Members>): Read<Members> {
  const record: Record<string, unknown> = { ...known.record, ...read.record };
  const fields: Record<string, Fields> = { ...known.fields, ...read.fields };
  for (const [name, mask] of Object.entries(read.fields)) {
    const merged = mergeValue(
      { record: known.record[name], fields: known.fields[name] },
      { record: read.record[name], fields: mask },
    );
    // Undefined if it was requested and is absent: the earlier value is outdated.
    record[name] = merged.record;
    fields[name] = merged.fields;
  }
  return { record, fields };
}

/**
 * Only objects are merged, member by member. Items of two lists cannot be matched, since they may have moved, and an
 * object read whole cannot be merged with some of its members, since its members are not known: there the later read
 * replaces the earlier one.
 */
function mergeValue(
  known: { readonly record: unknown; readonly fields: Fields | undefined },
  read: Read<unknown>,
): Read<unknown> {
  if (known.fields === undefined || isLeaf(known.fields) || isLeaf(read.fields)) return read;
  if (!isObject(known.record) || !isObject(read.record)) return read;
  return mergeMembers(
    { record: known.record, fields: known.fields },
    { record: read.record, fields: read.fields },
  );
}
