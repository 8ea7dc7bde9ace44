import { onTestFinished, vi } from 'vitest';

/** Stops `performance.now()` for one test, which then moves the time itself. Timers continue. */
export function stopClock(): { advance(milliseconds: number): void } {
  let time = performance.now();
  const now = vi.spyOn(performance, 'now').mockImplementation(() => time);
  onTestFinished(() => now.mockRestore());
  return {
    advance(milliseconds) {
      time += milliseconds;
    },
  };
}
