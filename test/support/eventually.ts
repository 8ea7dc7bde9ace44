import { vi } from 'vitest';

/** Waits until a check passes; fails with what it said last. A check that takes long is made less often. */
export function eventually(
  check: () => void | Promise<void>,
  timeout = 20_000,
  interval = 10,
): Promise<void> {
  return vi.waitFor(check, { timeout, interval });
}
