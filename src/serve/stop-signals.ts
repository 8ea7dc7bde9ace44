/** `timeout`, for one, signals a process and then its group: signals that come together are one. */
const TOGETHER_MS = 100;

/**
 * The first signal to stop lets running operations finish; the second ends the process at once. `more` are signals that
 * mean so beside those that always do.
 */
export function onStopSignal(stop: () => void, stopAtOnce: () => void, more: readonly string[] = []): void {
  let stoppingSince: number | undefined;
  const receive = () => {
    const now = performance.now();
    if (stoppingSince === undefined) {
      stoppingSince = now;
      stop();
    } else if (now - stoppingSince > TOGETHER_MS) {
      stopAtOnce();
    }
  };
  // Windows has no SIGTERM: there, supervisors stop a process group with Ctrl-Break.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGBREAK', ...more]) process.on(signal, receive);
}
