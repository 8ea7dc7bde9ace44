import type { RecordShape } from './data/records.ts';
import { badRequestError, isJsonObject, parseRequestJson } from './http.ts';

/** Maps selected fields to their nested selection, or to null for the whole field. */
export type Selection = ReadonlyMap<string, Selection | null>;

/** Parses `fields`. By default, all fields that are not on demand are selected. */
export function readSelection(text: string | undefined, shape: RecordShape): Selection {
  const names = Object.keys(shape);
  if (text === undefined) {
    return new Map(names.filter((name) => !shape[name]?.onDemand).map((name) => [name, null]));
  }
  const value = parseRequestJson(text);
  const { only, ...extra } = isJsonObject(value) ? value : {};
  if (Object.keys(extra).length > 0) throw malformed(text);
  return readDistinct(only, (item) => {
    if (!isJsonObject(item)) return [getFieldName(item, names), null];
    const [[key, inner] = [], ...more] = Object.entries(item);
    if (more.length > 0) throw malformed(text);
    const name = getFieldName(key, names);
    const nested = shape[name]?.nested ?? [];
    return [name, readDistinct(inner, (each) => [getFieldName(each, nested), null])];
  });
}

/** Returns the selected fields of a record, or of each record of a list, if present. */
export function project(value: unknown, selection: Selection | null): unknown {
  if (Array.isArray(value)) return value.map((item) => project(item, selection));
  if (selection === null || !isJsonObject(value)) return value;
  const present = [...selection].filter(([name]) => value[name] !== undefined);
  return Object.fromEntries(present.map(([name, nested]) => [name, project(value[name], nested)]));
}

function readDistinct(list: unknown, read: (item: unknown) => [string, Selection | null]): Selection {
  const selection = new Map(Array.isArray(list) ? list.map(read) : []);
  if (Array.isArray(list) && list.length > 0 && selection.size === list.length) return selection;
  throw malformed(JSON.stringify(list));
}

function malformed(text: string | undefined) {
  const example = '{"only":["id",{"labels":["name"]}]}';
  return badRequestError(`fields must be like ${example}, with no name twice; it has ${text}`);
}

function getFieldName(name: unknown, known: readonly string[]): string {
  if (typeof name === 'string' && known.includes(name)) return name;
  const names = known.join(', ') || 'none';
  throw badRequestError(`There is no field ${JSON.stringify(name)} here; there are: ${names}.`);
}
