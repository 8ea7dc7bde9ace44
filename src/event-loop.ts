import { setImmediate as nextTurn } from 'node:timers/promises';

let last: Promise<unknown> = Promise.resolve();

/** Does a part of long work in a turn of the event loop of its own, after those that were asked for before. */
export function runAfterYield<Result>(work: () => Result): Promise<Result> {
  const done = last.then(() => nextTurn()).then(work);
  last = done.catch(() => {});
  return done;
}

/** Lets other work run. */
export const yieldToEventLoop = () => runAfterYield(() => {});

/** How long the rows of a list are visited before others get a turn. */
const TURN_MS = 10;

/** Visits the rows of a whole list: there may be tens of thousands, and each may take microseconds or milliseconds. */
export async function forEachRow<Row>(rows: readonly Row[], visit: (row: Row) => void): Promise<void> {
  const remaining = rows.values();
  const visitSome = () => {
    const endsAt = performance.now() + TURN_MS;
    for (let next = remaining.next(); !next.done; next = remaining.next()) {
      visit(next.value);
      if (performance.now() > endsAt) return true;
    }
    return false;
  };
  while (await runAfterYield(visitSome));
}

/** How many bytes of operations start in one turn of the event loop; the shortest count as 500. */
const TURN_BYTES = 16_000;
let started = 0;

/**
 * Hundreds may arrive at once, and a long one may take a tenth of a second: others are served in between. Returns a
 * promise if this one has to wait for another turn.
 */
export function waitForStartBudget(bytes: number): Promise<void> | undefined {
  if (started >= TURN_BYTES) return nextTurn().then(() => waitForStartBudget(bytes));
  if (started === 0)
    setImmediate(() => {
      started = 0;
    });
  started += Math.max(500, bytes);
  return undefined;
}
