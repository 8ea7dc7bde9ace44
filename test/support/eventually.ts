import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_PAUSE_MS = 5;
const MAX_PAUSE_MS = 50;

/**
 * Waits until a check passes; fails with what it said last. It is made less and less often, and its errors have no
 * stacks, which take longer than most checks.
 */
export async function eventually(
  check: () => unknown,
  timeout = 20_000,
  firstPause = FIRST_PAUSE_MS,
): Promise<void> {
  let waited = 0;
  for (
    let pause = firstPause;
    waited < timeout;
    pause = Math.max(firstPause, Math.min(pause * 1.5, MAX_PAUSE_MS))
  ) {
    if (await passes(check)) return;
    await sleep(pause);
    waited += pause;
  }
  await check();
}

async function passes(check: () => unknown): Promise<boolean> {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    const checking = check();
    Error.stackTraceLimit = stackTraceLimit;
    await checking;
    return true;
  } catch {
    return false;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
