const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 30_000;

/** How long to wait before a further attempt: twice as long after each that failed, and never two commands in step. */
export function waitAfter(failures: number, firstWaitMs = FIRST_WAIT_MS): number {
  return Math.min(firstWaitMs * 2 ** (failures - 1), MAX_WAIT_MS) * (0.75 + Math.random() / 2);
}
