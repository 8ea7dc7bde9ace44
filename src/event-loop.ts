import { setImmediate as nextTurn } from 'node:timers/promises';

let last: Promise<unknown> = Promise.resolve();

/** Runs a step of long work in a later turn of the event loop, after the steps that were queued before. */
export function runAfterYield<Result>(work: () => Result): Promise<Result> {
  const done = last.then(() => nextTurn()).then(work);
  last = done.catch(() => {});
  return done;
}

export const yieldToEventLoop = () => runAfterYield(() => {});

const TURN_MS = 10;

/** Visits rows in slices: there may be tens of thousands, and each may take milliseconds. */
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

/** How many bytes of operations start in one turn of the event loop. The shortest count as 500. */
const TURN_BYTES = 16_000;
let started = 0;

/** Returns a promise if an operation has to wait: others are served while hundreds start. */
export function waitForStartBudget(bytes: number): Promise<void> | undefined {
  if (started >= TURN_BYTES) return nextTurn().then(() => waitForStartBudget(bytes));
  if (started === 0)
    setImmediate(() => {
      started = 0;
    });
  started += Math.max(500, bytes);
  return undefined;
}
