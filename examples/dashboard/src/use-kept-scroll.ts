import { useLayoutEffect, useRef } from 'react';

/** Scrolls a new list to its top, and a list that is shown again to its previous position. */
export function useKeptScroll(list: object): void {
  const positions = useRef(new WeakMap<object, number>());

  useLayoutEffect(() => {
    window.scrollTo(0, positions.current.get(list) ?? 0);
    // Save the position continuously: when another list appears, the page changes its height and scrolls.
    const note = () => {
      positions.current.set(list, window.scrollY);
    };
    window.addEventListener('scroll', note, { passive: true });
    return () => window.removeEventListener('scroll', note);
  }, [list]);
}
