import { isObject } from '../rest/json.ts';
import { getListArgument } from './list-argument.ts';
import type { Result } from './result.ts';

export type ListTable = NonNullable<ReturnType<typeof buildTable>>;
type Cells = Map<string, unknown[]>;

interface Parent {
  readonly totals?: { readonly count?: number };
  readonly pageInfo?: { readonly hasNextPage?: boolean; readonly endCursor?: string };
}

/**
 * Returns the list of a result as rows and columns. A column has the name of the path from the record to the value.
 * Returns undefined if the result has no list of records, or several; lists inside records do not count.
 */
export function buildTable({ data, extensions }: Result) {
  const { events, operation } = extensions?.graphiql ?? {};
  const rows = events?.map((event) => (isObject(event.data) ? Object.values(event.data)[0] : null));
  const [list, another] = findLists(rows ? { rows } : data);
  if (!list || another) return undefined;
  const { name: member, items, parent } = list;
  const records = items.map((item) => collectCells(isObject(item) ? flattenItem(item) : {}));
  const names = collectNames(records);
  const columns = names
    // An object or list that is null or empty in one record has members in others.
    .filter((name) => !names.some((other) => other.startsWith(`${name}.`)))
    // A cursor serves to resume a stream, not to be read.
    .filter((name) => !events || name !== 'cursor')
    .map((name) => ({ name, isNumber: areNumbers(records.map((cells) => cells.get(name) ?? [])) }));
  const isOfGroups = member === 'groups';
  const { hasNextPage, endCursor } = (!isOfGroups && parent.pageInfo) || {};
  const first = Number((operation && getListArgument(operation, 'first')) ?? 100);
  const isFull = ['nodes', 'edges', 'groups'].includes(member) && items.length >= first;
  const { count, ...totals } = parent.totals ?? {};
  return {
    columns,
    /** The text of each cell; null if there is no value. */
    rows: records.map((cells) => columns.map(({ name }) => formatCell(cells.get(name) ?? []))),
    isOfGroups,
    /** Whether records or groups may follow that the user cannot turn to. */
    mayHaveMore: (hasNextPage ?? isFull) && !endCursor,
    /** The number of records on all pages or in all groups, if it was selected. */
    count,
    totals: [...collectCells(totals)].map(([name, cell]) => `${name} ${formatCell(cell)}`).join(' · '),
    endCursor: hasNextPage ? endCursor : undefined,
  };
}

function findLists(parent: unknown): { name: string; items: readonly unknown[]; parent: Parent }[] {
  if (!isObject(parent)) return [];
  return Object.entries(parent).flatMap(([name, member]) => {
    if (!Array.isArray(member)) return findLists(member);
    return member.every((item) => item === null || isObject(item)) ? [{ name, items: member, parent }] : [];
  });
}

/** Merges the node of an edge or the totals of a group with the members beside it, as CSV does. */
function flattenItem(item: Record<string, unknown>): Record<string, unknown> {
  const { node, totals = node, ...others } = item;
  return isObject(totals) ? { ...others, ...totals } : item;
}

/** Collects the values of a record by their paths; a path through a list has the values of all items. */
function collectCells(value: unknown, path = '', cells: Cells = new Map()): Cells {
  if (Array.isArray(value) && value.length > 0) for (const item of value) collectCells(item, path, cells);
  else if (isObject(value) && !Array.isArray(value))
    for (const [name, inner] of Object.entries(value))
      collectCells(inner, path ? `${path}.${name}` : name, cells);
  else cells.set(path, [...(cells.get(path) ?? []), ...[value].flat()]);
  return cells;
}

/** Merges the names of all records in the order of the selection, although records lack what is null or empty. */
function collectNames(records: readonly Cells[]): string[] {
  const names: string[] = [];
  for (const cells of records) {
    let position = 0;
    for (const name of cells.keys()) {
      if (!names.includes(name)) names.splice(position, 0, name);
      position = names.indexOf(name) + 1;
    }
  }
  return names;
}

/** Joins the items of a list as CSV does. */
function formatCell(values: readonly unknown[]): string | null {
  return values.length === 1 && values[0] === null ? null : values.map((value) => value ?? '').join('; ');
}

/** Numbers are JSON numbers, or amounts, which are texts with decimals; a text of digits alone is an id or a code. */
function areNumbers(cells: readonly (readonly unknown[])[]): boolean {
  const texts = cells.filter(([value]) => (value ?? null) !== null).map(formatCell);
  const isSure =
    cells.some(([value]) => typeof value === 'number') || texts.some((text) => text?.includes('.'));
  return isSure && texts.every((text) => /^-?\d+(\.\d+)?$/.test(text ?? ''));
}
