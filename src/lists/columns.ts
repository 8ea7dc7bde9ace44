import { type FieldTree, LEAF } from '../rest/fields.ts';
import { isNullish, isObject } from '../rest/json.ts';
import type { Member, Members } from '../rest/values.ts';
import { fold } from './text.ts';
import { comparableMoment, compareDecimals, type Decimal, parseDecimal } from './values.ts';

/** A plain member of a row, or of an object in it. */
export interface Column {
  readonly names: readonly string[];
  /** Its names, with dots between them. */
  readonly name: string;
  readonly member: Member;
  /** Whether a list is on the way, so that a row has any number of values. */
  readonly isList: boolean;
}

/** All plain members of a row, with those of objects in it. */
export function columnsOf(members: Members): Column[] {
  return Object.entries(members).flatMap(([name, member]) => {
    if (member.members === undefined) return [{ names: [name], name, member, isList: member.isList }];
    return columnsOf(member.members).map((column) => ({
      ...column,
      names: [name, ...column.names],
      name: `${name}.${column.name}`,
      isList: member.isList || column.isList,
    }));
  });
}

/** What to select, to read a column. */
export function fieldsTo(names: readonly string[]): FieldTree {
  return names.reduceRight<FieldTree>((members, name) => ({ [name]: members }), LEAF);
}

/** A value of a row, as it is compared: a text is folded, and a moment is one in UTC. */
export type Value = string | number | boolean | Decimal;

/** The names of members with values that cannot be read, such as an amount that is no number; these count as null. */
export type Unreadable = Set<string>;

/** The value of a plain member, as it is compared. */
export function readValue(member: Member, raw: unknown, name: string, unreadable: Unreadable): Value | null {
  if (isNullish(raw)) return null;
  const value = parseValue(member, raw);
  if (value !== undefined) return value;
  unreadable.add(name);
  return null;
}

/** As it is compared. Values of rows were checked when they were made: what is not what it may be is an Error. */
export function parseValue({ kind }: Member, raw: unknown): Value | undefined {
  if (typeof raw === 'boolean' || typeof raw === 'number') return raw;
  if (typeof raw !== 'string') return undefined;
  if (kind === 'text') return fold(raw);
  if (kind === 'amount') return parseDecimal(raw);
  return kind === 'moment' ? comparableMoment(raw) : raw;
}

/** What a column holds: none for null, and any number of values where a list is on the way. */
export function valuesIn(row: object, { names, name, member }: Column, unreadable: Unreadable) {
  const values: { readonly raw: unknown; readonly value: Value }[] = [];
  const collect = (source: unknown, depth: number): void => {
    const step = names[depth];
    if (isNullish(source)) return;
    if (Array.isArray(source)) {
      for (const item of source) collect(item, depth);
    } else if (step === undefined) {
      const value = readValue(member, source, name, unreadable);
      if (value !== null) values.push({ raw: source, value });
    } else if (source instanceof Error || !isObject(source)) unreadable.add(name);
    else collect(source[step], depth + 1);
  };
  collect(row, 0);
  return values;
}

/** Both of one column; of texts, their keys in an order. */
export function compareValues({ kind }: Member, a: Value, b: Value): number {
  if (typeof a === 'object') return typeof b === 'object' ? compareDecimals(a, b) : 1;
  if (kind === 'id' && typeof a === 'string' && typeof b === 'string') return compareIds(a, b);
  return compareCodes(a, b);
}

/** In the order of numbers, or of characters where the lengths are equal: of two ids the longer one is greater. */
export function compareIds(a: string, b: string): number {
  return a.length - b.length || compareCodes(a, b);
}

export function compareCodes(a: Exclude<Value, Decimal>, b: Value): number {
  return a < b ? -1 : Number(a > b);
}
