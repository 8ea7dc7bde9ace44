import { useEffect, useRef } from 'react';

/** How far below the viewport the button presses itself. */
const AHEAD = '300px';

interface Properties {
  readonly loading: boolean;
  onMore(): void;
}

/** Presses itself near the end of the list; keyboard users can press it too. */
export function MoreButton({ loading, onMore }: Properties) {
  const button = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (loading || !button.current) return undefined;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onMore(), {
      rootMargin: AHEAD,
    });
    observer.observe(button.current);
    return () => observer.disconnect();
  }, [loading, onMore]);

  return (
    <button
      ref={button}
      type="button"
      className="more"
      aria-disabled={loading}
      onClick={() => loading || onMore()}
    >
      {loading ? 'Loading more…' : 'Show more'}
    </button>
  );
}
