import type { ResultObject, Source } from './object-literal.ts';
import type { FieldPlan } from './plan.ts';
import type { Path, Run } from './run.ts';

/** One object whose batched field is to be resolved. */
export interface BatchedRow {
  readonly source: Source;
  readonly object: ResultObject;
  /** Of the object, not of the field in it. */
  readonly path: Path;
}

const RESOLVED = Promise.resolve();

/**
 * Adds a row to the batch of a field in one operation. The batch is resolved when the rows at hand are completed: in a
 * microtask, so that it shares the lookups of other fields in the same tick.
 */
export function addToBatch(
  run: Run,
  plan: FieldPlan,
  row: BatchedRow,
  resolve: (run: Run, rows: readonly BatchedRow[]) => Promise<void>,
): void {
  const batch = run.openBatches.get(plan);
  if (batch) {
    batch.push(row);
    return;
  }
  const rows = [row];
  run.openBatches.set(plan, rows);
  run.track(
    RESOLVED.then(() => {
      run.openBatches.delete(plan);
      return resolve(run, rows);
    }),
  );
}
