import type { Ask } from './generate.ts';
import { globalId } from './generate-where.ts';
import { type ListSpec, type PlainField, restName } from './lists.ts';
import { filterRows, orderRows, type Place, pairsOf, type Row, rowsAfter, totalsOf } from './model.ts';
import { readValue } from './values.ts';

const DEFAULT_FIRST = 100;
const DEFAULT_GROUPS = 100;

export interface Expected {
  readonly connection: object;
  readonly page: readonly Row[];
}

/** Whether the gateway filters or orders the list; an empty filter does not count. */
function isWhole({ where, orderBy }: Ask): boolean {
  return !saysNothing(where) || orderBy.length > 0;
}

/** An empty form: null at any depth. */
function saysNothing(where: unknown): boolean {
  if (where === null || where === undefined) return true;
  if (typeof where !== 'object' || Array.isArray(where)) return false;
  return Object.entries(where).every(([name, value]) =>
    ['not', 'some', 'every', 'none'].includes(name) ? value === null : saysNothing(value),
  );
}

export function expectedAnswer(spec: ListSpec, rows: readonly Row[], ask: Ask, after?: Place): Expected {
  const filtered = filterRows(spec, rows, ask.where ?? {});
  const ordered = isWhole(ask) ? orderRows(filtered, ask.orderBy) : rows;
  const behind = after ? rowsAfter(ordered, ask.orderBy, after) : ordered;
  const first = ask.first ?? DEFAULT_FIRST;
  const page = behind.slice(0, first);
  const pageInfo = { hasNextPage: behind.length > first, hasPreviousPage: after !== undefined };
  const nodes = page.map((row) => nodeOf(spec, row, ask.select));
  const totals = (fields: readonly PlainField[], some: readonly Row[]) => ({
    count: some.length,
    isComplete: true,
    ...Object.fromEntries(fields.map((field) => [field.name, totalsOf(some, field)])),
  });
  const groups = ask.groups.map((asked, index) => [
    `g${index}`,
    pairsOf(filtered, asked)
      .slice(0, asked.first ?? DEFAULT_GROUPS)
      .map(({ key, thenKey, rows: own }) => ({ key, thenKey, totals: totals(asked.totals, own) })),
  ]);
  const connection = {
    ...(ask.page === 'edges' && { edges: nodes.map((node) => ({ node })) }),
    ...(ask.page === 'nodes' && { nodes }),
    ...((ask.page === 'edges' || ask.page === 'pageInfo') && { pageInfo }),
    ...(ask.totals && { totals: totals(ask.totals, filtered) }),
    ...Object.fromEntries(groups),
  };
  return { connection, page };
}

function nodeOf(spec: ListSpec, row: Row, select: readonly PlainField[]): object {
  const id = globalId(spec.type, '1001', row.id);
  const members = select.map((field) => [field.name, readValue(field, row[restName(field.name)])]);
  return { id, internalId: row.id, ...Object.fromEntries(members) };
}
