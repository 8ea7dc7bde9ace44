import { badInput, RestError } from './errors.ts';
import { type Fields, unionOfAll } from './fields.ts';
import type { ListPosition } from './list-pages.ts';
import { BY_ID, lookUp } from './lookup.ts';
import { cursorRoom, type Part, roomBeside, splitFilters } from './query.ts';
import { type FilterValues, type ReadRow, type Resource, type Row, withRequiredFields } from './resource.ts';
import type { RestSession } from './session.ts';
import { Walk } from './walk.ts';

/** Reserved for `fields` when a filter is split, so that every page is split at the same values, whatever is selected. */
const FIELDS_ROOM = 1500;

const NOT_A_CURSOR = '`after` is not a cursor of this list.';

/** A part of a list, and its index: null if the list is read whole. */
export interface ListPart<R extends Row> {
  readonly index: number | null;
  readonly part: Part;
  readonly walk: Pick<Walk<R>, 'isOver' | 'next'>;
}

export interface PartsRequest {
  readonly filters: FilterValues;
  readonly fields: Fields;
  readonly after?: ListPosition | undefined;
}

/**
 * The parts of a list, from the one that contains `after`. A list that was read whole so far is read whole to its end,
 * so that its rows keep their order: with the ids alone, if the URL has no room for the fields that are selected now.
 */
export function partsOf<R extends Row>(
  session: RestSession,
  resource: Resource<R>,
  { filters, fields, after }: PartsRequest,
): ListPart<R>[] {
  const { parameterNames, client } = session;
  const split = (room: number) => splitFilters(resource, parameterNames, filters, room);
  const forCursors = cursorRoom(filters, after?.cursor);
  const wholeWith = (read: Fields) => {
    const [only, ...more] = split(roomBeside(resource, client.baseLength, read, forCursors));
    return more.length === 0 ? only : undefined;
  };
  if (!after || after.part === null) {
    const part = wholeWith(fields);
    if (part) {
      return [{ index: null, part, walk: new Walk(session, resource, { part, fields, after, keep: true }) }];
    }
  }
  if (after?.part === null) {
    const ids = withRequiredFields(resource, {});
    const part = wholeWith(ids);
    if (part === undefined) throw badInput(NOT_A_CURSOR);
    const walk = new Walk(session, resource, { part, fields: ids, after, keep: true });
    return [{ index: null, part, walk: lookupWalk(session, resource, walk, { filters, fields }) }];
  }
  const forAnyCursor = cursorRoom(filters);
  const parts = split(roomBeside(resource, client.baseLength, {}, forAnyCursor) + FIELDS_ROOM);
  const start = after?.part ?? 0;
  if (start >= parts.length) throw badInput(NOT_A_CURSOR);
  return parts.slice(start).map((part, position) => {
    const index = start + position;
    const options = { part, fields, after: index === after?.part ? after : undefined, keep: true };
    return { index, part, walk: new Walk(session, resource, options) };
  });
}

/** Reads the ids of each page, and then looks up its records. */
function lookupWalk<R extends Row>(
  session: RestSession,
  resource: Resource<R>,
  ids: Walk<R>,
  { filters: { administrationId }, fields }: PartsRequest,
): ListPart<R>['walk'] {
  const { text } = session;
  return {
    get isOver() {
      return ids.isOver;
    },
    async next(perPage) {
      const page = await ids.next(perPage);
      if (typeof administrationId !== 'string') throw badInput(NOT_A_CURSOR);
      const values = page.rows.flatMap((row) => (row instanceof RestError ? [] : text.decode(row.id)));
      const selections = new Map(values.map((value) => [value, fields]));
      const lookup = { administrationId, key: BY_ID, selections, unite: unionOfAll };
      const found = await lookUp(session, resource, lookup);
      const rows = page.rows.flatMap((row): ReadRow<R>[] => {
        if (row instanceof RestError) return [row];
        const record = found.get(text.decode(row.id));
        if (record instanceof Error) throw record;
        // Null if it has been deleted since its page was read.
        return record ? [record] : [];
      });
      return { ...page, rows };
    },
  };
}
