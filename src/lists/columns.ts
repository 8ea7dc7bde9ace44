import { type FieldTree, LEAF } from '../rest/fields.ts';
import { isNullish, isObject } from '../rest/json.ts';
import type { Member, Members } from '../rest/values.ts';
import { fold } from './text.ts';
import { compareDecimals, type Decimal, parseDecimal, toComparableMoment } from './values.ts';

/** A scalar member of a row, or of an object in it. */
export interface Column {
  readonly names: readonly string[];
  /** The names, joined by dots. */
  readonly name: string;
  readonly member: Member;
  /** Whether a list is on the path, so that a row has any number of values. */
  readonly isList: boolean;
}

export function getColumns(members: Members): Column[] {
  return Object.entries(members).flatMap(([name, member]) => {
    if (member.members === undefined) return [{ names: [name], name, member, isList: member.isList }];
    return getColumns(member.members).map((column) => ({
      ...column,
      names: [name, ...column.names],
      name: `${name}.${column.name}`,
      isList: member.isList || column.isList,
    }));
  });
}

export function createPathTree(names: readonly string[]): FieldTree {
  return names.reduceRight<FieldTree>((members, name) => ({ [name]: members }), LEAF);
}

/** A comparable value: a text is folded, and a timestamp is in UTC. */
export type Value = string | number | boolean | Decimal;

/** The names of members with values that cannot be compared, such as a malformed amount. Such values count as null. */
export type Unreadable = Set<string>;

export function readValue(member: Member, raw: unknown, name: string, unreadable: Unreadable): Value | null {
  if (isNullish(raw)) return null;
  const value = parseValue(member, raw);
  if (value !== undefined) return value;
  unreadable.add(name);
  return null;
}

/** Returns the comparable form of a value, or undefined if its type is wrong. */
export function parseValue({ kind }: Member, raw: unknown): Value | undefined {
  if (typeof raw === 'boolean' || typeof raw === 'number') return raw;
  if (typeof raw !== 'string') return undefined;
  if (kind === 'text') return fold(raw);
  if (kind === 'amount') return parseDecimal(raw);
  return kind === 'timestamp' ? toComparableMoment(raw) : raw;
}

/** Returns the values of a row in a column: none for null, and all those of a list on the path. */
export function readColumn(row: object, { names, name, member }: Column, unreadable: Unreadable) {
  const values: { readonly raw: unknown; readonly value: Value }[] = [];
  const collect = (raw: unknown, depth: number): void => {
    const key = names[depth];
    if (isNullish(raw)) return;
    if (Array.isArray(raw)) {
      for (const item of raw) collect(item, depth);
    } else if (key === undefined) {
      const value = readValue(member, raw, name, unreadable);
      if (value !== null) values.push({ raw, value });
    } else if (raw instanceof Error || !isObject(raw)) unreadable.add(name);
    else collect(raw[key], depth + 1);
  };
  collect(row, 0);
  return values;
}

/** Compares two values of one column. Texts are compared by their sort keys. */
export function compareValues({ kind }: Member, a: Value, b: Value): number {
  if (typeof a === 'object') return typeof b === 'object' ? compareDecimals(a, b) : 1;
  if (kind === 'id' && typeof a === 'string' && typeof b === 'string') return compareIds(a, b);
  return comparePrimitives(a, b);
}

/** Orders numeric ids by value: a longer id is greater. */
export function compareIds(a: string, b: string): number {
  return a.length - b.length || comparePrimitives(a, b);
}

export function comparePrimitives(a: Exclude<Value, Decimal>, b: Value): number {
  return a < b ? -1 : Number(a > b);
}
