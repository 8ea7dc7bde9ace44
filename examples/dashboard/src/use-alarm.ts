import { useEffect, useSyncExternalStore } from 'react';

/** Calls back at a moment of this page's timer, or else as soon as the page can be seen again. */
export function useAlarm(moment: number | undefined, onTime: () => void): void {
  const isVisible = useVisibility();

  useEffect(() => {
    if (moment === undefined || !isVisible) return undefined;
    const timer = setTimeout(onTime, moment - performance.now());
    return () => clearTimeout(timer);
  }, [moment, isVisible, onTime]);
}

/** A page is hidden in a tab behind others, and in a window that is minimised. */
export function useVisibility(): boolean {
  return useSyncExternalStore(subscribe, () => document.visibilityState === 'visible');
}

function subscribe(onChange: () => void): () => void {
  document.addEventListener('visibilitychange', onChange);
  return () => document.removeEventListener('visibilitychange', onChange);
}
