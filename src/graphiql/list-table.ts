import { isObject } from '../rest/json.ts';
import type { Result } from './result.ts';

export type ListTable = NonNullable<ReturnType<typeof buildTable>>;

interface Parent {
  readonly groups?: unknown;
  readonly totals?: { readonly count?: number };
  readonly pageInfo?: { readonly hasNextPage?: boolean; readonly endCursor?: string };
}

/**
 * The one list of an answer as rows and columns, which are named by the path from the record to the value. Undefined if
 * it has no list of records, or several: lists inside the records do not count.
 */
export function buildTable({ data }: Result) {
  const [list, another] = findLists(data);
  if (!list || another) return undefined;
  const { items, parent } = list;
  const records = items.map((item) => collectCells(isObject(item) ? flat(item) : {}));
  const names = [...new Set(records.flatMap((cells) => [...cells.keys()]))];
  const columns = names
    // An object that is null in one record has its members in others.
    .filter((name) => !names.some((other) => other.startsWith(`${name}.`)))
    .map((name) => ({ name, isNumber: areNumbers(records.map((cells) => cells.get(name) ?? [])) }));
  const { hasNextPage, endCursor } = parent.pageInfo ?? {};
  return {
    columns,
    // Null where there is no value.
    rows: records.map((cells) => columns.map(({ name }) => textOf(cells.get(name) ?? []))),
    // Of groups, the totals count the records.
    total: parent.groups === items ? undefined : parent.totals?.count,
    endCursor: hasNextPage ? endCursor : undefined,
  };
}

function findLists(parent: unknown): { readonly items: readonly unknown[]; readonly parent: Parent }[] {
  if (!isObject(parent)) return [];
  return Object.values(parent).flatMap((member) => {
    if (!Array.isArray(member)) return findLists(member);
    return member.every((item) => item === null || isObject(item)) ? [{ items: member, parent }] : [];
  });
}

/** Of an edge, the record is its node, and of a group, its totals: as in CSV, beside the cursor and the key. */
function flat(item: Record<string, unknown>): Record<string, unknown> {
  const { node, totals = node, ...others } = item;
  return isObject(totals) ? { ...others, ...totals } : item;
}

/** The values of a record by their paths: of a list inside it, those of its items. */
function collectCells(value: unknown, path = '', cells = new Map<string, unknown[]>()) {
  if (Array.isArray(value)) for (const item of value) collectCells(item, path, cells);
  else if (isObject(value))
    for (const [name, inner] of Object.entries(value))
      collectCells(inner, path ? `${path}.${name}` : name, cells);
  else cells.set(path, [...(cells.get(path) ?? []), value]);
  return cells;
}

/** The items of a list are joined as in CSV. */
function textOf(values: readonly unknown[]): string | null {
  return values.length === 1 && values[0] === null ? null : values.map((value) => value ?? '').join('; ');
}

/** Numbers of JSON, or amounts, which are text with decimals: text of digits alone is an id or a code. */
function areNumbers(cells: readonly (readonly unknown[])[]): boolean {
  const given = cells.filter(([value]) => (value ?? null) !== null).map(textOf);
  const isSure =
    cells.some(([value]) => typeof value === 'number') || given.some((text) => text?.includes('.'));
  return isSure && given.every((text) => /^-?\d+(\.\d+)?$/.test(text ?? ''));
}
