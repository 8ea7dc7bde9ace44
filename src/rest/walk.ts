import { invalid, RestError } from './errors.ts';
import type { Fields } from './fields.ts';
import type { ListPosition } from './list-pages.ts';
import { readPage } from './page.ts';
import { isRow } from './page-body.ts';
import { MAX_PER_PAGE, type Part } from './query.ts';
import type { Page, ReadRow, Resource } from './resource.ts';
import { RowsBefore } from './resume.ts';
import type { RestSession } from './session.ts';
import { isSendable } from './url.ts';

/** How many rows to step back when the rows used as cursors have been deleted: up to the start of a full page. */
const STEPS_BACK = [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 499];

/** What a row takes beside its object: its id among those that were read, places in lists. */
const ROW_BYTES = 100;

interface WalkOptions {
  readonly part: Part;
  readonly fields: Fields;
  /** The caller's position, if the walk does not start at the beginning. */
  readonly after?: ListPosition | undefined;
  readonly keep: boolean;
}

/** Reads the pages of one query sequentially. */
export class Walk {
  readonly #session: RestSession;
  readonly #resource: Resource;
  readonly #options: WalkOptions;
  /** The cursors that were sent. */
  readonly #sent = new Set<string>();
  /** Rows to continue behind: the last one first, earlier ones in case it has been deleted. */
  #cursors: readonly Cursor[] = [];
  isStarted = false;
  /** The last two pages. */
  #recent: readonly (readonly ReadRow[])[] = [];
  /** Set if the caller's row has been deleted, so that the walk started before it. */
  #rowsBefore: RowsBefore | undefined;

  constructor(session: RestSession, resource: Resource, options: WalkOptions) {
    this.#session = session;
    this.#resource = resource;
    this.#options = options;
  }

  get isOver(): boolean {
    return this.isStarted && this.#cursors.length === 0;
  }

  /** The next page, of `perPage` rows, or more if they were cached or in flight. */
  async next(perPage: number): Promise<Page> {
    const { after } = this.#options;
    const page = await (this.isStarted || after
      ? this.#readOn(perPage)
      : this.#readAfter(undefined, perPage));
    this.isStarted = true;
    this.#session.holdRead(page.bytes + page.rows.length * ROW_BYTES);
    this.#cursors = cursorsOf(page);
    if (page.cursor !== undefined && this.#sent.has(page.cursor))
      throw this.#invalid('the same cursor twice');
    if (page.cursor !== undefined && page.rows.every((row) => this.#isRecent(row)))
      throw this.#invalid('rows that it had just given, and says that more follow');
    this.#recent = [page.rows, ...this.#recent.slice(0, 1)];
    if (this.#rowsBefore === undefined) return page;
    const rows = this.#rowsBefore.skip(page.rows);
    if (rows === undefined) throw unknownCursor();
    return { ...page, rows };
  }

  /**
   * Reads behind the last row or, if it has been deleted, behind one before it. If all rows that the caller's cursor
   * names are gone, the list is read anew, and what stood before is skipped.
   */
  async #readOn(perPage: number): Promise<Page> {
    const { after } = this.#options;
    const resumed = after && !this.isStarted ? new RowsBefore(after) : undefined;
    // How many rows come before the caller's position is not known.
    const rows = this.#rowsBefore?.areExpected ? MAX_PER_PAGE : perPage;
    let failure: RestError | undefined;
    for (const { cursor, stepsBack } of resumed?.cursors ?? this.#cursors) {
      if (!resumed && !isSendable(cursor)) throw this.#invalid('a cursor that is too long for a URL');
      try {
        return await this.#readAfter(cursor, rows + stepsBack);
      } catch (error) {
        if (!isUnknownCursor(error)) throw error;
        failure ??= error;
        this.#rowsBefore ??= resumed;
      }
    }
    // Not the caller's fault: the service itself returned these rows a moment ago.
    if (!resumed) throw this.#invalid('no page behind rows that it had just given', failure);
    if (!resumed.startAnew()) throw unknownCursor(failure);
    return this.#readAfter(undefined, resumed.areExpected ? MAX_PER_PAGE : rows + resumed.cursors.length);
  }

  #readAfter(cursor: string | undefined, rows: number): Page | Promise<Page> {
    if (cursor !== undefined) this.#sent.add(cursor);
    const { part, fields, keep } = this.#options;
    const perPage = Math.min(rows, MAX_PER_PAGE);
    return readPage(this.#session, this.#resource, { part, fields, perPage, cursor, keep });
  }

  /** Most pages begin with another row, so that one is looked up. */
  #isRecent(row: ReadRow): boolean {
    const isSame = (other: ReadRow) => isRow(row) && isRow(other) && row.internalId === other.internalId;
    return this.#recent.some((rows) => rows.some(isSame));
  }

  #invalid(what: string, cause?: unknown): RestError {
    return invalid({ method: 'GET', path: this.#resource.path }, what, cause);
  }
}

interface Cursor {
  readonly cursor: string;
  readonly stepsBack: number;
}

/** The service's cursor, and the ids of earlier rows, which are cursors too; none behind the last page. */
function cursorsOf({ rows, cursor }: Page): Cursor[] {
  if (cursor === undefined) return [];
  const cursors = [{ cursor, stepsBack: 0 }];
  for (const stepsBack of STEPS_BACK) {
    const row = rows.at(-1 - stepsBack);
    if (isRow(row) && row.internalId !== cursor) cursors.push({ cursor: row.internalId, stepsBack });
  }
  return cursors;
}

/** A cursor of the caller that the service does not know is a bad argument, whatever the status of its response. */
function unknownCursor(failure?: RestError): RestError {
  return new RestError(
    'BAD_USER_INPUT',
    'The REST service does not know the record of `after`: it may have been deleted, with those before it. ' +
      'Read the list from its start, without `after`.',
    { upstream: failure?.upstream, cause: failure },
  );
}

/** How a service may respond to an unknown cursor. */
function isUnknownCursor(error: unknown): error is RestError {
  return error instanceof RestError && [400, 404, 422].includes(error.upstream?.status ?? 0);
}
