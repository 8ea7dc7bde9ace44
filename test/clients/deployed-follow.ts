import { createClient, NetworkError } from 'graphql-sse';
import { gatewayFetch } from '../docs/clients/gateway-fetch.ts';

interface Change {
  readonly cursor: string;
}

/**
 * Follows a subscription to `changes` that selects the `cursor`, and continues from there if it is cut or ends. Pages that
 * use this version of the documentation's code are still deployed.
 */
export function follow(query: string, tell: (change: Change) => void, refuse: (reason: unknown) => void) {
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
        const { message = '', extensions } = errors[0] ?? {};
        const newCursor = data?.changes.cursor ?? extensions?.cursor;
        if (typeof newCursor === 'string') cursor = newCursor;
        if (data) return tell(data.changes);
        if (extensions?.ends === false) return;
        // Ended, by a restart for example: this error is tried again.
        if (newCursor) throw new NetworkError(message);
        refuse(extensions);
      },
      error: refuse,
      complete() {},
    },
  );
}
