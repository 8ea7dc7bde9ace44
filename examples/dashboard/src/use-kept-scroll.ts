import { useLayoutEffect, useRef } from 'react';

/** Scrolls back to where the reader was when something that was hidden is shown again. */
export function useKeptScroll(isShown: boolean): void {
  const position = useRef(0);

  useLayoutEffect(() => {
    if (!isShown) return undefined;
    window.scrollTo(0, position.current);
    // Noted all along: once it is hidden, the page is shorter and has scrolled by itself.
    const note = () => {
      position.current = window.scrollY;
    };
    window.addEventListener('scroll', note, { passive: true });
    return () => window.removeEventListener('scroll', note);
  }, [isShown]);
}
