import { isObject } from '../rest/json.ts';
import { isText, type TextCodec } from '../rest/wire-text.ts';
import { LetterCount, type TextRules } from './text-rules.ts';
import { comparableMoment, compareDecimals, type Decimal, parseDecimal } from './values.ts';

/** The fields of a record that lists can be filtered, ordered and added up by, by their GraphQL names. */
export type RecordFields = ReadonlyMap<string, RecordField>;

export interface RecordField {
  /** In GraphQL, and in the REST service. */
  readonly name: string;
  readonly restName: string;
  readonly shape: Shape;
}

export type Shape = PlainShape | ObjectShape | ListShape;

export interface PlainShape {
  readonly kind: 'text' | 'id' | 'amount' | 'int' | 'dateTime' | 'boolean' | 'enum';
  /** Of an enum: its name, and the GraphQL name of each REST value. */
  readonly typeName?: string;
  readonly enumNames?: ReadonlyMap<string, string>;
}

interface ObjectShape {
  readonly kind: 'object';
  readonly typeName: string;
  readonly fields: RecordFields;
}

export interface ListShape {
  readonly kind: 'list';
  readonly item: PlainShape | ObjectShape;
}

/** A plain field of a record, or of an object in it: the names on the way to it. */
export interface Column {
  readonly names: readonly string[];
  readonly path: readonly string[];
  readonly shape: PlainShape;
  /** The lists that steps of the path lead to, so that a record has any number of values. */
  readonly lists: readonly (ListShape | undefined)[];
}

/** All plain fields of a record, with those of objects in it. */
export function columnsOf(fields: RecordFields): Column[] {
  return [...fields.values()].flatMap(({ name, restName, shape }) => {
    const list = shape.kind === 'list' ? shape : undefined;
    const item = shape.kind === 'list' ? shape.item : shape;
    if (item.kind !== 'object') return [{ names: [name], path: [restName], shape: item, lists: [list] }];
    return columnsOf(item.fields).map((column) => ({
      ...column,
      names: [name, ...column.names],
      path: [restName, ...column.path],
      lists: [list, ...column.lists],
    }));
  });
}

/** A value of a record, as it is compared: a moment is a text, and so is the name of an enum's value. */
export type Value = string | number | boolean | Decimal;

/** What is needed to read and compare values. */
export interface ValueOptions {
  readonly rules: TextRules;
  readonly text: TextCodec;
  /** Told the name of a field whose value cannot be read; the value counts as null. */
  readonly onUnreadable: (name: string) => void;
}

/** The value of a plain field, from what the service sent; of a text, if the letters of the record are not too many. */
export function readValue(
  shape: PlainShape,
  raw: unknown,
  name: string,
  { text, onUnreadable }: Pick<ValueOptions, 'text' | 'onUnreadable'>,
  letters?: LetterCount,
): Value | null {
  if (raw === null || raw === undefined) return null;
  const value = parseValue(shape, raw, text, letters);
  if (value !== undefined) return value;
  onUnreadable(name);
  return null;
}

/** To decode and compare longer texts and lists would hold up everybody else. */
export const MAX_TEXT_BYTES = 50_000;
const MAX_ITEMS = 200;

function parseValue(
  { kind, enumNames }: PlainShape,
  raw: unknown,
  text: TextCodec,
  letters?: LetterCount,
): Value | undefined {
  if (kind === 'boolean') return typeof raw === 'boolean' ? raw : undefined;
  // Of 32 bits, as in GraphQL.
  if (kind === 'int') return typeof raw === 'number' && (raw | 0) === raw ? raw : undefined;
  if (!isText(raw) || String(raw).length > MAX_TEXT_BYTES) return undefined;
  const decoded = text.decode(raw);
  if (kind === 'amount') return parseDecimal(decoded);
  if (kind === 'dateTime') return comparableMoment(decoded);
  if (kind === 'enum') return enumNames?.get(decoded);
  return kind === 'text' && letters?.isTooMuch(decoded) ? undefined : decoded;
}

/** The items of a list: none of a missing one, nor of one that cannot be read or is too long. */
export function itemsOf(
  { item }: ListShape,
  list: unknown,
  name: string,
  { onUnreadable }: Pick<ValueOptions, 'onUnreadable'>,
): readonly unknown[] {
  if (list === null || list === undefined) return [];
  if (Array.isArray(list) && list.length <= MAX_ITEMS && textBytes(item, list) <= MAX_TEXT_BYTES) return list;
  onUnreadable(name);
  return [];
}

/** How long the texts of items are together. */
function textBytes(shape: PlainShape | ObjectShape, items: readonly unknown[]): number {
  const members = shape.kind === 'object' ? [...shape.fields.values()] : [];
  const texts = items.flatMap((item) =>
    isObject(item) ? members.map(({ restName }) => item[restName]) : [item],
  );
  return texts.reduce<number>((bytes, text) => bytes + (isText(text) ? String(text).length : 0), 0);
}

/** The values of a column: none for null, and any number where a list is on the way. */
export function readColumn(record: object, column: Column, options: ValueOptions): Value[] {
  const { names, path, lists, shape } = column;
  const name = names.join('.');
  const values: Value[] = [];
  const letters = new LetterCount();
  const collect = (value: unknown, depth: number): void => {
    const restName = path[depth];
    if (value === null || value === undefined) return;
    if (restName === undefined) {
      const read = readValue(shape, value, name, options, letters);
      if (read !== null) values.push(read);
    } else if (!isObject(value)) options.onUnreadable(name);
    else {
      const list = lists[depth];
      const members = list ? itemsOf(list, value[restName], name, options) : [value[restName]];
      for (const member of members) collect(member, depth + 1);
    }
  };
  collect(record, 0);
  return values;
}

/** Both of one column. Texts are folded. */
export function compareValues({ kind }: PlainShape, a: Value, b: Value, rules: TextRules): number {
  if (typeof a === 'object') return typeof b === 'object' ? compareDecimals(a, b) : 1;
  if (typeof a === 'string' && typeof b === 'string') {
    if (kind === 'text') return rules.compare(a, b);
    if (kind === 'id') return compareIds(a, b);
  }
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** In the order of numbers, or of characters where the lengths are equal: of two ids the longer one is greater. */
export function compareIds(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
