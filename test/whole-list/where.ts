import { fold } from '../../src/lists/text.ts';
import { present } from '../support/present.ts';
import { type Field, type PlainField, restName } from './lists.ts';
import { compareValues, isObject, readValue, type Value } from './values.ts';

export interface Where {
  readonly [member: string]: unknown;
}

type Source = Readonly<Record<string, unknown>>;

export function holds(fields: readonly Field[], where: Where, source: Source | null): boolean {
  return Object.entries(where).every(([name, condition]) => {
    if (condition === null || condition === undefined) return true;
    const inner = (part: unknown) => holds(fields, asWhere(part), source);
    if (name === 'and') return asList(condition).every(inner);
    if (name === 'or') return asList(condition).some(inner);
    if (name === 'not') return !inner(condition);
    if (name === 'isNull') return (source === null) === condition;
    const field = fields.find((candidate) => candidate.name === name);
    return fieldHolds(present(field), asWhere(condition), source?.[restName(name)]);
  });
}

function fieldHolds(field: Field, where: Where, raw: unknown): boolean {
  const onObject = (part: Where, item: unknown) =>
    'members' in field && holds(field.members, part, isObject(item) ? item : null);
  if (field.kind === 'object') return onObject(where, raw);
  if (field.kind === 'objects') return listHolds(where, raw, onObject);
  if (field.kind === 'texts') return listHolds(where, raw, (part, item) => valueHolds('text', part, item));
  return valueHolds(field.kind, where, raw);
}

function listHolds(where: Where, raw: unknown, itemHolds: (part: Where, item: unknown) => boolean): boolean {
  const items: readonly unknown[] = Array.isArray(raw) ? raw : [];
  return Object.entries(where).every(([name, condition]) => {
    if (condition === null) return true;
    if (name === 'isEmpty') return (items.length === 0) === condition;
    const isWanted = (item: unknown) => itemHolds(asWhere(condition), item);
    if (name === 'some') return items.some(isWanted);
    return name === 'every' ? items.every(isWanted) : !items.some(isWanted);
  });
}

function valueHolds(kind: PlainField['kind'], where: Where, raw: unknown): boolean {
  const value = readValue({ kind }, raw);
  const order = (other: unknown) => compareValues(kind, value, argument(kind, other));
  const tests: Readonly<Record<string, (wanted: unknown) => boolean>> = {
    in: (wanted) => asList(wanted).some((other) => order(other) === 0),
    contains: (wanted) => fold(String(value)).includes(fold(String(wanted))),
    startsWith: (wanted) => fold(String(value)).startsWith(fold(String(wanted))),
    eq: (wanted) => order(wanted) === 0,
    gt: (wanted) => order(wanted) > 0,
    gte: (wanted) => order(wanted) >= 0,
    lt: (wanted) => order(wanted) < 0,
    lte: (wanted) => order(wanted) <= 0,
  };
  return Object.entries(where).every(([name, wanted]) => {
    if (wanted === null) return true;
    if (name === 'isNull') return (value === null) === wanted;
    return value !== null && present(tests[name])(wanted);
  });
}

/** An id may be given as a global one, which is a list of type, administration and id. */
function argument(kind: PlainField['kind'], given: unknown): Value {
  if (kind === 'id' && String(given).startsWith('WyJ'))
    return JSON.parse(Buffer.from(String(given), 'base64url').toString())[2];
  return readValue({ kind }, given);
}

function asWhere(value: unknown): Where {
  return isObject(value) ? value : {};
}

/** A single value where a list is expected is a list of one. */
function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}
