import { useLayoutEffect, useRef } from 'react';

/** Starts a list at its top, and scrolls back to where the reader was in one that is shown again. */
export function useKeptScroll(list: object): void {
  const positions = useRef(new WeakMap<object, number>());

  useLayoutEffect(() => {
    window.scrollTo(0, positions.current.get(list) ?? 0);
    // Noted all along: once another list is shown, the page has another height and has scrolled by itself.
    const note = () => {
      positions.current.set(list, window.scrollY);
    };
    window.addEventListener('scroll', note, { passive: true });
    return () => window.removeEventListener('scroll', note);
  }, [list]);
}
