import { badInput, RestError } from './errors.ts';
import type { Fields } from './fields.ts';
import type { Latin1 } from './latin1.ts';
import { firstRows, type List, type ListPage, type Position } from './list-pages.ts';
import { MAX_PER_PAGE, type Part, roomBeside, splitFilters } from './query.ts';
import { type FilterValues, type ReadRow, type Resource, type Row, withRequiredFields } from './resource.ts';
import type { RestSession } from './session.ts';
import { Walk, type WalkedPage } from './walk.ts';

/**
 * Reserved for `fields` when a filter is split, whatever is selected, so that every page is split at the same values.
 */
const FIELDS_ROOM = 1500;

export interface ListRequest {
  readonly filters: FilterValues;
  readonly fields: Fields;
  readonly first: number;
  readonly after?: Position | undefined;
}

/** Reads pages of a collection until it has `first` rows or the collection ends. */
export async function readList<R extends Row>(
  session: RestSession,
  resource: Resource<R>,
  request: ListRequest,
): Promise<List<R>> {
  const { first, after } = request;
  const filters = withoutDoubles(request.filters);
  const fields = withRequiredFields(resource, request.fields);
  const hasPreviousPage = after !== undefined;
  if (Object.values(filters).some((value) => value.length === 0)) {
    return { pages: [], hasNextPage: false, hasPreviousPage };
  }

  const parts = partsOf(session, resource, { ...request, filters, fields }).map(({ index, part }) => {
    const cursor = index === after?.part ? after?.cursor : undefined;
    return { index, part, walk: new Walk(session, resource, { part, fields, cursor, keep: true }) };
  });
  const builder = new ListBuilder<R>(first);
  for (let start = 0; start < parts.length && !builder.isDone; ) {
    const wave = nextWave(parts, start, builder.missing);
    start += wave.length;
    await readWave(wave, builder);
  }
  return firstRows({ pages: builder.pages, hasNextPage: builder.hasMore, hasPreviousPage }, first);
}

interface WalkedPart<R extends Row> {
  readonly index: number | null;
  readonly part: Part;
  readonly walk: Walk<R>;
}

/**
 * The parts to read next, in parallel: as many as needed if each value matches one record, plus one if they would end
 * exactly at `first`, to find out whether more rows follow.
 */
function nextWave<R extends Row>(parts: readonly WalkedPart<R>[], start: number, missing: number) {
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

/**
 * Only the first page of each part is read in parallel, so that the number of calls is the same as sequentially: at
 * most one per part and one per full page.
 */
async function readWave<R extends Row>(
  wave: readonly WalkedPart<R>[],
  builder: ListBuilder<R>,
): Promise<void> {
  const perPage = perPageOf(builder.missing);
  const firstPages = await Promise.all(wave.map(({ walk }) => walk.next(perPage)));
  for (const [position, page] of firstPages.entries()) {
    const part = wave[position];
    if (part === undefined || builder.isDone) return;
    builder.add(page, part);
    while (builder.missing > 0 && !part.walk.isOver) {
      builder.add(await part.walk.next(perPageOf(builder.missing)), part);
    }
  }
}

/** If no rows are missing, one row is requested to find out whether more follow. */
function perPageOf(missing: number): number {
  return Math.max(1, Math.min(missing, MAX_PER_PAGE));
}

/** Collects the rows of a list without duplicates: a row may have moved to a later page between calls. */
class ListBuilder<R extends Row> {
  readonly pages: ListPage<R>[] = [];
  readonly #ids = new Set<Latin1>();
  missing: number;
  /** Whether more rows follow the last page. */
  hasMore = false;

  constructor(first: number) {
    this.missing = first;
  }

  /** Whether there are enough rows, and it is known whether more follow. */
  get isDone(): boolean {
    return this.missing < 0 || (this.missing === 0 && this.hasMore);
  }

  add({ rows: read, cursor, foreign }: WalkedPage<R>, { index }: WalkedPart<R>): void {
    if (foreign) throw foreign;
    const rows = this.#newRows(read);
    // The last page may be empty, if a service sends a cursor with every full page.
    if (rows.length > 0) this.pages.push({ rows, part: index, ...(cursor !== undefined && { cursor }) });
    this.missing -= rows.length;
    this.hasMore = cursor !== undefined;
  }

  /** Most lists have a single page, whose rows need no check for duplicates. */
  #newRows(rows: readonly ReadRow<R>[]): readonly ReadRow<R>[] {
    const [only] = this.pages;
    if (only === undefined) return rows;
    if (this.pages.length === 1) for (const row of only.rows) this.#addId(row);
    return rows.filter((row) => this.#addId(row));
  }

  /** Returns whether the id is new. Invalid rows have no id to compare. */
  #addId(row: ReadRow<R>): boolean {
    if (row instanceof RestError) return true;
    const isNew = !this.#ids.has(row.id);
    this.#ids.add(row.id);
    return isNew;
  }
}

/** The parts of a list, from the one that contains `after`; a single part without an index if it is read whole. */
function partsOf(
  { parameterNames, client }: RestSession,
  resource: Resource,
  { filters, fields, after }: ListRequest,
): { readonly index: number | null; readonly part: Part }[] {
  const split = (room: number) => splitFilters(resource, parameterNames, filters, room);
  const whole = split(roomBeside(resource, client.baseLength, fields));
  const [only] = whole;
  if (after ? after.part === null : whole.length === 1) {
    if (only === undefined || whole.length > 1)
      throw badInput('Select fewer fields, as for the page before: this list was read whole.');
    return [{ index: null, part: only }];
  }
  const parts = split(roomBeside(resource, client.baseLength, {}) + FIELDS_ROOM);
  const start = after?.part ?? 0;
  if (start >= parts.length) throw badInput('`after` is not a cursor of this list.');
  return parts.map((part, index) => ({ index, part })).slice(start);
}

/** Removes duplicate values from filters: they match nothing more. */
function withoutDoubles(filters: FilterValues): FilterValues {
  if (Object.values(filters).every((value) => typeof value === 'string')) return filters;
  return Object.fromEntries(
    Object.entries(filters).map(([argument, value]) => [
      argument,
      typeof value === 'string' ? value : [...new Set(value)],
    ]),
  );
}
