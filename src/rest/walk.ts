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
export type WalkedPage = Omit<Page, 'isBroken'> & Omit<SentPage, 'page'>;

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
    const { page, generation, sentAt } = sent instanceof Promise ? await sent : sent;
    this.isStarted = true;
    const { rows, cursor, bytes, date } = page;
    this.#session.holdRead(bytes + rows.length * ROW_BYTES);
    this.#cursors = cursorsOf(page);
    const [next] = this.#cursors;
    if (next && this.#seen.has(shortKey(next.cursor))) throw this.#invalid('the same cursor twice');
    if (next && rows.every((row) => this.#isRecent(row)))
      throw this.#invalid('rows that it had just given, and says that more follow');
    this.#rowsBeforeLast = this.#lastRows;
    this.#lastRows = rows;
    const after = this.#rowsBefore === undefined ? rows : this.#rowsBefore.skip(rows);
    if (after === undefined) throw unknownCursor();
    // Written out, since a spread would take as long as the rest of this method.
    return { rows: after, cursor, bytes, date, foreign: page.foreign, generation, sentAt };
  }

  /** Most pages begin with another row, so that one is looked up. */
  #isRecent(row: ReadRow): boolean {
    const isSame = (other: ReadRow) => isRow(row) && isRow(other) && row.internalId === other.internalId;
    return this.#lastRows.some(isSame) || this.#rowsBeforeLast.some(isSame);
  }

  #read(perPage: number): SentPage | Promise<SentPage> {
    // How many rows come before the caller's position is not known.
    if (this.isStarted) return this.#readOn(this.#rowsBefore?.areExpected ? MAX_PER_PAGE : perPage);
    const { after } = this.#options;
    return after ? this.#readAfterCaller(after, perPage) : this.#readAfter(undefined, perPage);
  }

  async #readOn(perPage: number): Promise<SentPage> {
    const [next] = this.#cursors;
    if (next && !isSendable(next.cursor)) throw this.#invalid('a cursor that is too long for a URL');
    const sent = await this.#readAfterAny(this.#cursors, perPage);
    if (sent && !(sent instanceof RestError)) return sent;
    // Not the caller's fault: the service itself returned these rows a moment ago.
    throw this.#invalid('no page behind rows that it had just given', sent);
  }

  /**
   * Goes on behind the caller's row or, if it has been deleted, behind one before it: rows between the two are skipped
   * by their ids. If all known ones are gone, it starts anew and skips what was before.
   */
  async #readAfterCaller(after: ListPosition, perPage: number): Promise<SentPage> {
    const rowsBefore = new RowsBefore(after);
    const cursors = rowsBefore.cursors.map((cursor, stepsBack) => ({ cursor, stepsBack }));
    const first = await this.#readAfterAny(cursors.slice(0, 1), perPage);
    if (first && !(first instanceof RestError)) return first;
    this.#rowsBefore = rowsBefore;
    const sent = await this.#readAfterAny(cursors.slice(1), perPage);
    if (sent && !(sent instanceof RestError)) return sent;
    if (!rowsBefore.startAnew()) throw unknownCursor(first);
    return this.#readAfter(undefined, rowsBefore.areExpected ? MAX_PER_PAGE : perPage + cursors.length);
  }

  /** Reads behind the first of these cursors that the service knows, with the rows up to there; or why it knows none. */
  async #readAfterAny(
    cursors: readonly Cursor[],
    perPage: number,
  ): Promise<SentPage | RestError | undefined> {
    let failure: RestError | undefined;
    for (const { cursor, stepsBack } of cursors) {
      try {
        return await this.#readAfter(cursor, perPage + stepsBack);
      } catch (error) {
        if (!isUnknownCursor(error)) throw error;
        failure ??= error;
      }
    }
    return failure;
  }

  #readAfter(cursor: string | undefined, rows: number): SentPage | Promise<SentPage> {
    if (cursor !== undefined) this.#seen.add(shortKey(cursor));
    const { part, fields, keep } = this.#options;
    const perPage = Math.min(rows, MAX_PER_PAGE);
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
