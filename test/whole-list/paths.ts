import { enumName, type ListSpec, type PlainField, restName } from './lists.ts';
import { isObject } from './values.ts';

/** A plain field of a record or of an object in it, with the way to it. */
export interface PathField {
  /** As an enum value. */
  readonly name: string;
  readonly path: readonly string[];
  readonly field: PlainField;
  readonly isInList: boolean;
  /** By which part of a date groups are made. */
  readonly datePart?: 'DAY' | 'MONTH' | 'YEAR';
}

const ITEM: PlainField = { kind: 'text', name: '', isRequired: true };

/** What lists can be ordered by: plain fields, and those of nested objects. */
export function orderFields({ fields }: ListSpec): PathField[] {
  return fields.flatMap((field): PathField[] => {
    if (!('members' in field)) return [pathField([field.name], field)];
    if (field.kind !== 'object') return [];
    return field.members.map((member) => pathField([field.name, member.name], member));
  });
}

/** What groups can be made by: the same and lists, without amounts and the record's own id. */
export function groupFields(spec: ListSpec): PathField[] {
  const inLists = spec.fields.flatMap((field): PathField[] => {
    if (field.kind === 'texts') return [pathField([field.name], ITEM, true)];
    if (field.kind !== 'objects') return [];
    return field.members.map((member) => pathField([field.name, member.name], member, true));
  });
  const others = orderFields(spec).filter(
    ({ name, field }) => name !== 'INTERNAL_ID' && field.kind !== 'amount',
  );
  return [...others, ...inLists].flatMap((one): PathField[] => {
    if (one.field.kind !== 'dateTime') return [one];
    return (['DAY', 'MONTH', 'YEAR'] as const).map((datePart) => ({
      ...one,
      name: `${one.name}_${datePart}`,
      datePart,
    }));
  });
}

function pathField(path: readonly string[], field: PlainField, isInList = false): PathField {
  return { name: enumName(...path), path, field, isInList };
}

/** The values at a path as the service sent them: one, or as many as a list has. */
export function rawValues(record: unknown, { path: [name = '', member], isInList }: PathField): unknown[] {
  const value = memberOf(record, name);
  if (!isInList) return [member === undefined ? value : memberOf(value, member)];
  if (value === null || value === undefined) return [];
  // What is no list is no text either.
  if (!Array.isArray(value)) return [{}];
  return member === undefined ? value : value.map((item) => memberOf(item, member));
}

function memberOf(source: unknown, name: string): unknown {
  return isObject(source) ? source[restName(name)] : undefined;
}
