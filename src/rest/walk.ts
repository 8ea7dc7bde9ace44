import { invalid, RestError } from './errors.ts';
import type { Fields } from './fields.ts';
import { readPage } from './page.ts';
import { MAX_PER_PAGE, type Part } from './query.ts';
import { isRow, type Page, type Resource } from './resource.ts';
import type { RestSession } from './session.ts';
import { isSendable } from './url.ts';

/** How many rows before a row its position names. */
export const ROWS_BEFORE = 2;

/**
 * A position in a list. A list whose filter is too long for one URL is read as several parts, one after another, so a
 * position is the index of a part (null if the list was read whole) and the service's cursor within it.
 */
export interface ListPosition {
  readonly part: number | null;
  readonly cursor: string;
  /** The ids of a few rows before it, the nearest first, should its own be deleted. Absent if its cursor is not its id. */
  readonly before?: readonly string[];
}

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
  isStarted = false;
  isOver = false;
  readonly #session: RestSession;
  readonly #resource: Resource;
  readonly #options: WalkOptions;
  readonly #sent = new Set<string>();
  /** Rows to go on behind, and how far before the last one they stand: earlier ones in case that has been deleted. */
  #cursors: ReadonlyMap<string, number>;

  constructor(session: RestSession, resource: Resource, options: WalkOptions) {
    const { cursor, before = [] } = options.after ?? {};
    this.#session = session;
    this.#resource = resource;
    this.#options = options;
    this.#cursors = new Map(cursor === undefined ? [] : [cursor, ...before].map((id) => [id, 0]));
  }

  /** The next page, of `perPage` rows, or more if they were cached or in flight. */
  async next(perPage: number): Promise<Page> {
    const page = await (this.#cursors.size > 0 ? this.#readOn(perPage) : this.#read(perPage));
    const { hold, cancellation } = this.#session;
    hold(page.bytes + page.rows.length * ROW_BYTES);
    if (cancellation.isAborted) throw cancellation.error();
    this.isStarted = true;
    this.isOver = page.cursor === undefined;
    this.#cursors = cursorsOf(page);
    if (page.cursor !== undefined && this.#sent.has(page.cursor)) throw this.#fault('the same cursor twice');
    return page;
  }

  #read(perPage: number, cursor?: string): Page | Promise<Page> {
    const { part, fields, keep } = this.#options;
    return readPage(this.#session, this.#resource, { part, fields, perPage, cursor, keep });
  }

  /** Reads behind the last row or, if it has been deleted, behind one before it. */
  async #readOn(perPage: number): Promise<Page> {
    let failure: RestError | undefined;
    for (const [cursor, stepsBack] of this.#cursors) {
      if (this.isStarted && !isSendable(cursor)) throw this.#fault('a cursor that is too long for a URL');
      this.#sent.add(cursor);
      try {
        return await this.#read(Math.min(perPage + stepsBack, MAX_PER_PAGE), cursor);
      } catch (error) {
        if (!isUnknownCursor(error)) throw error;
        failure ??= error;
      }
    }
    // Not the caller's fault: the service itself returned these rows a moment ago.
    if (this.isStarted) throw this.#fault('no page behind rows that it had just given', failure);
    // A bad argument, whatever the status of the response.
    throw new RestError(
      'BAD_USER_INPUT',
      'The REST service does not know the record of `after`: it may have been deleted, with those before it. ' +
        'Read the list from its start, without `after`.',
      { upstream: failure?.upstream, cause: failure },
    );
  }

  #fault(what: string, cause?: unknown): RestError {
    return invalid({ method: 'GET', path: this.#resource.path }, what, cause);
  }
}

/** The service's cursor, and the ids of earlier rows, which are cursors too; none behind the last page. */
function cursorsOf({ rows, cursor }: Page): Map<string, number> {
  const cursors = new Map<string, number>();
  if (cursor === undefined) return cursors;
  cursors.set(cursor, 0);
  for (const stepsBack of STEPS_BACK) {
    const row = rows.at(-1 - stepsBack);
    if (isRow(row) && row.internalId !== cursor) cursors.set(row.internalId, stepsBack);
  }
  return cursors;
}

/** How a service may respond to an unknown cursor. */
function isUnknownCursor(error: unknown): error is RestError {
  return error instanceof RestError && [400, 404, 422].includes(error.upstream?.status ?? 0);
}
