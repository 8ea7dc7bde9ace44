import { compareDecimals, parseDecimal } from '../lists/values.ts';
import { isObject, parseJson } from '../rest/json.ts';
import { recordIn, textOrNull } from './send.ts';

/** The one list of an answer as rows and columns. */
export interface ListTable {
  /** Each named by the path from the record to the value: `postalAddress.city`. */
  readonly columns: readonly { readonly name: string; readonly isNumber: boolean }[];
  readonly rows: readonly TableRow[];
  /** How many records the whole list has; null where the answer does not tell. */
  readonly total: number | null;
  /** Where the next page starts; null where there is none, or the answer does not tell. */
  readonly endCursor: string | null;
}

/** The texts of its cells; null where there is no value. */
type TableRow = readonly (string | null)[];

export interface RowOrder {
  readonly column: number;
  readonly isDescending: boolean;
}

const byAlphabet = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** Undefined if the answer has no list of records, or several: lists inside the records do not count. */
export function tableOf(response: string): ListTable | undefined {
  const body = parseJson(response);
  const [list, another] = isObject(body) ? listsIn(body.data) : [];
  if (!list || another) return undefined;
  const { rows: items, parent } = list;
  const records = items.map((item) => (isObject(item) ? flatRow(item) : {}));
  const shape: Shape = new Map();
  for (const record of records) addTo(shape, record);
  const paths = pathsIn(shape);
  const columns = paths.map((path) => ({
    name: path.join('.'),
    isNumber: areNumbers(records.map((record) => valueAt(record, path))),
  }));
  const { count } = recordIn(parent, 'totals');
  const { hasNextPage, endCursor } = recordIn(parent, 'pageInfo');
  return {
    columns,
    rows: records.map((record) => paths.map((path) => textOf(valueAt(record, path)))),
    // Of groups, the totals count the records.
    total: typeof count === 'number' && parent.groups !== items ? count : null,
    endCursor: hasNextPage === true ? textOrNull(endCursor) : null,
  };
}

/** The rows in another order; those without a value come last, as in an order of the gateway. */
export function orderRows({ columns, rows }: ListTable, { column, isDescending }: RowOrder): TableRow[] {
  const compare = columns[column]?.isNumber ? compareDecimalTexts : byAlphabet.compare;
  const sign = isDescending ? -1 : 1;
  return rows.toSorted((left, right) => {
    const [one, other] = [left[column] ?? null, right[column] ?? null];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return sign * compare(one, other);
  });
}

/** Each with what has the list, and its totals. */
function listsIn(parent: unknown): { rows: unknown[]; parent: Record<string, unknown> }[] {
  if (!isObject(parent)) return [];
  return Object.values(parent).flatMap((member) => {
    if (!Array.isArray(member)) return listsIn(member);
    return member.every((item) => item === null || isObject(item)) ? [{ rows: member, parent }] : [];
  });
}

/** Of an edge, the record is its node, and of a group, its totals: as in CSV, beside the cursor and the key. */
function flatRow(item: Record<string, unknown>): Record<string, unknown> {
  const members = Object.entries(item);
  const [inner, another] = members.filter(([, value]) => isObject(value));
  if (!inner || another || !['node', 'totals'].includes(inner[0])) return item;
  return Object.fromEntries(
    members.flatMap((member) => (isObject(member[1]) ? Object.entries(member[1]) : [member])),
  );
}

/** The members that occur in any of the records, in the order in which they first do. */
type Shape = Map<string, Shape>;

function addTo(shape: Shape, record: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(record)) {
    const inner: Shape = shape.get(key) ?? new Map();
    shape.set(key, inner);
    for (const item of Array.isArray(value) ? value : [value]) if (isObject(item)) addTo(inner, item);
  }
}

function pathsIn(shape: Shape): string[][] {
  return [...shape].flatMap(([key, inner]) =>
    inner.size === 0 ? [[key]] : pathsIn(inner).map((path) => [key, ...path]),
  );
}

/** Of a list inside a record, the values of its items. */
function valueAt(value: unknown, path: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => valueAt(item, path));
  const [key, ...rest] = path;
  if (key === undefined) return value;
  return isObject(value) ? valueAt(value[key], rest) : null;
}

/** The items of a list are joined as in CSV. */
function textOf(value: unknown): string | null {
  if (Array.isArray(value)) return value.map((item) => textOf(item) ?? '').join('; ');
  return value === null || value === undefined ? null : String(value);
}

const DECIMAL = /^-?\d+(\.\d+)?$/;

/** Numbers of JSON, or amounts, which are text with decimals: text of digits alone is an id or a code. */
function areNumbers(values: readonly unknown[]): boolean {
  const given = values.filter((value) => value !== null && value !== undefined);
  const isSure = given.some((value) => typeof value === 'number' || String(value).includes('.'));
  return isSure && given.every((value) => !Array.isArray(value) && DECIMAL.test(String(value)));
}

/** Exactly: as numbers, large amounts would lose cents. */
export function compareDecimalTexts(one: string, other: string): number {
  const [left, right] = [parseDecimal(one), parseDecimal(other)];
  return left && right ? compareDecimals(left, right) : 0;
}
