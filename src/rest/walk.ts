import { invalid, RestError } from './errors.ts';
import type { Fields } from './fields.ts';
import type { ListPosition } from './list-pages.ts';
import { readPage } from './page.ts';
import { MAX_PER_PAGE, type Part } from './query.ts';
import { isRow, type Page, type Resource } from './resource.ts';
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

interface Cursor {
  readonly cursor: string;
  readonly stepsBack: number;
}

export type Walk = ReturnType<typeof startWalk>;

/** Reads the pages of one query sequentially. */
export function startWalk(session: RestSession, resource: Resource, options: WalkOptions) {
  const { part, fields, after, keep } = options;
  const { cancellation } = session;
  /** The cursors that were sent. */
  const sent = new Set<string>();
  const named = after ? [after.cursor, ...(after.before ?? [])] : [];
  /** Rows to continue behind: the last one first, earlier ones in case it has been deleted. */
  let cursors = named.map((cursor): Cursor => ({ cursor, stepsBack: 0 }));
  const fault = (what: string, cause?: unknown) =>
    invalid({ method: 'GET', path: resource.path }, what, cause);

  function readAfter(cursor: string | undefined, rows: number): Page | Promise<Page> {
    if (cursor !== undefined) sent.add(cursor);
    const perPage = Math.min(rows, MAX_PER_PAGE);
    return readPage(session, resource, { part, fields, perPage, cursor, keep });
  }

  /** Reads behind the last row or, if it has been deleted, behind one before it. */
  async function readOn(perPage: number): Promise<Page> {
    let failure: RestError | undefined;
    for (const { cursor, stepsBack } of cursors) {
      if (walk.isStarted && !isSendable(cursor)) throw fault('a cursor that is too long for a URL');
      try {
        return await readAfter(cursor, perPage + stepsBack);
      } catch (error) {
        if (!isUnknownCursor(error)) throw error;
        failure ??= error;
      }
    }
    // Not the caller's fault: the service itself returned these rows a moment ago.
    if (walk.isStarted) throw fault('no page behind rows that it had just given', failure);
    throw unknownCursor(failure);
  }

  // Members and not getters: V8 makes a hidden class for each literal with getters.
  const walk = {
    isStarted: false,
    isOver: false,
    /** The next page, of `perPage` rows, or more if they were cached or in flight. */
    async next(perPage: number): Promise<Page> {
      const page = await (cursors.length > 0 ? readOn(perPage) : readAfter(undefined, perPage));
      session.hold(page.bytes + page.rows.length * ROW_BYTES);
      if (cancellation.isAborted) throw cancellation.error();
      walk.isStarted = true;
      cursors = cursorsOf(page);
      walk.isOver = cursors.length === 0;
      if (page.cursor !== undefined && sent.has(page.cursor)) throw fault('the same cursor twice');
      return page;
    },
  };
  return walk;
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
