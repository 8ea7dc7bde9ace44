import { type Fields, isLeaf } from '../fields.ts';
import { isObject } from '../json.ts';

type Members = { readonly [name: string]: unknown };

/** What a call has read of something, and the field mask it was read with. */
interface Read<Value> {
  readonly record: Value;
  readonly fields: Fields;
}

/**
 * What two calls have read of one record, the later one second. Values and masks are merged together and equally deep:
 * a mask that claims a member the value has lost would turn the next cache hit into an error.
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
    // Undefined where it was asked for and left out: what was known of it before is no longer so.
    record[name] = merged.record;
    fields[name] = merged.fields;
  }
  return { record, fields };
}

/**
 * Only objects are merged, member by member. Items of two lists cannot be matched, since they may have moved, and a
 * whole object is not completed by some members, since nobody knows which it has: there the later read stands alone.
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
