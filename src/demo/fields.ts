import type { RecordShape } from './data/records.ts';
import { badRequestError, type HttpError, isJsonObject, parseRequestJson } from './http.ts';

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
  const { only, ...others } = isJsonObject(value) ? value : {};
  if (!isListOfDistinct(only) || Object.keys(others).length > 0) throw malformed(text);
  const selection = new Map(only.map((item) => readItem(item, shape)));
  if (selection.size < only.length) throw malformed(text);
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
  if (typeof item === 'string') return [findName(item, Object.keys(shape)), null];
  const [entry, ...others] = isJsonObject(item) ? Object.entries(item) : [];
  if (!entry || others.length > 0 || !isListOfDistinct(entry[1])) throw malformed(JSON.stringify(item));
  const name = findName(entry[0], Object.keys(shape));
  const known = shape[name]?.nested ?? [];
  return [name, entry[1].map((inner) => findName(inner, known))];
}

function isListOfDistinct(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length > 0 && new Set(value).size === value.length;
}

function malformed(text: string): HttpError {
  return badRequestError(
    `fields must be like {"only":["id",{"labels":["name"]}]}, with no name twice; it has ${text}`,
  );
}

function findName(name: unknown, known: readonly string[]): string {
  const found = known.find((candidate) => candidate === name);
  if (found !== undefined) return found;
  throw badRequestError(
    `There is no field ${JSON.stringify(name)} here; there are: ${known.join(', ') || 'none'}.`,
  );
}

function projectNested(value: unknown, nested: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => projectNested(item, nested));
  if (!isJsonObject(value)) return value;
  return project(value, new Map(nested.map((name) => [name, null])));
}
