import { RestError } from '../rest/errors.ts';
import { type Fields, unionOf } from '../rest/fields.ts';
import { isRow } from '../rest/page-body.ts';
import { MAX_PER_PAGE, roomBeside, splitFilters } from '../rest/query.ts';
import { type ReadRow, withRequiredFields } from '../rest/resource.ts';
import type { RestSession } from '../rest/session.ts';
import { Walk } from '../rest/walk.ts';
import { type ChangeSource, stampFields } from './change.ts';
import { type FeedPosition, withinCalendar } from './position.ts';

interface ReadRequest {
  readonly source: ChangeSource;
  readonly administrationId: string;
  /** What is selected of each record. */
  readonly fields: Fields;
  readonly position: FeedPosition;
}

export interface ChangedPage {
  readonly rows: readonly ReadRow[];
  readonly bytes: number;
  /** When the walk started, by the service's own clock. */
  readonly start: number;
}

/** Reads all that changed after a mark, from the position's record on if it has one. */
export async function* readChanges(
  session: RestSession,
  request: ReadRequest,
): AsyncGenerator<ChangedPage, void, undefined> {
  const { walk: resumed } = request.position;
  const startedAt = performance.now();
  let after = resumed?.id;
  let walk = walkFrom(session, request, after);
  let start: number | undefined;
  let last = new Set<string>();
  while (!walk.isOver) {
    try {
      const { rows, bytes, date, foreign } = await walk.next(MAX_PER_PAGE);
      if (foreign) throw foreign;
      // The start of a walk that is resumed stood in a cursor, which may say anything.
      start ??= Math.min(
        clockOf(date) - (performance.now() - startedAt),
        resumed?.start ?? Number.POSITIVE_INFINITY,
      );
      // Behind a record that was deleted meanwhile, a page begins with rows of the one before.
      const fresh = rows.filter((row) => !isRow(row) || !last.has(row.internalId));
      last = new Set(rows.filter(isRow).map((row) => row.internalId));
      yield { rows: fresh, bytes, start: Math.floor(start) };
    } catch (error) {
      // The record of the position is gone: the walk begins anew, once.
      if (walk.isStarted || after === undefined || !isUnknownRecord(error)) throw error;
      after = undefined;
      walk = walkFrom(session, request, after);
    }
  }
}

function walkFrom(session: RestSession, request: ReadRequest, id: string | undefined): Walk {
  const { source, administrationId, position } = request;
  const { resource, filter } = source;
  const fields = withRequiredFields(resource, unionOf(request.fields, stampFields(source)));
  const filters = { administrationId, [filter]: new Date(position.mark).toISOString() };
  const { client, parameterNames } = session;
  const room = roomBeside(resource, client.baseLength, fields);
  const [part] = splitFilters(resource, parameterNames, filters, room);
  if (part === undefined) throw new TypeError('a list without a part');
  const after = id === undefined ? undefined : { part: null, cursor: id };
  // Its pages are those of one moment, and are not cached.
  return new Walk(session, resource, { part, fields, after, keep: true });
}

/** A service that does not tell its time is taken to have the gateway's. */
function clockOf(date: string | undefined): number {
  const moment = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isNaN(moment) ? Date.now() : withinCalendar(moment);
}

function isUnknownRecord(error: unknown): boolean {
  return error instanceof RestError && error.code === 'BAD_USER_INPUT';
}
