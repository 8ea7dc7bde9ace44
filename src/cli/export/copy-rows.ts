import { setTimeout } from 'node:timers/promises';
import { ExportFailure } from './failure.ts';
import type { Output } from './output.ts';
import type { RowPlan } from './plan.ts';
import { type RowSource, readRows } from './read-rows.ts';

/** Attempts in a row that may bring no row. */
const MAX_ATTEMPTS = 8;
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 30_000;
/** A gateway that asks for more than this is not waited for. */
const MAX_RETRY_AFTER_MS = 300_000;

export interface CopyOptions {
  /** Called before each further attempt. */
  readonly onRetry: (failure: ExportFailure, waitMs: number) => void;
  readonly firstWaitMs?: number;
}

/** Writes all rows, in as many requests as it takes: each starts behind the last row of the one before. */
export async function copyRows(
  source: RowSource,
  { limit }: Pick<RowPlan, 'limit'>,
  output: Output,
  { onRetry, firstWaitMs = FIRST_WAIT_MS }: CopyOptions,
): Promise<void> {
  let attempts = 0;
  for (;;) {
    const start = await output.flush();
    if (start.rows >= limit) return;
    try {
      for await (const row of readRows(source, start.after)) {
        await output.add(row);
        // The gateway counts `first` in each request anew.
        if (output.rows >= limit) return;
      }
      return;
    } catch (error) {
      if (!(error instanceof ExportFailure)) throw error;
      if (error.hasGap) await output.rollBack(start);
      attempts = output.rows > start.rows ? 1 : attempts + 1;
      const waitMs = Math.max(
        error.retryAfterMs,
        Math.min(firstWaitMs * 2 ** (attempts - 1), MAX_WAIT_MS) * (0.75 + Math.random() / 2),
      );
      if (!error.isTransient || attempts >= MAX_ATTEMPTS || waitMs > MAX_RETRY_AFTER_MS) throw error;
      onRetry(error, waitMs);
      await setTimeout(waitMs, undefined, { signal: source.signal });
    }
  }
}
