import { type Fields, fieldsOf } from '../rest/fields.ts';

const stamps = new Map<string, Fields>();

/** The same object each time, since unions are remembered by it. */
export function stampOf(stamp: string): Fields {
  let fields = stamps.get(stamp);
  if (fields === undefined) {
    fields = fieldsOf([stamp]);
    stamps.set(stamp, fields);
  }
  return fields;
}
