import type { RecordShape } from './data/records.ts';
import { badRequestError, isJsonObject, parseRequestJson } from './http.ts';

type Source = Readonly<Record<string, unknown>>;

/** Field names, each with the nested names selected, or null for the whole field. */
export type Selection = ReadonlyMap<string, readonly string[] | null>;

/** Parses `fields`; without it, all fields that are not on demand are selected. */
export function readSelection(text: string | undefined, shape: RecordShape): Selection {
  if (text === undefined) {
    const usual = Object.entries(shape).filter(([, field]) => !field.onDemand);
    return new Map(usual.map(([name]) => [name, null]));
  }

  const value = parseRequestJson(text);
  if (!isJsonObject(value)) throw badRequestError(`fields must be a JSON object, but it is: ${text}`);
  const { only, ...others } = value;
  if (Object.keys(others).length > 0)
    throw badRequestError(`fields takes the key only, not ${Object.keys(others)}.`);
  if (!Array.isArray(only) || only.length === 0)
    throw badRequestError('fields.only must be a list with something in it.');

  const selection = new Map<string, readonly string[] | null>();
  for (const item of only) {
    const [name, nested] = readItem(item, shape);
    if (selection.has(name)) throw badRequestError(`fields names ${name} twice.`);
    selection.set(name, nested);
  }
  return selection;
}

/** Returns only the selected fields of a record; fields that the record lacks stay absent. */
export function project(record: Source, selection: Selection): Source {
  const selected: Record<string, unknown> = {};
  for (const [name, nested] of selection) {
    const value = record[name];
    if (value !== undefined) selected[name] = nested ? projectNested(value, nested) : value;
  }
  return selected;
}

function readItem(item: unknown, shape: RecordShape): [string, readonly string[] | null] {
  if (typeof item === 'string') {
    requireKnown(item, Object.keys(shape));
    return [item, null];
  }
  const [entry, ...others] = isJsonObject(item) ? Object.entries(item) : [];
  if (!entry || others.length > 0) {
    throw badRequestError(
      `fields.only takes names and objects with a single key, not ${JSON.stringify(item)}.`,
    );
  }
  const [name, nested] = entry;
  requireKnown(name, Object.keys(shape));
  const known = shape[name]?.nested;
  if (!known) throw badRequestError(`${name} has no nested fields.`);
  if (!Array.isArray(nested) || nested.length === 0) {
    throw badRequestError(`The nested fields of ${name} must be a list with something in it.`);
  }
  if (new Set(nested).size < nested.length) throw badRequestError(`fields names a field of ${name} twice.`);
  for (const inner of nested) requireKnown(inner, known);
  return [name, nested];
}

function requireKnown(name: unknown, known: readonly unknown[]): void {
  if (!known.includes(name)) throw badRequestError(`There is no field ${JSON.stringify(name)}.`);
}

function projectNested(value: unknown, nested: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => projectNested(item, nested));
  if (!isJsonObject(value)) return value;
  return project(value, new Map(nested.map((name) => [name, null])));
}
