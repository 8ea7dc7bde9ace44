import { asError } from '../rest/errors.ts';
import type { ExecutionHints } from './hints.ts';
import type { FieldPlan } from './plan.ts';
import { type BatchedRow, ResolveInfo, type Run } from './run.ts';

/** Never rejects. */
type ResolveRows = (run: Run, rows: readonly BatchedRow[]) => Promise<void>;

const RESOLVED = Promise.resolve();

/**
 * Adds a row to the batch of a field in one operation. The batch is resolved when the rows at hand are completed: in a
 * microtask, so that it shares the lookups of other fields in the same tick.
 */
export function addToBatch(run: Run, plan: FieldPlan, row: BatchedRow, resolve: ResolveRows): void {
  run.openBatches ??= new Map();
  const { openBatches } = run;
  const batch = openBatches.get(plan);
  if (batch) {
    batch.push(row);
    return;
  }
  const rows = [row];
  openBatches.set(plan, rows);
  run.track(
    RESOLVED.then(() => {
      openBatches.delete(plan);
      return resolve(run, rows);
    }),
  );
}

/** Resolves the rows of a batch by one call; `setField` completes the value of each. */
export function resolveRows(
  plan: FieldPlan,
  resolveBatch: NonNullable<ExecutionHints['resolveBatch']>,
  setField: (run: Run, row: BatchedRow, value: unknown) => void,
): ResolveRows {
  const resolve = async (run: Run, rows: readonly BatchedRow[]) => {
    const sources = rows.map(({ source }) => source);
    const info = new ResolveInfo(run, plan, { prev: rows[0]?.path, key: plan.key, typename: undefined });
    const failed = (error: unknown) => sources.map(() => asError(error));
    const values = await resolveBatch(sources, run.context, info).catch(failed);
    for (const [index, row] of rows.entries()) {
      // Nested lookups must start in the same tick, so that they share a batch.
      if (plan.isLocal && run.budget.isSliceOver()) await run.budget.nextSlice();
      setField(run, row, values[index]);
    }
  };
  // A rejection means that the operation was stopped, and its budget knows why.
  return (run, rows) => resolve(run, rows).catch(() => {});
}
