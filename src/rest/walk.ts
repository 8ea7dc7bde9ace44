import { invalid, RestError } from './errors.ts';
import { readPage } from './page.ts';
import { MAX_PER_PAGE, type PageRequest } from './query.ts';
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

interface Walk extends Pick<PageRequest, 'part' | 'fields' | 'keep'> {
  /** The caller's position, if the walk does not start at the beginning. */
  readonly after?: ListPosition | undefined;
}

/** Reads one page after another, each of as many rows as are wanted then, or more if they were cached or in flight. */
export async function* readPages(
  session: RestSession,
  resource: Resource,
  { part, fields, after, keep }: Walk,
  wanted: () => number,
): AsyncGenerator<Page, void> {
  const { hold, cancellation } = session;
  const sent = new Set<string>();
  const named = after ? [after.cursor, ...(after.before ?? [])] : [];
  /** Rows to go on behind, and how far before the last one they stand: earlier ones in case that has been deleted. */
  let cursors = new Map(named.map((cursor) => [cursor, 0]));
  let isStarted = false;
  const fault = (what: string, cause?: unknown) =>
    invalid({ method: 'GET', path: resource.path }, what, cause);
  const read = (rows: number, cursor?: string) =>
    readPage(session, resource, { part, fields, perPage: Math.min(rows, MAX_PER_PAGE), cursor, keep });

  /** Reads behind the last row or, if it has been deleted, behind one before it. */
  async function readOn(): Promise<Page> {
    let failure: RestError | undefined;
    for (const [cursor, stepsBack] of cursors) {
      if (isStarted && !isSendable(cursor)) throw fault('a cursor that is too long for a URL');
      sent.add(cursor);
      try {
        return await read(wanted() + stepsBack, cursor);
      } catch (error) {
        if (!isUnknownCursor(error)) throw error;
        failure ??= error;
      }
    }
    // Not the caller's fault: the service itself returned these rows a moment ago.
    if (isStarted) throw fault('no page behind rows that it had just given', failure);
    // A bad argument, whatever the status of the response.
    throw new RestError(
      'BAD_USER_INPUT',
      'The REST service does not know the record of `after`: it may have been deleted, with those before it. ' +
        'Read the list from its start, without `after`.',
      { upstream: failure?.upstream, cause: failure },
    );
  }

  do {
    const page = await (cursors.size > 0 ? readOn() : read(wanted()));
    hold(page.bytes + page.rows.length * ROW_BYTES);
    if (cancellation.isAborted) throw cancellation.error();
    if (page.cursor !== undefined && sent.has(page.cursor)) throw fault('the same cursor twice');
    isStarted = true;
    cursors = cursorsOf(page);
    yield page;
  } while (cursors.size > 0);
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
