import { setTimeout } from 'node:timers/promises';
import { CommandFailure } from '../failure.ts';
import { NOBODY_THERE, waitAfter } from '../gateway-request.ts';
import type { RowOutput } from './output.ts';
import { MissingRows, type RowPlan, type RowSource, readRows } from './read-rows.ts';

/** Attempts in a row that may bring no row. */
const MAX_ATTEMPTS = 8;
/** A gateway that asks for more than this is not waited for. */
const MAX_RETRY_AFTER_MS = 300_000;

export interface CopyOptions {
  /** Called before each further attempt. */
  readonly onRetry: (failure: CommandFailure, waitMs: number) => void;
  readonly firstWaitMs?: number;
}

/** Writes all rows, in as many requests as it takes: each starts behind the last row of the one before. */
export async function copyRows(
  source: RowSource,
  { limit }: Pick<RowPlan, 'limit'>,
  output: RowOutput,
  { onRetry, firstWaitMs }: CopyOptions,
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
      if (error instanceof MissingRows || !source.hasCursors) await output.rollBack(start);
      if (!(error instanceof CommandFailure)) throw error;
      if (attempts === 0 && error.code === NOBODY_THERE) throw error;
      attempts = output.rows > start.rows ? 1 : attempts + 1;
      const waitMs = Math.max(error.retryAfterMs, waitAfter(attempts, firstWaitMs));
      if (!error.isTransient || attempts >= MAX_ATTEMPTS || waitMs > MAX_RETRY_AFTER_MS) throw error;
      onRetry(error, waitMs);
      await setTimeout(waitMs, undefined, { signal: source.signal });
    }
  }
}
