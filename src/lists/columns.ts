import { isAbsent, isObject } from '../rest/json.ts';
import type { Member, Members } from '../rest/values.ts';
import { fold } from './text.ts';
import { comparableMoment, compareDecimals, type Decimal, parseDecimal } from './values.ts';

/** A plain member of a row, or of an object in it, with the members on the way to it. */
export interface Column {
  readonly names: readonly string[];
  readonly steps: readonly Member[];
  readonly member: Member;
  /** Whether a list is on the way, so that a row has any number of values. */
  readonly isList: boolean;
}

/** All plain members of a row, with those of objects in it. */
export function columnsOf(members: Members): Column[] {
  return Object.entries(members).flatMap(([name, member]) => {
    if (member.members === undefined)
      return [{ names: [name], steps: [member], member, isList: member.isList }];
    return columnsOf(member.members).map(({ names, steps, ...column }) => ({
      ...column,
      names: [name, ...names],
      steps: [member, ...steps],
      isList: member.isList || column.isList,
    }));
  });
}

/** A value of a row, as it is compared: a text is folded, and a moment is one in UTC. */
export type Value = string | number | boolean | Decimal;

/** Told the name of a member whose value cannot be read; such a value counts as null. */
export type OnUnreadable = (name: string) => void;

/** The value of a plain member, as it is compared. */
export function readValue(
  { kind }: Member,
  value: unknown,
  name: string,
  onUnreadable: OnUnreadable,
): Value | null {
  if (isAbsent(value)) return null;
  const read = parseValue(kind, value);
  if (read !== undefined) return read;
  onUnreadable(name);
  return null;
}

/** Values were checked when the row was made: what is not what it may be is an Error. */
function parseValue(kind: Member['kind'], value: unknown): Value | undefined {
  if (typeof value === 'boolean' || typeof value === 'number') return value;
  if (typeof value !== 'string') return undefined;
  if (kind === 'text') return fold(value);
  if (kind === 'amount') return parseDecimal(value);
  return kind === 'moment' ? comparableMoment(value) : value;
}

/** What a column holds: nothing for null, and any number of values where a list is on the way. */
export function rawValues(row: object, column: Column, onUnreadable: OnUnreadable): unknown[] {
  const { names, steps } = column;
  const values: unknown[] = [];
  const collect = (value: unknown, depth: number): void => {
    if (isAbsent(value)) return;
    const name = names[depth];
    if (name === undefined) values.push(value);
    else if (value instanceof Error || !isObject(value)) onUnreadable(names.join('.'));
    else if (steps[depth]?.isList) {
      for (const item of itemsOf(value[name], names.join('.'), onUnreadable)) collect(item, depth + 1);
    } else collect(value[name], depth + 1);
  };
  collect(row, 0);
  return values;
}

/** The items of a list: none of a missing one, nor of one that cannot be read. */
export function itemsOf(list: unknown, name: string, onUnreadable: OnUnreadable): readonly unknown[] {
  if (isAbsent(list)) return [];
  if (Array.isArray(list)) return list;
  onUnreadable(name);
  return [];
}

/** Both of one column; of texts, their keys in an order. */
export function compareValues({ kind }: Member, a: Value, b: Value): number {
  if (typeof a === 'object') return typeof b === 'object' ? compareDecimals(a, b) : 1;
  if (kind === 'id' && typeof a === 'string' && typeof b === 'string') return compareIds(a, b);
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** In the order of numbers, or of characters where the lengths are equal: of two ids the longer one is greater. */
export function compareIds(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
