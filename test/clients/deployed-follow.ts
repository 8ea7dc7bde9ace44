import { createClient, NetworkError } from 'graphql-sse';
import { gatewayFetch } from '../docs/clients/gateway-fetch.ts';

interface Change {
  readonly cursor: string;
}

/** As an earlier documentation had it, in pages that are still deployed: follows a subscription to `changes` that selects the `cursor`. If it is cut off or ended, it goes on where it was. */
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
        const told = data?.changes.cursor ?? extensions?.cursor;
        if (typeof told === 'string') cursor = told;
        if (data) return tell(data.changes);
        if (extensions?.ends === false) return;
        // Ended, by a restart for example: this error is tried again.
        if (told) throw new NetworkError(message);
        refuse(extensions);
      },
      error: refuse,
      complete() {},
    },
  );
}
