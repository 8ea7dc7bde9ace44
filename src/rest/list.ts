import { badInput, RestError } from './errors.ts';
import type { Fields } from './fields.ts';
import type { Latin1 } from './latin1.ts';
import { firstRows, type List, type ListPage, type Position } from './list-pages.ts';
import { MAX_PER_PAGE, type Part, roomBeside, splitFilters } from './query.ts';
import {
  type FilterValues,
  type Page,
  type ReadRow,
  type Resource,
  type Row,
  withRequiredFields,
} from './resource.ts';
import type { RestSession } from './session.ts';
import { Walk } from './walk.ts';

/** Kept free for `fields` where a list is cut, whatever is selected, so that every page is cut in the same places. */
const FIELDS_ROOM = 1500;

export interface ListRequest {
  readonly filters: FilterValues;
  readonly fields: Fields;
  readonly first: number;
  readonly after?: Position;
}

/** Walks the pages of a collection until `first` rows are there or the collection ends. */
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
 * The parts to read next, side by side: as many as it takes if each value finds one record, and where they would end
 * just there one more, which tells whether anything follows.
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
 * Only the first page of each part is read side by side: how many calls it takes is then what it took one after
 * another, at most one for each part and one for each full page.
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

/** Where nothing is missing any more one row is asked for: it tells whether anything follows. */
function perPageOf(missing: number): number {
  return Math.max(1, Math.min(missing, MAX_PER_PAGE));
}

/** The rows of a list as they come together: each once, though it may have moved to a later page meanwhile. */
class ListBuilder<R extends Row> {
  readonly pages: ListPage<R>[] = [];
  readonly #ids = new Set<Latin1>();
  missing: number;
  /** Whether rows follow those of the last page. */
  hasMore = false;

  constructor(first: number) {
    this.missing = first;
  }

  /** Whether there are rows enough, and it is known whether more follow. */
  get isDone(): boolean {
    return this.missing < 0 || (this.missing === 0 && this.hasMore);
  }

  add({ rows: read, cursor, foreign }: Page<R>, { index }: WalkedPart<R>): void {
    if (foreign) throw foreign;
    const rows = this.#newRows(read);
    // A walk may end with an empty page: where a service gives a cursor with every full page, the last one too.
    if (rows.length > 0) this.pages.push({ rows, part: index, ...(cursor !== undefined && { cursor }) });
    this.missing -= rows.length;
    this.hasMore = cursor !== undefined;
  }

  /** A list of one page is as the service gave it, and most lists are: their rows are not looked through. */
  #newRows(rows: readonly ReadRow<R>[]): readonly ReadRow<R>[] {
    const [only] = this.pages;
    if (only === undefined) return rows;
    if (this.pages.length === 1) for (const row of only.rows) this.#addId(row);
    return rows.filter((row) => this.#addId(row));
  }

  /** What is no record has no identifier to know it by. */
  #addId(row: ReadRow<R>): boolean {
    if (row instanceof RestError) return true;
    const isNew = !this.#ids.has(row.id);
    this.#ids.add(row.id);
    return isNew;
  }
}

/** The parts of a list from the one on where a page starts; without an index where it is read whole. */
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

/** The same value twice in a filter finds nothing more. */
function withoutDoubles(filters: FilterValues): FilterValues {
  return Object.fromEntries(
    Object.entries(filters).map(([argument, value]) => [
      argument,
      typeof value === 'string' ? value : [...new Set(value)],
    ]),
  );
}
