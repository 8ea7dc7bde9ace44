import { isSliceOver } from '../limits/time-slice.ts';

/** Lets others run in between; throws if the operation was aborted meanwhile. */
export interface Slices {
  nextSlice(): Promise<void>;
}

/** Comparisons between two looks at the clock. */
const STEP = 64;

/** Visits items in time slices: work on a hundred thousand rows must not delay other requests. */
export async function visitSliced<Item>(
  items: readonly Item[],
  slices: Slices,
  visit: (item: Item, index: number) => void,
): Promise<void> {
  // One row may take as long as a thousand others.
  for (const [index, item] of items.entries()) {
    visit(item, index);
    if (isSliceOver()) await slices.nextSlice();
  }
}

/** The least that is sorted at once, in a millisecond or so. */
const RUN = 64;

/** Sorts in time slices, as `toSorted` does: parts first, which are then merged. */
export async function sortSliced<Item>(
  items: readonly Item[],
  slices: Slices,
  compare: (a: Item, b: Item) => number,
): Promise<Item[]> {
  let runs: Item[][] = [];
  for (let start = 0; start < items.length; start += RUN) {
    runs.push(items.slice(start, start + RUN).sort(compare));
    if (isSliceOver()) await slices.nextSlice();
  }
  while (runs.length > 1) {
    const merged: Item[][] = [];
    for (let index = 0; index < runs.length; index += 2) {
      merged.push(await merge(runs[index] ?? [], runs[index + 1] ?? [], slices, compare));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge<Item>(
  left: readonly Item[],
  right: readonly Item[],
  slices: Slices,
  compare: (a: Item, b: Item) => number,
): Promise<Item[]> {
  const merged: Item[] = [];
  let [nextLeft, nextRight] = [0, 0];
  while (merged.length < left.length + right.length) {
    const [item, other] = [left[nextLeft], right[nextRight]];
    if (item !== undefined && (other === undefined || compare(other, item) >= 0)) {
      merged.push(item);
      nextLeft += 1;
    } else if (other !== undefined) {
      merged.push(other);
      nextRight += 1;
    }
    if (merged.length % STEP === 0 && isSliceOver()) await slices.nextSlice();
  }
  return merged;
}

/** Runs tasks one after another, so that what one keeps while it works is not kept for all of them at once. */
export class Sequence {
  #last: Promise<unknown> | undefined;

  run<Result>(task: () => Promise<Result>): Promise<Result> {
    const result = this.#last ? this.#last.then(task) : task();
    this.#last = result.catch(() => {});
    return result;
  }
}
