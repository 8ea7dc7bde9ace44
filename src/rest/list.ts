import { asError, badInput, NoCallsLeft, RestError } from './errors.ts';
import { type Fields, unionOfAll } from './fields.ts';
import { firstRowsOrError, type List, type ListPage, type ListPosition, listOf } from './list-pages.ts';
import { BY_ID, lookUp } from './lookup.ts';
import { isRow } from './page-body.ts';
import { cursorRoom, MAX_PER_PAGE, mapLists, type Part, roomBeside, splitFilters } from './query.ts';
import { type FilterValues, type ReadRow, type Resource, withRequiredFields } from './resource.ts';
import type { RestSession } from './session.ts';
import { encodeValue } from './url.ts';
import { Walk, type WalkedPage } from './walk.ts';

export interface ListRequest {
  readonly filters: FilterValues;
  readonly fields: Fields;
  readonly first: number;
  readonly after?: ListPosition | undefined;
}

/** Reads pages of a collection until it has `first` rows or the collection ends. */
export async function readList(
  session: RestSession,
  resource: Resource,
  request: ListRequest,
): Promise<List> {
  const list = firstRowsOrError(await walkList(session, resource, request), request.first);
  if (list instanceof Error) throw list;
  return list;
}

/** The same, with all rows that were read, also if not all could be: then with the error. */
export async function walkList(
  session: RestSession,
  resource: Resource,
  request: ListRequest,
): Promise<List> {
  const { first, after } = request;
  const filters = withoutDoubles(request.filters);
  const fields = withRequiredFields(resource, request.fields);
  const hasPreviousPage = after !== undefined;
  if (Object.values(filters).some((value) => value.length === 0)) {
    return { ...listOf([]), hasPreviousPage };
  }

  // Before any part is read: only the first has this cursor, and the others would be sent beside its error.
  if (after) encodeValue('after', after.cursor);
  const parts = partsOf(session, resource, { ...request, filters, fields });
  const builder = new ListBuilder(first);
  let failure: Error | undefined;
  try {
    for (let start = 0; start < parts.length && !builder.isDone; ) {
      const wave = nextWave(parts, start, builder.missing);
      start += wave.length;
      await readWave(wave, builder);
    }
  } catch (error) {
    const rows = builder.rows.length;
    failure = error instanceof NoCallsLeft ? new NoCallsLeft(error.used, rows) : asError(error);
  }
  const { rows, pages, hasMore: hasNextPage } = builder;
  return { rows, pages, hasNextPage, hasPreviousPage, after, ...(failure && { failure }) };
}

/** The parts to read next, in parallel: enough if each value matches one record, and to know whether more rows follow. */
function nextWave(parts: readonly ListPart[], start: number, missing: number) {
  let end = start;
  for (let expected = 0; end < parts.length && expected <= missing; end += 1) {
    expected += countValues(parts[end]?.part);
  }
  return parts.slice(start, end);
}

function countValues(part: Part | undefined): number {
  const counts = Object.values(part?.filters ?? {}).map((value) =>
    typeof value === 'string' ? 1 : value.length,
  );
  return Math.max(1, ...counts);
}

/** Only first pages are read in parallel, so that there are no more calls than sequentially: one per part and full page. */
async function readWave(wave: readonly ListPart[], builder: ListBuilder): Promise<void> {
  const perPage = perPageOf(builder.missing);
  const firstPages = wave.map((part) => ({ part, read: part.next(perPage) }));
  // A part may fail while those before it are still awaited, whose rows count nevertheless.
  for (const { read } of firstPages) read.catch(() => {});
  for (const { part, read } of firstPages) {
    if (builder.isDone) return;
    builder.add(await read, part);
    while (builder.missing > 0 && !part.walk.isOver) {
      builder.add(await part.next(perPageOf(builder.missing)), part);
    }
  }
}

/** If no rows are missing, one row is requested to find out whether more follow. */
function perPageOf(missing: number): number {
  return Math.max(1, Math.min(missing, MAX_PER_PAGE));
}

/** Collects the rows of a list without duplicates: a row may have moved to a later page between calls. */
class ListBuilder {
  readonly rows: ReadRow[] = [];
  readonly pages: ListPage[] = [];
  readonly #ids = new Set<string>();
  missing: number;
  hasMore = false;

