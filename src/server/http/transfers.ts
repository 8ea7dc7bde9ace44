import { type Holding, SharedBudget } from '../../limits/shared-budget.ts';

export interface TransferLimits {
  /** For all transfers together. */
  readonly maxBytes: number;
  /** A transfer that moves fewer than `minBytes` in a window is aborted as stalled. */
  readonly windowMs: number;
  readonly minBytes: number;
}

/** One kilobyte per second; hardly any legitimate client is slower. */
export function uploadLimits(maxBytes: number): TransferLimits {
  return { maxBytes, windowMs: 5_000, minBytes: 5_000 };
}

/** At least one part of the response in 30 s. Data in kernel buffers counts as read, so the window is long. */
export function downloadLimits(maxBytes: number): TransferLimits {
  return { maxBytes, windowMs: 30_000, minBytes: 1 };
}

export type TransferAbortReason = 'stalled' | 'evicted';

/** Uploads or downloads. Clients determine how long they take, so each must make progress, not meet a deadline. */
export class Transfers {
  readonly #limits: TransferLimits;
  readonly #budget: SharedBudget;
  readonly #running = new Set<Transfer>();
  #sweep: NodeJS.Timeout | undefined;

  constructor(limits: TransferLimits) {
    this.#limits = limits;
    this.#budget = new SharedBudget(limits.maxBytes, { evicts: 'stalest' });
  }

  get heldBytes(): number {
    return this.#budget.held;
  }

  /** Aborts transfers that hold half of what all of them hold. */
  halve(): void {
    this.#budget.halve();
  }

  /** `abort` is called at most once, and never after `end`. */
  start(owner: string, abort: (reason: TransferAbortReason) => void, onProgress = () => {}): Transfer {
    const holding = this.#budget.hold(owner, () => transfer.abort('evicted'));
    const transfer = new Transfer(this.#running, holding, abort, onProgress);
    this.#sweep ??= setInterval(() => this.#abortStalled(), this.#limits.windowMs / 4).unref();
    return transfer;
  }

  #abortStalled(): void {
    const { windowMs, minBytes } = this.#limits;
    const now = performance.now();
    for (const transfer of this.#running) {
      if (transfer.isWaiting || now - transfer.windowStart < windowMs) continue;
      if (transfer.transferredBytes < minBytes) transfer.abort('stalled');
      transfer.resume();
    }
    if (this.#running.size > 0) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }
}

export class Transfer {
  readonly #running: Set<Transfer>;
  readonly #holding: Holding;
  readonly #abort: (reason: TransferAbortReason) => void;
  readonly #onProgress: () => void;
  windowStart = performance.now();
  /** Bytes transferred since `windowStart`. */
  transferredBytes = 0;
  /** Whether there is nothing to transfer, or not yet, so that it cannot stall; what it holds still counts. */
  isWaiting = false;

  constructor(
    running: Set<Transfer>,
    holding: Holding,
    abort: (reason: TransferAbortReason) => void,
    onProgress: () => void,
  ) {
    this.#running = running.add(this);
    this.#holding = holding;
    this.#abort = abort;
    this.#onProgress = onProgress;
  }

  hold(bytes: number): void {
    this.#holding.add(bytes);
  }

  /** There is something to transfer again. */
  resume(): void {
    this.isWaiting = false;
    this.windowStart = performance.now();
    this.transferredBytes = 0;
  }

  recordProgress(bytes: number): void {
    this.transferredBytes += bytes;
    this.#holding.touch();
    this.#onProgress();
  }

  abort(reason: TransferAbortReason): void {
    if (this.end()) this.#abort(reason);
  }

  /** Returns false if it had already ended. */
  end(): boolean {
    this.#holding.release();
    return this.#running.delete(this);
  }
}
