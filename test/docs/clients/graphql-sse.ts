import { createClient } from 'graphql-sse';
import { gatewayFetch } from './gateway-fetch.ts';

interface Change {
  readonly cursor: string;
}

/** Follows a subscription to `changes` that selects the `cursor`. If the connection breaks, it goes on where it was. */
export function follow(query: string, tell: (change: Change) => void, end: (reason: unknown) => void) {
  let cursor = '';
  const client = createClient({
    url: 'http://localhost:4000/graphql',
    fetchFn: gatewayFetch,
    retryAttempts: Number.POSITIVE_INFINITY,
    headers: (): Record<string, string> => (cursor ? { 'Last-Event-ID': cursor } : {}),
  });
  return client.subscribe<{ changes: Change }>(
    { query },
    {
      next({ data, errors = [] }) {
        if (data) {
          cursor = data.changes.cursor;
          tell(data.changes);
        } else for (const { extensions } of errors) if (extensions.ends !== false) end(extensions);
      },
      error: end,
      complete() {},
    },
  );
}
