import { vi } from 'vitest';

/** Waits until a check passes; fails with what it said last. */
export function eventually(check: () => void | Promise<void>, timeout = 20_000): Promise<void> {
  return vi.waitFor(check, { timeout, interval: 10 });
}
