import { isSliceOver } from '../../limits/time-slice.ts';
import type { GivenPlace, Order, OrderedPlace } from '../../lists/order.ts';
import { type Slices, sortSliced, visitSliced } from '../../lists/slices.ts';
import type { Preparation } from '../../lists/value-test.ts';
import type { RecordCondition } from '../../lists/where.ts';
import { mergeRecord } from '../../rest/cache/record-cache.ts';
import { invalid, RestError } from '../../rest/errors.ts';
import type { Fields } from '../../rest/fields.ts';
import { type List, rowsOf } from '../../rest/list-pages.ts';
import { BY_ID } from '../../rest/lookup.ts';
import { isRow } from '../../rest/page-body.ts';
import type { FilterValues, ReadRow, Resource, Row } from '../../rest/resource.ts';
import { isSendableItem } from '../../rest/url.ts';
import type { Context } from './builder.ts';
import type { WholeRows } from './list-totals.ts';
import { loadRecords } from './loaders.ts';

/** The rows that can be read, and the error of the first that cannot. */
export function wholeRowsOf(list: List, { rest, budget, sequence }: Context): Promise<WholeRows> {
  // One list at a time: under many aliases, all would be joined in one turn of the event loop.
  return sequence.run(async () => {
    const rows: Row[] = [];
    const broken: RestError[] = [];
    await visitSliced(rowsOf(list), budget, (row) => {
      if (row instanceof RestError) broken.push(row);
      else rows.push(row);
    });
    rest.hold(rows.length * POINTER_BYTES);
    const [problem] = broken;
    return { rows, isComplete: !list.hasNextPage && problem === undefined, problem };
  });
}

export interface Placed<R = Row> {
  readonly row: R;
  readonly place: OrderedPlace;
}

interface RowSelection {
  readonly condition: RecordCondition | undefined;
  readonly order: Order;
  readonly after: GivenPlace | undefined;
  /** How many rows behind `after` are wanted in order. */
  readonly count: number;
}

/** The rows that a condition leaves, and some of them in order. What it takes to order them is not kept. */
export async function selectRows(
  rows: readonly Row[],
  { condition, order, after, count }: RowSelection,
  { rest, budget }: Context,
): Promise<{
  readonly matching: readonly Row[];
  readonly placed: readonly Placed[];
  readonly hasMore: boolean;
}> {
  const matching: Row[] = [];
  if (rows.length > 0)
    await prepare([...(condition?.preparations ?? []), ...(after?.preparations ?? [])], budget);
  await visitSliced(rows, budget, (row) => {
    if (condition === undefined || condition.holds(row)) matching.push(row);
  });
  rest.hold(matching.length * POINTER_BYTES);
  if (count === 0) return { matching, placed: [], hasMore: false };
  const all: Placed[] = [];
  let held = 0;
  try {
    await visitSliced(matching, budget, (row) => {
      const place = order.placeOf(row);
      const bytes = placeBytes(place);
      held += bytes;
      rest.hold(bytes);
      if (after === undefined || order.compare(place, after.place) > 0) all.push({ row, place });
    });
    const sorted = await sortSliced(all, budget, (a, b) => order.compare(a.place, b.place));
    return { matching, placed: sorted.slice(0, count), hasMore: sorted.length > count };
  } finally {
    rest.hold(-held);
  }
}

async function prepare(preparations: readonly Preparation[], slices: Slices): Promise<void> {
  for (const next of preparations) while (next()) if (isSliceOver()) await slices.nextSlice();
}

const POINTER_BYTES = 8;

/** The memory of a place: its text has two bytes for each character, at most. */
function placeBytes({ values, id }: OrderedPlace): number {
  let bytes = 150 + 2 * id.length;
  for (const value of values) bytes += typeof value === 'string' ? 40 + 2 * value.length : 60;
  return bytes;
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
    return isRow(merged.record) ? [{ row: merged.record, place }] : [];
  });
}
