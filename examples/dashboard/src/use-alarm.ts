import { useEffect, useSyncExternalStore } from 'react';

/** Calls back at a time of `performance.now()`, or when the page becomes visible after it. */
export function useAlarm(moment: number | undefined, onTime: () => void): void {
  const isVisible = useVisibility();

  useEffect(() => {
    if (moment === undefined || !isVisible) return undefined;
    const timer = setTimeout(onTime, moment - performance.now());
    return () => clearTimeout(timer);
  }, [moment, isVisible, onTime]);
}

/** A page is hidden in a background tab or a minimized window. */
export function useVisibility(): boolean {
  return useSyncExternalStore(subscribe, () => document.visibilityState === 'visible');
}

function subscribe(onChange: () => void): () => void {
  document.addEventListener('visibilitychange', onChange);
  return () => document.removeEventListener('visibilitychange', onChange);
}
