import { onTestFinished, vi } from 'vitest';

/** Stops `performance.now()` for one test, which then says itself how time passes. Timers go on. */
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
