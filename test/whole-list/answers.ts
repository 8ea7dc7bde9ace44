import type { Ask } from './generate.ts';
import type { SentRow } from './generate-rows.ts';
import { globalId } from './generate-where.ts';
import { type Field, type ListSpec, restName } from './lists.ts';
import {
  filterRows,
  hasUnreadable,
  isRow,
  orderRows,
  type Place,
  pairsOf,
  type Row,
  rowsAfter,
  totalsOf,
} from './model.ts';
import { selectedMembers } from './operation.ts';
import { groupFields, orderFields, type PathField } from './paths.ts';
import { isObject, readValue, type Texts } from './values.ts';

const DEFAULT_AMONG = 10_000;
const DEFAULT_FIRST = 100;
const DEFAULT_GROUPS = 100;

/** What the gateway has to answer, without cursors. */
export interface Expected {
  readonly connection: unknown;
  /** The rows of the page; null where the service sent no row. */
  readonly page: readonly (Row | null)[];
  /** `code path`, relative to the list. Errors inside of rows are left to the nulls that they make. */
  readonly errors: readonly string[];
  /** Errors that may be there too. */
  readonly possibleErrors: readonly string[];
  /** Whether `isComplete` may be either. */
  readonly isUncertain: boolean;
}

/** Whether the list is filtered or ordered by the gateway; a filter that says nothing is none. */
export function isWhole({ where, orderBy }: Ask): boolean {
  return !saysNothing(where) || orderBy.length > 0;
}

/** As a form that nobody has filled in: nothing but null, at any depth. */
function saysNothing(where: unknown): boolean {
  if (where === null || where === undefined) return true;
  if (typeof where !== 'object' || Array.isArray(where)) return false;
  return Object.entries(where).every(([name, value]) =>
    ['not', 'some', 'every', 'none'].includes(name) ? value === null : saysNothing(value),
  );
}

/** The rows that the filters of the REST service leave. */
export function narrowed(sent: readonly SentRow[], { narrow: { ids, claimStatus } }: Ask): SentRow[] {
  return sent.filter(
    ({ key, row }) =>
      (ids === undefined || ids.includes(key)) &&
      (claimStatus === undefined || (isObject(row) && row.claim_status === claimStatus.toLowerCase())),
  );
}

