import { useCallback, useEffect, useRef } from 'react';

/**
 * Runs a task, one run at a time: a new one aborts the one before it, so that an answer to an earlier question can never
 * show. The last is aborted when the component goes.
 */
export function useLatest<Parameters extends unknown[]>(
  task: (signal: AbortSignal, ...parameters: Parameters) => Promise<void>,
): (...parameters: Parameters) => void {
  const latest = useRef<AbortController>(undefined);

  const run = useCallback(
    (...parameters: Parameters) => {
      latest.current?.abort();
      latest.current = new AbortController();
      void task(latest.current.signal, ...parameters);
    },
    [task],
  );

  useEffect(() => () => latest.current?.abort(), []);

  return run;
}
