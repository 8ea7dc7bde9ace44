import { shortKey } from '../composite-key.ts';
import type { SentPage } from './cache/rest-cache.ts';
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
import type { TextCodec } from './wire-text.ts';

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

/** A page, and the generation that its records were cached in. */
export type WalkedPage = Omit<Page, 'isBroken'> & Pick<SentPage, 'generation'>;

/** Reads the pages of one query sequentially. */
export class Walk {
  readonly #session: RestSession;
  readonly #resource: Resource;
  readonly #options: WalkOptions;
  /** The cursors that were sent, by short keys. */
  readonly #seen = new Set<string>();
  /** Cursors to continue from: the last row first, earlier rows in case it has been deleted. */
  #cursors: readonly Cursor[] = [];
  isStarted = false;
  /** Of the last two pages. */
  #lastRows: readonly ReadRow[] = [];
  #rowsBeforeLast: readonly ReadRow[] = [];
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
  async next(perPage: number): Promise<WalkedPage> {
    const sent = this.#read(perPage);
    const { page, generation } = sent instanceof Promise ? await sent : sent;
    this.isStarted = true;
    const { rows, cursor, bytes, date } = page;
    this.#session.holdRead(bytes + rows.length * ROW_BYTES);
    this.#cursors = cursorsOf(page, this.#session.text);
    const [next] = this.#cursors;
    if (next && this.#seen.has(shortKey(next.cursor))) throw this.#invalid('the same cursor twice');
    if (next && rows.every((row) => this.#isRecent(row)))
      throw this.#invalid('rows that it had just given, and says that more follow');
    this.#rowsBeforeLast = this.#lastRows;
    this.#lastRows = rows;
    const after = this.#rowsBefore === undefined ? rows : this.#rowsBefore.skip(rows);
    if (after === undefined) throw unknownCursor();
    // Written out, since a spread would take as long as the rest of this method.
    return { rows: after, cursor, bytes, date, foreign: page.foreign, generation };
  }

  /** Most pages begin with another row, so that one is looked up. */
  #isRecent(row: ReadRow): boolean {
    const isSame = (other: ReadRow) => isRow(row) && isRow(other) && row.id === other.id;
    return this.#lastRows.some(isSame) || this.#rowsBeforeLast.some(isSame);
  }

  #read(perPage: number): SentPage | Promise<SentPage> {
    const { after } = this.#options;
    if (!this.isStarted) {
      return after === undefined
        ? this.#readAfter(undefined, perPage)
        : this.#readAfterCaller(after, perPage);
    }
    // How many rows come before the caller's position is not known.
    return this.#readOn(this.#rowsBefore?.areExpected ? MAX_PER_PAGE : perPage);
  }

  async #readOn(perPage: number): Promise<SentPage> {
    let failure: unknown;
    for (const { cursor, stepsBack } of this.#cursors) {
      if (!isSendable(cursor)) throw this.#invalid('a cursor that is too long for a URL');
      try {
        // Stepping back returns rows that were already read; they are not counted as new.
        return await this.#readAfter(cursor, Math.min(perPage + stepsBack, MAX_PER_PAGE));
      } catch (error) {
        if (!isUnknownCursor(error)) throw error;
        failure = error;
      }
    }
    // Not the caller's fault: the service itself returned these rows a moment ago.
    throw this.#invalid('no page behind rows that it had just given', failure);
  }

  /**
   * Goes on behind the caller's row or, if it has been deleted, behind one before it: rows between the two are skipped
   * by their ids. If all known ones are gone, it starts anew and skips what was before.
   */
  async #readAfterCaller(after: ListPosition, perPage: number): Promise<SentPage> {
    const rowsBefore = new RowsBefore(after, this.#session.text);
    let failure: RestError | undefined;
    for (const [stepsBack, cursor] of rowsBefore.cursors.entries()) {
      try {
        const sent = await this.#readAfter(cursor, Math.min(perPage + stepsBack, MAX_PER_PAGE));
        if (failure) this.#rowsBefore = rowsBefore;
        return sent;
      } catch (error) {
        if (!isUnknownCursor(error)) throw error;
        failure ??= error;
      }
    }
    if (!rowsBefore.startAnew()) throw unknownCursor(failure);
    this.#rowsBefore = rowsBefore;
    const rows = rowsBefore.areExpected ? MAX_PER_PAGE : perPage + rowsBefore.cursors.length;
    return this.#readAfter(undefined, Math.min(rows, MAX_PER_PAGE));
  }

  #readAfter(cursor: string | undefined, perPage: number): SentPage | Promise<SentPage> {
    if (cursor !== undefined) this.#seen.add(shortKey(cursor));
    const { part, fields, keep } = this.#options;
    return readPage(this.#session, this.#resource, { part, fields, perPage, cursor, keep });
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
function cursorsOf({ rows, cursor }: Page, text: TextCodec): Cursor[] {
  if (cursor === undefined) return [];
  const cursors = [{ cursor: text.decode(cursor), stepsBack: 0 }];
  for (const stepsBack of STEPS_BACK) {
    const row = rows.at(-1 - stepsBack);
    if (isRow(row) && row.id !== cursor) cursors.push({ cursor: text.decode(row.id), stepsBack });
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
