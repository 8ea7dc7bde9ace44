import { inTurn, visitRows } from '../../limits/turns.ts';
import type { Order, OrderedPlace } from '../../lists/order.ts';
import type { RowCondition } from '../../lists/where.ts';
import { mergeRecord } from '../../rest/cache/merge.ts';
import { invalid, RestError } from '../../rest/errors.ts';
import type { Fields } from '../../rest/fields.ts';
import type { List } from '../../rest/list-pages.ts';
import { BY_ID } from '../../rest/lookup.ts';
import { isRow } from '../../rest/page-body.ts';
import type { FilterValues, ReadRow, Resource, Row } from '../../rest/resource.ts';
import type { RestSession } from '../../rest/session.ts';
import { isSendableItem } from '../../rest/url.ts';
import type { Context } from './builder.ts';
import type { WholeRows } from './list-totals.ts';
import { loadRecords } from './loaders.ts';

/** The rows that can be read, and the error of the first that cannot. */
export function wholeRowsOf(list: List): WholeRows {
  const problem = list.rows.find((row) => row instanceof RestError);
  return { rows: list.rows.filter(isRow), isComplete: !list.hasNextPage && problem === undefined, problem };
}

export interface Placed<R = Row> {
  readonly row: R;
  readonly place: OrderedPlace;
}

interface RowSelection {
  readonly condition: RowCondition | undefined;
  readonly order: Order;
  readonly after: OrderedPlace | undefined;
  /** How many rows behind `after` are wanted in order. */
  readonly count: number;
}

/** The rows that a condition leaves, and some of them in order. */
export async function selectRows(
  rows: readonly Row[],
  { condition, order, after, count }: RowSelection,
  rest: RestSession,
): Promise<{
  readonly matching: readonly Row[];
  readonly placed: readonly Placed[];
  readonly hasMore: boolean;
}> {
  const matching: Row[] = [];
  const placed: Placed[] = [];
  await visitRows(rows, (row) => {
    if (condition && !condition.holds(row)) return;
    matching.push(row);
    if (count === 0) return;
    const place = order.placeOf(row);
    if (after === undefined || order.compare(place, after) > 0) placed.push({ row, place });
  });
  rest.countSorted(placed.length);
  await inTurn(() => placed.sort((a, b) => order.compare(a.place, b.place)));
  return { matching, placed: placed.slice(0, count), hasMore: placed.length > count };
}

/** Adds to rows of a page the fields that were not read with the whole list, by one lookup. */
export async function completeRows(
  context: Context,
  resource: Resource,
  { administrationId }: FilterValues,
  placed: readonly Placed[],
  { needed, missing }: { readonly needed: Fields; readonly missing: Fields },
): Promise<Placed<ReadRow>[]> {
  const unsendable = () => invalid({ method: 'GET', path: resource.path }, 'an id that cannot be sent');
  const refs = placed.map(({ place: { id: value } }) =>
    isSendableItem(value) ? { administrationId: String(administrationId), value } : unsendable(),
  );
  const records = await loadRecords(context, resource, BY_ID, { refs, fields: missing });
  return placed.flatMap(({ row, place }, index): Placed<ReadRow>[] => {
    const record = records[index];
    if (record instanceof RestError && refs[index] === record) return [{ row: record, place }];
    if (record instanceof Error) throw record;
    // Deleted since the list was read.
    if (!record) return [];
    const merged = mergeRecord({ record: row, fields: needed }, { record, fields: missing });
    return [{ row: merged.record, place }];
  });
}
