import { asError, badInput, NoCallsLeft } from './errors.ts';
import type { Fields } from './fields.ts';
import type { List, ListPosition } from './list-pages.ts';
import { BY_ID, lookUp } from './lookup.ts';
import { cursorRoom, MAX_PER_PAGE, type Part, roomBeside, splitFilters } from './query.ts';
import {
  type FilterValues,
  isRow,
  type Page,
  type ReadRow,
  type Resource,
  withRequiredFields,
} from './resource.ts';
import type { RestSession } from './session.ts';
import { encodeValue } from './url.ts';
import { startWalk, type Walk } from './walk.ts';

export interface ListRequest {
  readonly filters: FilterValues;
  readonly fields: Fields;
  readonly first: number;
  readonly after?: ListPosition | undefined;
}

/**
 * Reads pages of a collection until it has `first` rows or the collection ends. Has all rows that were read, also if not
 * all could be: then with the error. Does not reject.
 */
export async function walkList(
  session: RestSession,
  resource: Resource,
  request: ListRequest,
): Promise<List> {
  const { after } = request;
  const rows: ReadRow[] = [];
  const starts: { readonly start: number; readonly part: number | null }[] = [];
  const ids = new Set<string>();
  let missing = request.first;
  let endCursor: string | undefined;
  /** Whether there are enough rows, and it is known whether more follow. */
  const isDone = () => missing < 0 || (missing === 0 && endCursor !== undefined);
  const perPage = () => Math.max(1, Math.min(missing, MAX_PER_PAGE));
  /** A row may have moved to a later page between calls. Invalid rows have no id to compare. */
  const isNew = (row: ReadRow) => !isRow(row) || (!ids.has(row.internalId) && ids.add(row.internalId));

  function add({ rows: read, cursor, foreign }: Page, part: number | null): void {
    if (foreign) throw foreign;
    const start = rows.length;
    // Most lists have a single page, whose rows need no check.
    if (ids.size === 0) rows.forEach(isNew);
    for (const row of read) if (start === 0 || isNew(row)) rows.push(row);
    // The last page may be empty, if a service sends a cursor with every full page.
    if (rows.length > start && starts.at(-1)?.part !== part) starts.push({ start, part });
    missing -= rows.length - start;
    endCursor = cursor;
  }

  /** Only first pages are read in parallel, so that there are no more calls than sequentially: one per part and full page. */
  async function readWave(wave: readonly ListPart[]): Promise<void> {
    const firstPages = wave.map((part) => ({ part, read: part.next(perPage()) }));
    // A part may fail while those before it are still awaited, whose rows count nevertheless.
    for (const { read } of firstPages) read.catch(() => {});
    for (const { part, read } of firstPages) {
      if (isDone()) return;
      add(await read, part.index);
      while (missing > 0 && !part.walk.isOver) add(await part.next(perPage()), part.index);
    }
  }

  let failure: Error | undefined;
  try {
    const parts = partsOf(session, resource, request);
    while (parts.length > 0 && !isDone()) {
      // As many in parallel as are enough if each value matches one record, and to know whether more rows follow.
      let expected = 0;
      const last = parts.findIndex(({ values }) => {
        expected += values;
        return expected > missing;
      });
      await readWave(parts.splice(0, last < 0 ? parts.length : last + 1));
    }
  } catch (error) {
    failure = error instanceof NoCallsLeft ? new NoCallsLeft(error.used, rows.length) : asError(error);
  }
  const hasNextPage = endCursor !== undefined;
  return { rows, parts: starts, hasNextPage, hasPreviousPage: !!after, after, endCursor, failure };
}

/** Reserved for `fields` when a filter is split, so that every page is split at the same values, whatever is selected. */
const FIELDS_ROOM = 1500;

/** A part of a list, and its index: null if the list is read whole. */
interface ListPart {
  readonly index: number | null;
  /** How many values the filter has that was split. */
  readonly values: number;
  readonly walk: Walk;
  next(perPage: number): Promise<Page>;
}

/**
 * The parts of a list, from the one that contains `after`. A list that was read whole so far is read whole to its end,
 * so that its rows keep their order: with the ids alone, if the URL has no room for the fields that are selected now.
 */
function partsOf(session: RestSession, resource: Resource, request: ListRequest): ListPart[] {
  const { after } = request;
  const filters = normalized(request.filters);
  if (Object.values(filters).some((value) => value.length === 0)) return [];
  // Before any part is read: only the first has this cursor, and the others would be sent beside its error.
  if (after) encodeValue('after', after.cursor);
  const selected = withRequiredFields(resource, request.fields);
  const split = (fields: Fields, cursor?: string, reserved = 0) => {
    const beside = roomBeside(resource, session.client.baseLength, fields, cursorRoom(filters, cursor));
    return splitFilters(resource, session.parameterNames, filters, beside + reserved);
  };
  const partAt = (index: number | null, part: Part, fields: Fields): ListPart => {
    const start = after?.part === index ? after : undefined;
    const walk = startWalk(session, resource, { part, fields, after: start, keep: true });
    const values = Math.max(...Object.values(part.filters).map((value) => [value].flat().length));
    const next = async (perPage: number) => {
      const page = await walk.next(perPage);
      return fields === selected ? page : withFields(session, resource, filters, page, selected);
    };
    return { index, values, walk, next };
  };
  if (!after || after.part === null) {
    for (const fields of after ? [selected, withRequiredFields(resource, {})] : [selected]) {
      const [whole, ...more] = split(fields, after?.cursor);
      if (whole && more.length === 0) return [partAt(null, whole, fields)];
    }
  }
  const parts = split({}, undefined, FIELDS_ROOM);
  const start = after ? (after.part ?? parts.length) : 0;
  if (start >= parts.length) throw badInput('`after` is not a cursor of this list.');
  return parts.slice(start).map((part, position) => partAt(start + position, part, selected));
}

/** Without duplicate values, and in one order: the service returns records in its own. */
function normalized(filters: FilterValues): FilterValues {
  const entries = Object.entries(filters).map(([argument, value]) => [
    argument,
    typeof value === 'string' ? value : [...new Set(value)].sort(),
  ]);
  return Object.fromEntries(entries);
}

/** Looks up the records of a page of which only the ids were read. */
async function withFields(
  session: RestSession,
  resource: Resource,
  { administrationId }: FilterValues,
  page: Page,
  fields: Fields,
): Promise<Page> {
  const found = await lookUp(session, resource, {
    administrationId: String(administrationId),
    key: BY_ID,
    selections: new Map(page.rows.filter(isRow).map(({ internalId }) => [internalId, fields])),
  });
  const rows = page.rows.flatMap((row): ReadRow[] => {
    if (!isRow(row)) return [row];
    const record = found.get(row.internalId);
    if (record instanceof Error) throw record;
    // Null if it has been deleted since its page was read.
    return record ? [record] : [];
  });
  return { ...page, rows };
}
