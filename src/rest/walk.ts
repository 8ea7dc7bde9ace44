import type { SentPage } from './cache/rest-cache.ts';
import { invalid, RestError } from './errors.ts';
import type { Fields } from './fields.ts';
import { fromLatin1 } from './latin1.ts';
import { readPage } from './page.ts';
import { isReadRow, isRow } from './page-body.ts';
import { MAX_PER_PAGE, type Part } from './query.ts';
import type { Page, Resource, Row } from './resource.ts';
import type { RestSession } from './session.ts';
import { isSendable } from './url.ts';

/** How many rows to step back when the rows used as cursors have been deleted: up to the start of a full page. */
const STEPS_BACK = [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 499];

export interface WalkOptions {
  readonly part: Part;
  readonly fields: Fields;
  /** The caller's cursor, if the walk does not start at the beginning. */
  readonly cursor?: string | undefined;
  /** Whether to cache the pages themselves. */
  readonly keep: boolean;
}

/** A page, and the generation that its records were cached in. */
export interface WalkedPage<R extends Row> extends Pick<SentPage, 'generation'> {
  readonly rows: Page<R>['rows'];
  readonly cursor: string | undefined;
  readonly bytes: number;
  readonly foreign: RestError | undefined;
}

/** Reads the pages of one query sequentially. */
export class Walk<R extends Row> {
  readonly #session: RestSession;
  readonly #resource: Resource<R>;
  readonly #options: WalkOptions;
  readonly #seen: string[] = [];
  /** Cursors to continue from: the last row first, earlier rows in case it has been deleted. */
  #cursors: readonly Cursor[] = [];
  #isStarted = false;

  constructor(session: RestSession, resource: Resource<R>, options: WalkOptions) {
    this.#session = session;
    this.#resource = resource;
    this.#options = options;
  }

  get isOver(): boolean {
    return this.#isStarted && this.#cursors.length === 0;
  }

  /** The next page, of `perPage` rows, or more if they were cached or in flight. */
  async next(perPage: number): Promise<WalkedPage<R>> {
    const sent = this.#read(perPage);
    const { page, generation } = sent instanceof Promise ? await sent : sent;
    this.#isStarted = true;
    const { rows, cursor, bytes } = page;
    this.#session.hold(bytes);
    if (cursor !== undefined && this.#seen.includes(cursor)) throw this.#invalid('the same cursor twice');
    this.#cursors = cursor === undefined ? [] : cursorsOf(page, cursor);
    // Pages are cached without the type of their resource: this check restores it.
    if (!rows.every(isReadRow<R>)) throw this.#invalid('a record without an identifier');
    // Written out, since a spread would take as long as the rest of this method.
    return { rows, cursor, bytes, foreign: page.foreign, generation };
  }

  #read(perPage: number): SentPage | Promise<SentPage> {
    const { cursor: start } = this.#options;
    if (this.#isStarted) return this.#readOn(perPage);
    return start === undefined
      ? this.#readAfter(start, perPage)
      : this.#readAfterCallerCursor(start, perPage);
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

  /** An unknown cursor from the caller is a bad argument, whatever the status of the response. */
  async #readAfterCallerCursor(cursor: string, perPage: number): Promise<SentPage> {
    try {
      return await this.#readAfter(cursor, perPage);
    } catch (error) {
      if (!isUnknownCursor(error)) throw error;
      const { message, upstream } = error;
      throw new RestError('BAD_USER_INPUT', message, { ...(upstream && { upstream }), cause: error });
    }
  }

  #readAfter(cursor: string | undefined, perPage: number): SentPage | Promise<SentPage> {
    if (cursor !== undefined) this.#seen.push(cursor);
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

/** The service's cursor, and the ids of earlier rows, which are cursors too. */
function cursorsOf({ rows }: Page<Row>, cursor: string): Cursor[] {
  const cursors = [{ cursor, stepsBack: 0 }];
  for (const stepsBack of STEPS_BACK) {
    const row = rows.at(-1 - stepsBack);
    if (isRow(row) && fromLatin1(row.id) !== cursor) cursors.push({ cursor: fromLatin1(row.id), stepsBack });
  }
  return cursors;
}

/** How a service may respond to an unknown cursor. */
function isUnknownCursor(error: unknown): error is RestError {
  return error instanceof RestError && [400, 404, 422].includes(error.upstream?.status ?? 0);
}
