import { type Field, type PlainField, restName } from './lists.ts';
import { compareValues, isObject, readValue, type Texts, type Value } from './values.ts';

/** A `where` argument, or a part of one. */
export interface Where {
  readonly [member: string]: unknown;
}

type Source = Readonly<Record<string, unknown>>;

const TEXT: Pick<PlainField, 'kind'> = { kind: 'text' };

/** Whether a record, or an object in one, is what the filter asks for. */
export function holds(texts: Texts, fields: readonly Field[], where: Where, source: Source | null): boolean {
  return Object.entries(where).every(([name, condition]) => {
    if (condition === null || condition === undefined) return true;
    const inner = (part: unknown) => holds(texts, fields, asWhere(part), source);
    if (name === 'and') return asList(condition).every(inner);
    if (name === 'or') return asList(condition).some(inner);
    if (name === 'not') return !inner(condition);
    if (name === 'isNull') return (source === null) === condition;
    const field = fields.find((candidate) => candidate.name === name);
    if (field === undefined) throw new TypeError(`there is no field ${name}`);
    return fieldHolds(texts, field, asWhere(condition), source?.[restName(name)]);
  });
}

function fieldHolds(texts: Texts, field: Field, where: Where, raw: unknown): boolean {
  switch (field.kind) {
    case 'object':
      return holds(texts, field.members, where, isObject(raw) ? raw : null);
    case 'objects':
      return listHolds(where, raw, (part, item) =>
        holds(texts, field.members, part, isObject(item) ? item : null),
      );
    case 'texts':
      return listHolds(where, raw, (part, item) => valueHolds(texts, TEXT, part, item));
    default:
      return valueHolds(texts, field, where, raw);
  }
}

function listHolds(where: Where, raw: unknown, itemHolds: (part: Where, item: unknown) => boolean): boolean {
  const items: readonly unknown[] = Array.isArray(raw) ? raw : [];
  return Object.entries(where).every(([name, condition]) => {
    if (condition === null || condition === undefined) return true;
    if (name === 'isEmpty') return (items.length === 0) === condition;
    const isWanted = (item: unknown) => itemHolds(asWhere(condition), item);
    if (name === 'some') return items.some(isWanted);
    if (name === 'every') return items.every(isWanted);
    if (name === 'none') return !items.some(isWanted);
    throw new TypeError(`lists have no ${name}`);
  });
}

function valueHolds(texts: Texts, field: Pick<PlainField, 'kind'>, where: Where, raw: unknown): boolean {
  const value = readValue(field, raw);
  return Object.entries(where).every(([name, wanted]) => {
    if (wanted === null || wanted === undefined) return true;
    if (name === 'isNull') return (value === null) === wanted;
    return value !== null && comparisonHolds(texts, field, name, value, wanted);
  });
}

function comparisonHolds(
  texts: Texts,
  { kind }: Pick<PlainField, 'kind'>,
  name: string,
  value: Value,
  wanted: unknown,
): boolean {
  const order = (other: unknown) => compareValues(texts, kind, value, argument(kind, other));
  if (name === 'in') return asList(wanted).some((other) => order(other) === 0);
  if (name === 'contains') return texts.contains(String(value), String(wanted));
  if (name === 'startsWith') return texts.startsWith(String(value), String(wanted));
  const sign = order(wanted);
  if (name === 'eq') return sign === 0;
  if (name === 'gt') return sign > 0;
  if (name === 'gte') return sign >= 0;
  if (name === 'lt') return sign < 0;
  if (name === 'lte') return sign <= 0;
  throw new TypeError(`values have no ${name}`);
}

/** An id may be given as a global one, which is a list of type, administration and id. */
function argument(kind: PlainField['kind'], given: unknown): Value {
  if (typeof given !== 'string' && typeof given !== 'number' && typeof given !== 'boolean') {
    throw new TypeError('no value to compare with');
  }
  if (kind !== 'id' || !String(given).startsWith('WyJ')) return given;
  return JSON.parse(Buffer.from(String(given), 'base64url').toString())[2];
}

function asWhere(value: unknown): Where {
  if (!isObject(value)) throw new TypeError('a filter is an object');
  return value;
}

/** A single value where a list is expected is a list of one. */
function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}
