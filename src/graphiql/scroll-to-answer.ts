import { useGraphiQL } from '@graphiql/react';
import { useEffect } from 'react';

/** Where the panes stand below each other, as in page.css. */
const NARROW = '(max-width: 700px)';

/** On a narrow window the answer is below what one sees, so a run scrolls to it. */
export function useScrollToAnswer(): void {
  const { runs, isFetching } = useGraphiQL(({ queryId, isFetching }) => ({ runs: queryId, isFetching }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: again with the answer, which makes the page longer.
  useEffect(() => {
    if (runs === 0 || !matchMedia(NARROW).matches) return;
    const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth';
    document.querySelector('.graphiql-response')?.scrollIntoView({ block: 'start', behavior });
  }, [runs, isFetching]);
}