export function expectedAnswer(
  texts: Texts,
  spec: ListSpec,
  sent: readonly SentRow[],
  ask: Ask,
  after?: Place,
): Expected {
  const listed = narrowed(sent, ask).map(({ row }) => row);
  const among = ask.among ?? DEFAULT_AMONG;
  const isCut = listed.length > among;
  if (isWhole(ask) && isCut) {
    return { connection: null, page: [], errors: ['LIST_TOO_LONG '], possibleErrors: [], isUncertain: false };
  }
  const read = listed.slice(0, among);
  const rows = read.filter(isRow);
  const isBroken = rows.length < read.length;
  const filtered = filterRows(texts, spec, rows, ask.where ?? {});
  const ordered = isWhole(ask)
    ? orderRows(texts, filtered, ask.orderBy)
    : listed.map((row) => (isRow(row) ? row : null));
  const behind = after ? rowsAfter(texts, ordered.filter(isRow), ask.orderBy, after) : ordered;
  const first = ask.first ?? DEFAULT_FIRST;
  const page = behind.slice(0, first);
  const pageInfo = { hasNextPage: behind.length > first, hasPreviousPage: after !== undefined };
  const nodes = page.map((row) => row && nodeOf(spec, row, ask.select));

  const isUnsummed = (fields: readonly Field[], some: readonly Row[]) =>
    summedFields(spec, fields).some((by) => hasUnreadable(some, by));
  const isUngrouped = ({ by, thenBy, orderBy }: Ask['groups'][number], some: readonly Row[]) =>
    [by, ...(thenBy ? [thenBy] : [])].some((path) => hasUnreadable(some, path)) ||
    isUnsummed(
      orderBy.flatMap(({ what }) => (typeof what === 'string' ? [] : [what])),
      some,
    );
  const totals = (fields: readonly Field[], some: readonly Row[], isAllThere = true) => ({
    count: some.length,
    isComplete: isAllThere && !isCut && !isBroken && !isUnsummed(fields, filtered),
    ...Object.fromEntries(summedFields(spec, fields).map(({ field }) => [field.name, totalsOf(some, field)])),
  });
  // A value that cannot be compared counts as null; whether a condition comes to see it depends on those before it.
  const isUncertain = isWhole(ask) && comparedFields(spec, ask).some((by) => hasUnreadable(rows, by));
  const broken = (path: string) => `UPSTREAM_INVALID_RESPONSE ${path}`;
  return {
    connection: {
      ...(ask.page === 'edges' && { edges: nodes.map((node) => ({ node })) }),
      ...(ask.page === 'nodes' && { nodes }),
      ...((ask.page === 'edges' || ask.page === 'pageInfo') && { pageInfo }),
      ...(ask.totals && { totals: totals(ask.totals, filtered) }),
      ...Object.fromEntries(
        ask.groups.map((asked, index) => [
          `g${index}`,
          pairsOf(texts, filtered, asked)
            .slice(0, asked.first ?? DEFAULT_GROUPS)
            .map(({ key, thenKey, rows: own }) => ({
              key,
              thenKey,
              totals: totals(asked.totals, own, !isUngrouped(asked, filtered)),
            })),
        ]),
      ),
    },
    page,
    errors: [
      ...(isBroken && isWhole(ask) && ask.page !== 'none' ? [broken('')] : []),
      ...(ask.totals && (isBroken || isUnsummed(ask.totals, filtered)) ? [broken('totals')] : []),
      ...ask.groups.flatMap((asked, index) =>
        isBroken || isUngrouped(asked, filtered) || isUnsummed(asked.totals, filtered)
          ? [broken(`g${index}`)]
          : [],
      ),
    ],
    possibleErrors: [
      ...(isUncertain || (isBroken && isWhole(ask)) ? [broken('')] : []),
      ...(isUncertain ? [broken('totals'), ...ask.groups.map((_, index) => broken(`g${index}`))] : []),
    ],
    isUncertain,
  };
}

/** What conditions and order compare. */
function comparedFields(spec: ListSpec, { where, orderBy }: Ask): PathField[] {
  const text = JSON.stringify(where ?? {});
  const named = [...orderFields(spec), ...groupFields(spec)].filter(({ path: [name] }) =>
    text.includes(`"${name}":`),
  );
  return [...named, ...orderBy.map(({ by }) => by)];
}

function summedFields(spec: ListSpec, fields: readonly Field[]): PathField[] {
  return orderFields(spec).filter(({ path: [name] }) => fields.some((field) => field.name === name));
}

/** A record as it is answered: null where it lacks what the schema promises. */
function nodeOf(spec: ListSpec, row: Row, select: readonly Field[]): object | null {
  const own = {
    id: globalId(spec.type, spec.isInAdministration ? '1001' : '', row.id),
    internalId: row.id,
  };
  return withMembers(own, select, row);
}

function withMembers(
  own: object,
  fields: readonly Field[],
  source: Readonly<Record<string, unknown>>,
): object | null {
  const members = fields.map((field) => ({ field, value: answered(field, source[restName(field.name)]) }));
  if (members.some(({ field, value }) => field.isRequired && value === null)) return null;
  return { ...own, ...Object.fromEntries(members.map(({ field, value }) => [field.name, value])) };
}

function answered(field: Field, raw: unknown): unknown {
  switch (field.kind) {
    case 'object':
      return isObject(raw) ? withMembers({}, selectedMembers(field), raw) : null;
    case 'texts':
      return Array.isArray(raw) ? raw : null;
    case 'objects': {
      if (!Array.isArray(raw)) return null;
      const items = raw.map((item) => withMembers({}, selectedMembers(field), item));
      return items.includes(null) ? null : items;
    }
    case 'amount':
    case 'dateTime':
      return typeof raw === 'string' ? raw : null;
    default:
      return readValue(field, raw);
  }
}
