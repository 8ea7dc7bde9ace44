import { useEffect, useRef } from 'react';

/** How far below the visible part the button may be when it is taken for pressed. */
const AHEAD = '300px';

interface Properties {
  readonly loading: boolean;
  onMore(): void;
}

/** Presses itself when the end of the list comes near; a keyboard can do without that. */
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