  constructor(first: number) {
    this.missing = first;
  }

  /** Whether there are enough rows, and it is known whether more follow. */
  get isDone(): boolean {
    return this.missing < 0 || (this.missing === 0 && this.hasMore);
  }

  add({ rows, cursor, foreign }: WalkedPage, { index }: ListPart): void {
    if (foreign) throw foreign;
    const start = this.rows.length;
    // Most lists have a single page, whose rows need no check.
    if (this.pages.length === 1) for (const row of this.rows) this.#isNew(row);
    for (const row of rows) if (start === 0 || this.#isNew(row)) this.rows.push(row);
    const added = this.rows.length - start;
    // The last page may be empty, if a service sends a cursor with every full page.
    if (added > 0) this.pages.push({ start, part: index, ...(cursor !== undefined && { cursor }) });
    this.missing -= added;
    this.hasMore = cursor !== undefined;
  }

  /** Invalid rows have no id to compare. */
  #isNew(row: ReadRow): boolean {
    if (row instanceof RestError) return true;
    const { size } = this.#ids;
    return this.#ids.add(row.internalId).size > size;
  }
}

/** Removes duplicate values from filters: they match nothing more. */
function withoutDoubles(filters: FilterValues): FilterValues {
  if (Object.values(filters).every((value) => typeof value === 'string')) return filters;
  return mapLists(filters, (values) => [...new Set(values)]);
}

/** Reserved for `fields` when a filter is split, so that every page is split at the same values, whatever is selected. */
const FIELDS_ROOM = 1500;

const NOT_A_CURSOR = '`after` is not a cursor of this list.';

/** A part of a list, and its index: null if the list is read whole. */
interface ListPart {
  readonly index: number | null;
  readonly part: Part;
  readonly walk: Walk;
  next(perPage: number): Promise<WalkedPage>;
}

/**
 * The parts of a list, from the one that contains `after`. A list that was read whole so far is read whole to its end,
 * so that its rows keep their order: with the ids alone, if the URL has no room for the fields that are selected now.
 */
function partsOf(
  session: RestSession,
  resource: Resource,
  { filters, fields, after }: Omit<ListRequest, 'first'>,
): ListPart[] {
  const { parameterNames, client } = session;
  const split = (room: number) => splitFilters(resource, parameterNames, filters, room);
  const forCursors = cursorRoom(filters, after?.cursor);
  const wholeWith = (read: Fields) => {
    const [only, ...more] = split(roomBeside(resource, client.baseLength, read, forCursors));
    return more.length === 0 ? only : undefined;
  };
  const partAt = (index: number | null, part: Part, read = fields): ListPart => {
    const options = { part, fields: read, after: after?.part === index ? after : undefined, keep: true };
    const walk = new Walk(session, resource, options);
    return { index, part, walk, next: (perPage) => walk.next(perPage) };
  };
  if (!after || after.part === null) {
    const part = wholeWith(fields);
    if (part) return [partAt(null, part)];
  }
  if (after?.part === null) {
    const { administrationId } = filters;
    const ids = withRequiredFields(resource, {});
    const part = wholeWith(ids);
    if (part === undefined || typeof administrationId !== 'string') throw badInput(NOT_A_CURSOR);
    const read = partAt(null, part, ids);
    const next = async (perPage: number) => {
      const page = await read.next(perPage);
      const selections = new Map(page.rows.filter(isRow).map(({ internalId }) => [internalId, fields]));
      const lookup = { administrationId, key: BY_ID, selections, unite: unionOfAll };
      const found = await lookUp(session, resource, lookup);
      const rows = page.rows.flatMap((row): ReadRow[] => {
        if (!isRow(row)) return [row];
        const record = found.get(row.internalId);
        if (record instanceof Error) throw record;
        // Null if it has been deleted since its page was read.
        return record ? [record] : [];
      });
      return { ...page, rows };
    };
    return [{ ...read, next }];
  }
  const forAnyCursor = cursorRoom(filters);
  const parts = split(roomBeside(resource, client.baseLength, {}, forAnyCursor) + FIELDS_ROOM);
  const start = after?.part ?? 0;
  if (start >= parts.length) throw badInput(NOT_A_CURSOR);
  return parts.slice(start).map((part, position) => partAt(start + position, part));
}
