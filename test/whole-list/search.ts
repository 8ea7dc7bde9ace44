import fc from 'fast-check';
import type { Case } from './generate.ts';
import { operationOf } from './operation.ts';

/** How long a failure is made smaller, so that it is told before the test times out. */
const SHRINKING_MS = 20_000;

/** Tries random values; of a failure it shows the reason, and how to run it again. */
export async function search<Value>(
  values: fc.Arbitrary<Value>,
  numRuns: number,
  check: (value: Value) => Promise<void>,
): Promise<void> {
  let deadline = Number.POSITIVE_INFINITY;
  const property = fc.asyncProperty(values, async (value) => {
    if (Date.now() > deadline) return;
    try {
      await check(value);
    } catch (error) {
      deadline = Math.min(deadline, Date.now() + SHRINKING_MS);
      throw error;
    }
  });
  const { failed, seed, counterexamplePath, errorInstance } = await fc.check(property, { numRuns });
  if (failed)
    throw new Error(`with { seed: ${seed}, path: '${counterexamplePath}' }`, { cause: errorInstance });
}

/** Adds to a failure what was asked of which rows. */
export async function explained(
  oneCase: Pick<Case, 'spec' | 'asks' | 'rows' | 'perPage'>,
  check: () => Promise<void>,
) {
  try {
    await check();
  } catch (error) {
    const { spec, asks, rows, perPage } = oneCase;
    const what = JSON.stringify({ ...operationOf(spec, asks), perPage, rows: rows.map(({ row }) => row) });
    throw new Error(`${error instanceof Error ? error.message : error} in ${what}`, { cause: error });
  }
}
