import { asError } from '../rest/errors.ts';
import type { Batch } from './contract.ts';
import type { FieldPlan } from './plan.ts';
import {
  type BatchedRows,
  type Complete,
  infoOf,
  isPromise,
  type Run,
  type SetField,
  setLater,
} from './run.ts';

/**
 * Adds a row to the batch of a field in one operation. All rows at hand are resolved by one call, in a microtask, so that
 * it shares the lookups of other fields in the same tick.
 */
export function compileBatch(plan: FieldPlan, batch: Batch, settle: Complete): SetField {
  const { key } = plan;
  async function resolve(run: Run, rows: BatchedRows): Promise<void> {
    await undefined;
    run.openBatches.delete(plan);
    const sources = rows.map(({ source }) => source);
    const values = await batch
      .resolve(sources, run.context, infoOf(run, plan, rows[0].path))
      .catch((error) => sources.map(() => asError(error)));
    for (const [index, row] of rows.entries()) {
      if (run.size.error) return;
      const result = settle(run, values[index], row.path);
      if (isPromise(result)) run.defer(setLater(row.object, key, result));
      else row.object[key] = result;
    }
  }
  return (run, source, object, parent) => {
    object[key] = null;
    const row = { source, object, path: { prev: parent, key, typename: undefined } };
    const open = run.openBatches.get(plan);
    if (open) open.push(row);
    else {
      const rows: BatchedRows = [row];
      run.openBatches.set(plan, rows);
      run.defer(resolve(run, rows));
    }
    return undefined;
  };
}
