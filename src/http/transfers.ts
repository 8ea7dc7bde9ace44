import { type Holding, SharedBudget } from '../limits/shared-budget.ts';

export interface TransferLimits {
  /** For all transfers together. */
  readonly maxBytes: number;
  /** In each such span of time a transfer has to move `minBytes`, or it is cut as stalled. */
  readonly windowMs: number;
  readonly minBytes: number;
}

/** A body of a kilobyte a second; a slower one is hardly ever an honest client's. */
export function uploadLimits(maxBytes: number): TransferLimits {
  return { maxBytes, windowMs: 5_000, minBytes: 5_000 };
}

/** A part of an answer in half a minute. What lies in the system's buffers is seen as read, so the span is long. */
export function downloadLimits(maxBytes: number): TransferLimits {
  return { maxBytes, windowMs: 30_000, minBytes: 1 };
}

export type TransferAbortReason = 'stalled' | 'evicted';

/**
 * Bodies that arrive, or answers that are sent. The other side decides how long each takes, so they are bounded in
 * bytes altogether, and each is judged by the progress it makes rather than by time alone.
 */
export class Transfers {
  readonly #limits: TransferLimits;
  readonly #budget: SharedBudget;
  readonly #running = new Set<Transfer>();
  #sweep: NodeJS.Timeout | undefined;

  constructor(limits: TransferLimits) {
    this.#limits = limits;
    this.#budget = new SharedBudget(limits.maxBytes, { evicts: 'stalest' });
  }

  /** `cut` is called at most once, and not after the end. */
  start(owner: string, abort: (reason: TransferAbortReason) => void): Transfer {
    const transfer = new Transfer(this.#running, abort);
    transfer.holding = this.#budget.hold(owner, () => transfer.cut('evicted'));
    this.#running.add(transfer);
    this.#sweep ??= setInterval(() => this.#abortStalled(), this.#limits.windowMs / 4).unref();
    return transfer;
  }

  #abortStalled(): void {
    const { windowMs, minBytes } = this.#limits;
    const now = performance.now();
    for (const transfer of this.#running) {
      if (now - transfer.windowStart < windowMs) continue;
      if (transfer.transferredBytes < minBytes) transfer.cut('stalled');
      transfer.transferredBytes = 0;
      transfer.windowStart = now;
    }
    if (this.#running.size > 0) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }
}

export class Transfer {
  readonly #running: Set<Transfer>;
  readonly #abort: (reason: TransferAbortReason) => void;
  holding: Holding | undefined;
  windowStart = performance.now();
  /** Bytes since then. */
  transferredBytes = 0;

  constructor(running: Set<Transfer>, abort: (reason: TransferAbortReason) => void) {
    this.#running = running;
    this.#abort = abort;
  }

  /** Holds more memory. */
  hold(bytes: number): void {
    this.holding?.add(bytes);
  }

  /** Has sent or received this much. */
  recordProgress(bytes: number): void {
    this.transferredBytes += bytes;
    this.holding?.touch();
  }

  cut(reason: TransferAbortReason): void {
    if (this.end()) this.#abort(reason);
  }

  /** False where it has ended before. */
  end(): boolean {
    this.holding?.release();
    return this.#running.delete(this);
  }
}
