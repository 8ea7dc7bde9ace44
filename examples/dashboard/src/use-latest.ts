import { useCallback, useEffect, useRef } from 'react';

/**
 * Runs one task at a time: a new run aborts the previous one, so that an outdated result never shows. Aborts
 * the last run when the component unmounts.
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
