import type { createClient } from 'graphql-sse';
import { Observable, type SubscribeFunction } from 'relay-runtime';

/** The second argument of Relay's `Network.create`. Relay gives up at a result without data, so it gets none. */
export function subscribeBy(client: ReturnType<typeof createClient>): SubscribeFunction {
  return ({ text }, variables) =>
    Observable.create((sink) =>
      client.subscribe<Record<string, unknown>>(
        { query: text ?? '', variables },
        {
          next({ data, errors = [] }) {
            const end = errors.find(({ extensions }) => extensions.ends !== false);
            if (data) sink.next({ data });
            else if (end) sink.error(Object.assign(new Error(end.message), end.extensions));
          },
          error: (error) => sink.error(error instanceof Error ? error : new Error(String(error))),
          complete: () => sink.complete(),
        },
      ),
    );
}
