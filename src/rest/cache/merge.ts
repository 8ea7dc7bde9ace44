import { type Fields, isLeaf } from '../fields.ts';
import { isObject } from '../json.ts';
import type { Row } from '../resource.ts';

/** A record, or an object in one, and the fields that it was read with. */
interface Read<Value> {
  readonly record: Value;
  readonly fields: Fields;
}

export type ReadRecord = Read<Row>;

/**
 * Merges two reads of a record, the later second. Only objects are merged by their members: items of lists may have
 * moved, and of an object that was read whole the members are not known.
 */
export function mergeRecord<Value extends { readonly [member: string]: unknown }>(
  known: Read<Value>,
  read: Read<Value>,
): Read<Value> {
  const objects: Record<string, unknown> = {};
  const masks: Record<string, Fields> = {};
  for (const [name, mask] of Object.entries(read.fields)) {
    const maskBefore = known.fields[name];
    if (maskBefore === undefined || isLeaf(maskBefore) || isLeaf(mask)) continue;
    const [before, value] = [known.record[name], read.record[name]];
    // An Error stands for a value of another type.
    if (!isObject(before) || !isObject(value) || before instanceof Error || value instanceof Error) continue;
    const merged = mergeRecord({ record: before, fields: maskBefore }, { record: value, fields: mask });
    objects[name] = merged.record;
    masks[name] = merged.fields;
  }
  return {
    record: { ...known.record, ...read.record, ...objects },
    fields: { ...known.fields, ...read.fields, ...masks },
  };
}
